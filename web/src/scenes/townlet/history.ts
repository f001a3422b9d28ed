/** How something went over the last day, as a few points. */

import type { Frame } from "../../api/types";
import { citizenOf, townOf, type Citizen, type Town } from "./town";

const POINTS = 72;

/** Values at evenly spaced frames of the last `ticks` until a frame; null where there is none. */
export function history(
  frames: readonly Frame[],
  at: number,
  ticks: number,
  read: (town: Town) => number | null,
): (number | null)[] {
  const last = Math.min(at, frames.length - 1);
  const first = Math.max(0, last - ticks);
  const step = Math.max(1, Math.ceil((last - first) / POINTS));
  const values: (number | null)[] = [];
  // Counted back from now, so that the curve slides instead of trembling.
  for (let i = last; i >= first; i -= step) {
    const town = townOf(frames[i] ?? null);
    values.unshift(town && read(town));
  }
  return values;
}

export function historyOf(
  frames: readonly Frame[],
  at: number,
  ticks: number,
  id: string,
  read: (citizen: Citizen) => number,
): (number | null)[] {
  return history(frames, at, ticks, (town) => {
    const citizen = citizenOf(town, id);
    return citizen && read(citizen);
  });
}
