/** From the chart to the screen. Everything is drawn in pixels, so that what is small stays
 * readable however far away the camera is. */

import type { Camera, Room } from "../map/camera";
import type { Inks } from "./inks";

export interface Plot {
  pen: CanvasRenderingContext2D;
  room: Room;
  inks: Inks;
  /** Pixels a metre. */
  scale: number;
  x: (metres: number) => number;
  y: (metres: number) => number;
  /** Seconds, for what pulses; standing still where stillness is asked for. */
  time: number;
}

export function plotOf(
  pen: CanvasRenderingContext2D,
  camera: Camera,
  room: Room,
  inks: Inks,
  time: number,
): Plot {
  const { scale } = camera;
  return {
    pen,
    room,
    inks,
    scale,
    x: (metres) => room.width / 2 + (metres - camera.x) * scale,
    y: (metres) => room.height / 2 + (metres - camera.y) * scale,
    time,
  };
}

export function written(
  { pen, inks }: Plot,
  text: string,
  x: number,
  y: number,
  ink: string,
  font: string,
): void {
  pen.font = font;
  pen.lineJoin = "round";
  pen.lineWidth = 3;
  pen.strokeStyle = inks.halo;
  pen.strokeText(text, x, y);
  pen.fillStyle = ink;
  pen.fillText(text, x, y);
}

const LENGTHS_M = [50, 100, 200, 500, 1000, 2000, 5000, 10_000, 20_000, 50_000];

/** A round length that takes about as many pixels as wanted. */
export function roundLength(scale: number, pixels: number): number {
  return LENGTHS_M.findLast((metres) => metres * scale <= pixels) ?? LENGTHS_M[0] ?? 50;
}
