/** What hulls look like from above. */

import type { Ship } from "./battle";

type Form = "warship" | "submarine" | "flattop" | "cargo" | "small" | "station";

const FORMS: Record<string, Form> = {
  skimmer: "small",
  cutter: "warship",
  corvette: "warship",
  frigate: "warship",
  dreadnought: "warship",
  attack_sub: "submarine",
  deep_sub: "submarine",
  assault_ship: "cargo",
  transport: "cargo",
  carrier: "flattop",
  arcology: "station",
  platform: "station",
};

/** Half widths along a hull from stern (-1) to bow (1), as a share of half its length. */
const OUTLINES: Record<Exclude<Form, "station">, readonly (readonly [number, number])[]> = {
  warship: [
    [-1, 0.16],
    [-0.86, 0.22],
    [0.1, 0.24],
    [0.55, 0.17],
    [1, 0],
  ],
  submarine: [
    [-1, 0.02],
    [-0.82, 0.1],
    [-0.45, 0.17],
    [0.55, 0.17],
    [0.88, 0.11],
    [1, 0],
  ],
  flattop: [
    [-1, 0.28],
    [0.62, 0.3],
    [0.9, 0.18],
    [1, 0.06],
  ],
  cargo: [
    [-1, 0.22],
    [-0.9, 0.27],
    [0.62, 0.27],
    [0.88, 0.15],
    [1, 0],
  ],
  small: [
    [-1, 0.34],
    [0.2, 0.36],
    [1, 0],
  ],
};

export function formOf(ship: Pick<Ship, "hull">): Form {
  return FORMS[ship.hull] ?? "warship";
}

/** The least half length in pixels at which a hull of that size is still told from a dot. */
const LEAST_PX: Record<string, number> = { S: 9, M: 11.5, L: 14.5, XL: 19 };

/** Half the length of the drawing, in pixels: to scale, but never too small to read. */
export function halfLength(ship: Pick<Ship, "r" | "size" | "hull">, scale: number): number {
  const least = ship.hull === "skimmer" ? 5.5 : (LEAST_PX[ship.size] ?? 9);
  return Math.max(least, ship.r * scale);
}

const paths = new Map<Form, Path2D>();

/** The outline with half a length of 1, its bow to the right. */
export function outlineOf(ship: Pick<Ship, "hull">): Path2D {
  const form = formOf(ship);
  let path = paths.get(form);
  if (!path) paths.set(form, (path = form === "station" ? station() : sided(OUTLINES[form])));
  return path;
}

function sided(outline: readonly (readonly [number, number])[]): Path2D {
  const path = new Path2D();
  outline.forEach(([x, y], i) => (i === 0 ? path.moveTo(x, y) : path.lineTo(x, y)));
  outline.toReversed().forEach(([x, y]) => path.lineTo(x, -y));
  path.closePath();
  return path;
}

function station(): Path2D {
  const path = new Path2D();
  for (let i = 0; i < 8; i++) {
    const angle = ((i + 0.5) * Math.PI) / 4;
    path.lineTo(Math.cos(angle) * 0.9, Math.sin(angle) * 0.9);
  }
  path.closePath();
  return path;
}
