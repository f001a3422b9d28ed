/** Walls, roads and the like, where the town has a plan of its own. One unit is a tile. */

import type { Inks } from "./inks";
import type { Town } from "./town";

type Tile = (pen: CanvasRenderingContext2D, inks: Inks, x: number, y: number) => void;

/** How each kind of tile looks, and what it is; open floor is the ground itself. */
const TILES: Record<string, { paint: Tile; look: string; meaning: string }> = {
  "#": {
    paint: (pen, inks, x, y) => whole(pen, inks.thingLine, x, y),
    look: "Dark block",
    meaning: "a wall",
  },
  "+": {
    paint: (pen, inks, x, y) => whole(pen, inks.thingSoft, x, y),
    look: "Pale step",
    meaning: "a door",
  },
  "=": {
    paint: (pen, inks, x, y) => whole(pen, inks.venues.bus.floor, x, y),
    look: "Grey strip",
    meaning: "a road",
  },
  C: { paint: paintCounter, look: "Wooden slab", meaning: "a counter, nobody passes" },
  T: { paint: paintTable, look: "Round top", meaning: "a table, nobody passes" },
  q: { paint: paintQueueNode, look: "Dashed ring", meaning: "marked floor" },
};

export function paintTiles(pen: CanvasRenderingContext2D, town: Town, inks: Inks): void {
  town.map?.forEach((row, y) => {
    [...row].forEach((sign, x) => TILES[sign]?.paint(pen, inks, x, y));
  });
}

/** What the tiles of this town look like and are, each kind once. */
export function tileLegend(town: Town): (readonly [look: string, meaning: string])[] {
  const signs = new Set(town.map?.join(""));
  return Object.entries(TILES).flatMap(([sign, { look, meaning }]) =>
    signs.has(sign) ? [[look, meaning] as const] : [],
  );
}

/** Neighbours overlap a little, so that no seam shows between them. */
function whole(pen: CanvasRenderingContext2D, fill: string, x: number, y: number): void {
  pen.fillStyle = fill;
  pen.fillRect(x, y, 1.01, 1.01);
}

function paintCounter(pen: CanvasRenderingContext2D, inks: Inks, x: number, y: number): void {
  whole(pen, inks.woodEdge, x, y);
  pen.fillStyle = inks.wood;
  pen.fillRect(x, y + 0.12, 1.01, 0.6);
}

function paintTable(pen: CanvasRenderingContext2D, inks: Inks, x: number, y: number): void {
  pen.beginPath();
  pen.arc(x + 0.5, y + 0.5, 0.42, 0, Math.PI * 2);
  pen.fillStyle = inks.wood;
  pen.fill();
  pen.strokeStyle = inks.woodEdge;
  pen.lineWidth = 0.12;
  pen.stroke();
}

function paintQueueNode(pen: CanvasRenderingContext2D, inks: Inks, x: number, y: number): void {
  pen.save();
  pen.beginPath();
  pen.arc(x + 0.5, y + 0.5, 0.32, 0, Math.PI * 2);
  pen.strokeStyle = inks.muted;
  pen.lineWidth = 0.1;
  pen.setLineDash([0.2, 0.14]);
  pen.stroke();
  pen.restore();
}
