/** How a ship's hull held so far, as a few points. */

import type { Frame } from "../../api/types";
import { shipOf } from "./battle";
import { shownBattle } from "./view";

const POINTS = 60;

export function hpOver(frames: readonly Frame[], at: number, id: string): (number | null)[] {
  const last = Math.min(at, frames.length - 1);
  const step = Math.max(1, Math.ceil(last / POINTS));
  const values: (number | null)[] = [];
  for (let i = last; i >= 0; i -= step) {
    values.unshift(shipOf(shownBattle(frames[i] ?? null), id)?.hp ?? null);
  }
  return values;
}
