/** Lines drawn over the town: who likes whom, and who waits for what. */

import type { Standing } from "./motion";
import type { Thing, Tie } from "./town";

export interface TieLine {
  a: string;
  b: string;
  /** -1 rivals to 1 friends. */
  warmth: number;
  /** 0 to 1, for width. */
  strength: number;
  x1: number;
  y1: number;
  x2: number;
  y2: number;
}

export function warmthOf(tie: Tie): number {
  return Math.max(-1, Math.min(1, (tie.trust + tie.familiarity) / 2 - tie.rivalry));
}

export function strengthOf(tie: Tie): number {
  return Math.min(1, (Math.abs(tie.trust) + Math.abs(tie.familiarity)) / 2 + tie.rivalry);
}

/** A line for each pair that has a tie in either direction; two directions are averaged. */
export function tieLines(all: readonly Standing[], only: string | null): TieLine[] {
  const places = new Map(all.map((one) => [one.citizen.id, one]));
  const pairs = new Map<string, { tie: Tie; owner: string }[]>();
  for (const { citizen } of all) {
    for (const tie of citizen.ties) {
      if (!places.has(tie.other) || tie.other === citizen.id) continue;
      const key = [citizen.id, tie.other].sort().join("\n");
      pairs.set(key, [...(pairs.get(key) ?? []), { tie, owner: citizen.id }]);
    }
  }
  return [...pairs].flatMap(([key, ties]) => {
    const [a = "", b = ""] = key.split("\n");
    const [from, to] = [places.get(a), places.get(b)];
    if (!from || !to || (only !== null && a !== only && b !== only)) return [];
    const mean = (of: (tie: Tie) => number) =>
      ties.reduce((sum, one) => sum + of(one.tie), 0) / ties.length;
    return [
      {
        a,
        b,
        warmth: mean(warmthOf),
        strength: mean(strengthOf),
        x1: from.x + 0.5,
        y1: from.y + 0.5,
        x2: to.x + 0.5,
        y2: to.y + 0.5,
      },
    ];
  });
}

export interface QueueLine {
  thing: string;
  /** From the thing through everybody who waits, in order, at the middle of their tiles. */
  points: { x: number; y: number }[];
}

export function queueLines(things: readonly Thing[], all: readonly Standing[]): QueueLine[] {
  const places = new Map(all.map((one) => [one.citizen.id, one]));
  return things.flatMap((thing) => {
    const waiters = thing.queue.flatMap((id) => {
      const one = places.get(id);
      return one ? [{ x: one.x + 0.5, y: one.y + 0.5 }] : [];
    });
    if (waiters.length === 0) return [];
    const [x, y] = thing.position;
    return [{ thing: thing.id, points: [{ x: x + 0.5, y: y + 0.5 }, ...waiters] }];
  });
}

/** Why a thing cannot be used now. */
export function outOfOrder(
  thing: Thing,
  utilities: { power: boolean; water: boolean },
): "power" | "water" | "closed" | null {
  if (thing.closed) return "closed";
  if (!utilities.power && thing.power) return "power";
  if (!utilities.water && thing.water) return "water";
  return null;
}
