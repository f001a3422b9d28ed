/** Each kind of object as a small drawing on its tile. One unit is a tile. */

import type { Inks } from "./inks";
import { strokeIcon } from "./icons";
import { outOfOrder } from "./overlays";
import { rounded } from "./paint_ground";
import type { Place, Thing, Town } from "./town";

type Drawing = (pen: CanvasRenderingContext2D, inks: Inks, busy: boolean) => void;

function box(
  pen: CanvasRenderingContext2D,
  fill: string,
  x: number,
  y: number,
  width: number,
  height: number,
  radius = 0.08,
): void {
  rounded(pen, x, y, width, height, radius);
  pen.fillStyle = fill;
  pen.fill();
  pen.stroke();
}

function dot(pen: CanvasRenderingContext2D, fill: string, x: number, y: number, r: number): void {
  pen.beginPath();
  pen.arc(x, y, r, 0, Math.PI * 2);
  pen.fillStyle = fill;
  pen.fill();
}

const DRAWINGS: Record<string, Drawing> = {
  bed: (pen, inks, busy) => {
    box(pen, inks.thingSoft, 0.14, 0.04, 0.72, 0.94, 0.1);
    box(pen, inks.thing, 0.22, 0.1, 0.56, 0.24, 0.1);
    box(pen, busy ? "#d58b6a" : "#6f9bd1", 0.14, 0.42, 0.72, 0.56, 0.1);
  },
  shower: (pen, inks, busy) => {
    box(pen, "#a9d7ea", 0.08, 0.08, 0.84, 0.84, 0.16);
    dot(pen, inks.thingLine, 0.5, 0.36, 0.15);
    const drops = busy ? [0.28, 0.43, 0.57, 0.72] : [0.5];
    for (const x of drops) box(pen, "#2f7fb5", x - 0.03, 0.58, 0.06, 0.2, 0.03);
  },
  fridge: (pen, inks) => {
    box(pen, inks.thing, 0.16, 0.02, 0.68, 0.96, 0.1);
    box(pen, inks.thing, 0.16, 0.02, 0.68, 0.36, 0.1);
    box(pen, inks.thingLine, 0.7, 0.14, 0.04, 0.14, 0.02);
    box(pen, inks.thingLine, 0.7, 0.5, 0.04, 0.24, 0.02);
  },
  stove: (pen, inks, busy) => {
    box(pen, "#6b7280", 0.08, 0.08, 0.84, 0.84, 0.1);
    for (const [x, y] of [
      [0.32, 0.34],
      [0.68, 0.34],
      [0.32, 0.68],
      [0.68, 0.68],
    ] as const)
      dot(pen, busy ? "#ff8a4c" : inks.thingLine, x, y, 0.13);
  },
  shelf: (pen) => {
    box(pen, "#9b7448", 0.06, 0.1, 0.88, 0.8, 0.06);
    const colors = ["#e2574c", "#f2c14e", "#7dbb62"];
    for (const y of [0.2, 0.56])
      colors.forEach((color, i) => box(pen, color, 0.15 + i * 0.25, y, 0.19, 0.24, 0.04));
  },
  till: (pen, inks) => {
    box(pen, "#8b6fb0", 0.1, 0.38, 0.8, 0.52, 0.08);
    box(pen, inks.thing, 0.24, 0.1, 0.52, 0.3, 0.06);
    box(pen, "#7dd3a8", 0.32, 0.17, 0.36, 0.14, 0.02);
  },
  counter: (pen, inks) => {
    box(pen, "#a8714c", 0.02, 0.26, 0.96, 0.56, 0.1);
    dot(pen, inks.thing, 0.34, 0.48, 0.15);
    dot(pen, "#5d3a24", 0.34, 0.48, 0.1);
    dot(pen, inks.thing, 0.7, 0.52, 0.11);
  },
  desk: (pen, inks) => {
    box(pen, "#b08d62", 0.04, 0.3, 0.92, 0.6, 0.08);
    box(pen, inks.thingLine, 0.24, 0.12, 0.52, 0.36, 0.04);
    box(pen, "#8fd0ff", 0.29, 0.17, 0.42, 0.25, 0.02);
  },
  wardrobe: (pen, inks) => {
    box(pen, "#8a5f3c", 0.1, 0.04, 0.8, 0.92, 0.06);
    box(pen, "#a3734b", 0.15, 0.1, 0.33, 0.8, 0.04);
    box(pen, "#a3734b", 0.52, 0.1, 0.33, 0.8, 0.04);
    dot(pen, inks.gold, 0.44, 0.5, 0.04);
    dot(pen, inks.gold, 0.56, 0.5, 0.04);
  },
  bench: (pen) => {
    box(pen, "#7d5636", 0.04, 0.22, 0.92, 0.2, 0.06);
    box(pen, "#946a45", 0.04, 0.48, 0.92, 0.28, 0.06);
  },
};

