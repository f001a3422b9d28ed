// Where things lie on the canvas: the belt is an ellipse around the ship, fitted to the host.

import { ROCK_COUNT } from "./reading";
import { clamp, lerp } from "./motion";

/** One drawing of the screen. */
export interface Tick {
  elapsed_s: number;
  time_s: number;
  /** Reduced motion: no drift, no flicker, things stand where they belong. */
  still: boolean;
}

export interface Field {
  width: number;
  height: number;
  centerX: number;
  centerY: number;
  reachX: number;
  reachY: number;
  /** Scale of sprites: 1 where the shorter side has 560 pixels. */
  unit: number;
}

export function fieldOf(width: number, height: number): Field {
  return {
    width,
    height,
    centerX: width / 2,
    centerY: height / 2,
    reachX: Math.min(width * 0.42, height * 0.86),
    reachY: Math.min(height * 0.4, width * 0.72),
    unit: clamp(Math.min(width, height) / 560, 0.42, 1.5),
  };
}

export interface Spot {
  x: number;
  y: number;
}

/** A rock nobody has looked at lies at the rim; one well known lies close. */
export function rockSpot(field: Field, slot: number, confidence: number, into: Spot): Spot {
  const angle = (2 * Math.PI * slot) / ROCK_COUNT;
  const away = lerp(1, 0.54, clamp(confidence));
  into.x = field.centerX + Math.cos(angle) * field.reachX * away;
  into.y = field.centerY + Math.sin(angle) * field.reachY * away;
  return into;
}

export function laneAngle(slot: number): number {
  return (2 * Math.PI * slot) / 6;
}
