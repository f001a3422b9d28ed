/** Grass, tiles and the floors of the venues. One unit is a tile. */

import type { Inks } from "./inks";
import { paintTiles } from "./paint_tiles";
import type { Town } from "./town";
import type { Venue } from "./venues";

export function paintGround(
  pen: CanvasRenderingContext2D,
  town: Town,
  venues: readonly Venue[],
  inks: Inks,
  scale: number,
): void {
  const [width, height] = town.size;
  pen.fillStyle = inks.ground;
  rounded(pen, -0.2, -0.2, width + 0.4, height + 0.4, 0.8);
  pen.fill();
  paintTufts(pen, width, height, inks);
  for (const venue of venues) paintFloor(pen, venue, inks);
  paintTiles(pen, town, inks);
  if (scale >= 15) paintGrid(pen, width, height, inks, scale);
}

function paintTufts(
  pen: CanvasRenderingContext2D,
  width: number,
  height: number,
  inks: Inks,
): void {
  pen.fillStyle = inks.tuft;
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const chance = scatter(x, y);
      if (chance > 0.24) continue;
      const spot = chance / 0.24;
      pen.fillRect(x + spot * 0.8, y + ((spot * 7) % 1) * 0.8, 0.16, 0.1);
      if (spot < 0.4) pen.fillRect(x + 0.2 + spot, y + 0.5, 0.1, 0.16);
    }
  }
}

/** 0 to 1, always the same for a tile. */
function scatter(x: number, y: number): number {
  let mixed = Math.imul(x + 1, 0x9e3779b1) ^ Math.imul(y + 1, 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x2c1b3c6d);
  return ((mixed ^ (mixed >>> 13)) >>> 0) / 4294967296;
}

function paintFloor(pen: CanvasRenderingContext2D, venue: Venue, inks: Inks): void {
  const { floor, edge } = inks.venues[venue.name];
  const { x, y, width, height } = venue;
  pen.save();
  rounded(pen, x, y, width, height, venue.name === "park" ? 1.6 : 0.35);
  pen.fillStyle = floor;
  pen.fill();
  pen.clip();
  paintPattern(pen, venue, edge);
  pen.restore();
  rounded(pen, x, y, width, height, venue.name === "park" ? 1.6 : 0.35);
  pen.strokeStyle = edge;
  pen.lineWidth = 0.14;
  pen.stroke();
}

/** Boards at home, tiles where it is wet, nothing on grass. */
function paintPattern(pen: CanvasRenderingContext2D, venue: Venue, ink: string): void {
  const { x, y, width, height, name } = venue;
  if (name === "park" || name === "bus") return;
  pen.strokeStyle = ink;
  pen.globalAlpha = 0.22;
  pen.lineWidth = 0.05;
  pen.beginPath();
  for (let row = 1; row < height; row++) line(pen, x, y + row, x + width, y + row);
  const checked = name === "gym" || name === "cafe" || name === "grocer";
  for (let row = 0; row < height; row++) {
    for (let column = 1; column < width; column++) {
      if (checked || (column * 3 + row * 5) % 7 === 0)
        line(pen, x + column, y + row, x + column, y + row + 1);
    }
  }
  pen.stroke();
}

function line(pen: CanvasRenderingContext2D, x1: number, y1: number, x2: number, y2: number): void {
  pen.moveTo(x1, y1);
  pen.lineTo(x2, y2);
}

function paintGrid(
  pen: CanvasRenderingContext2D,
  width: number,
  height: number,
  inks: Inks,
  scale: number,
): void {
  pen.strokeStyle = inks.grid;
  pen.lineWidth = 1 / scale;
  pen.beginPath();
  for (let x = 1; x < width; x++) line(pen, x, 0, x, height);
  for (let y = 1; y < height; y++) line(pen, 0, y, width, y);
  pen.stroke();
}

export function rounded(
  pen: CanvasRenderingContext2D,
  x: number,
  y: number,
  width: number,
  height: number,
  radius: number,
): void {
  pen.beginPath();
  pen.roundRect(x, y, width, height, radius);
}