/** No object of the town: newcomers stand on its tile. */
const BUS_STOP: Drawing = (pen, inks) => {
  box(pen, inks.thingSoft, 0.44, 0.3, 0.12, 0.66, 0.04);
  box(pen, "#f0b93a", 0.18, 0.04, 0.64, 0.42, 0.1);
  box(pen, inks.thingLine, 0.28, 0.14, 0.44, 0.16, 0.04);
};

const PLAIN: Drawing = (pen, inks) => box(pen, inks.thing, 0.14, 0.14, 0.72, 0.72, 0.12);

/** Seen from far, things are drawn somewhat larger than their tile. */
function sizeOf(scale: number): number {
  return Math.min(1.5, Math.max(1, 18 / scale));
}

export function paintThings(
  pen: CanvasRenderingContext2D,
  town: Town,
  inks: Inks,
  scale: number,
): void {
  const draw = ([x, y]: Place, drawing: Drawing, busy: boolean) => {
    pen.save();
    pen.translate(x + 0.5, y + 0.5);
    pen.scale(sizeOf(scale), sizeOf(scale));
    pen.translate(-0.5, -0.5);
    pen.strokeStyle = inks.thingLine;
    pen.lineWidth = 0.05;
    drawing(pen, inks, busy);
    pen.restore();
  };
  draw(town.bus_stop, BUS_STOP, false);
  for (const thing of town.objects) {
    draw(thing.position, DRAWINGS[thing.type] ?? PLAIN, inUse(thing, town));
  }
}

function inUse(thing: Thing, town: Town): boolean {
  const holder = town.agents.find((citizen) => citizen.id === thing.holder);
  return holder?.running != null && holder.holding === thing.id;
}

const COUNTED = ["meals", "raw_ingredients", "food_raw"];

/** How much a thing holds; null where it holds nothing by its nature. */
export function stockOf(thing: Thing): number | null {
  const holds: Record<string, string> = {
    fridge: "meals",
    stove: "raw_ingredients",
    shelf: "food_raw",
  };
  const key = holds[thing.type] ?? COUNTED.find((name) => (thing.stock[name] ?? 0) > 0);
  return key === undefined ? null : (thing.stock[key] ?? 0);
}

/** Stock and faults, above the night: signs are lit. */
export function paintSigns(
  pen: CanvasRenderingContext2D,
  town: Town,
  inks: Inks,
  scale: number,
): void {
  for (const thing of town.objects) {
    const [x, y] = thing.position;
    const fault = outOfOrder(thing, town.utilities);
    const stock = stockOf(thing);
    pen.save();
    pen.translate(x + 0.5, y + 0.5);
    pen.scale(sizeOf(scale), sizeOf(scale));
    if (stock !== null) paintStock(pen, inks, stock);
    if (fault) paintFault(pen, inks, -0.5, -0.5, fault);
    pen.restore();
  }
}

function paintStock(pen: CanvasRenderingContext2D, inks: Inks, stock: number): void {
  const text = String(stock);
  const width = 0.34 + text.length * 0.24;
  rounded(pen, 0.5 - width * 0.6, -0.72, width, 0.56, 0.2);
  pen.fillStyle = stock === 0 ? inks.bad : inks.card;
  pen.fill();
  pen.fillStyle = stock === 0 ? inks.card : inks.text;
  pen.font = "600 0.44px system-ui, sans-serif";
  pen.textAlign = "center";
  pen.textBaseline = "middle";
  pen.fillText(text, 0.5 - width * 0.1, -0.425);
}

function paintFault(
  pen: CanvasRenderingContext2D,
  inks: Inks,
  x: number,
  y: number,
  fault: "power" | "water" | "closed",
): void {
  dot(pen, inks.bad, x + 0.5, y + 0.5, 0.48);
  pen.strokeStyle = inks.card;
  const icon = fault === "power" ? "power" : fault === "water" ? "wash" : "closed";
  strokeIcon(pen, icon, x + 0.2, y + 0.2, 0.6);
  pen.strokeStyle = inks.text;
  pen.lineWidth = 0.08;
  pen.beginPath();
  pen.moveTo(x + 0.16, y + 0.84);
  pen.lineTo(x + 0.84, y + 0.16);
  pen.stroke();
}
