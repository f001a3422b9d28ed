/** Two replays on one clock. */

import type { Frame } from "../api/types";

/** Same step number, or same tick of the world's own time. */
export type LockstepMode = "steps" | "ticks";

export interface Track {
  readonly length: number;
  at: (index: number) => Frame | null;
}

/** The track whose frames the clock counts: the one that lasts longer. */
export function leader(tracks: readonly Track[], mode: LockstepMode): number {
  const lasting = tracks.map((track) =>
    mode === "steps" ? track.length : (track.at(track.length - 1)?.t ?? 0),
  );
  return lasting.indexOf(Math.max(...lasting, 0));
}

/** The frame each track shows when the clock is at `index`; one that ended stays at its end. */
export function indices(tracks: readonly Track[], mode: LockstepMode, index: number): number[] {
  if (mode === "steps") return tracks.map((track) => clamp(index, track.length));
  const first = tracks[leader(tracks, mode)];
  const tick = first?.at(clamp(index, first.length))?.t ?? 0;
  return tracks.map((track) =>
    track === first ? clamp(index, track.length) : atTick(track, tick),
  );
}

/** The last frame that is not later than a tick. */
export function atTick(track: Track, tick: number): number {
  let low = 0;
  let high = track.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((track.at(middle)?.t ?? Infinity) <= tick) low = middle;
    else high = middle - 1;
  }
  return Math.max(0, low);
}

function clamp(index: number, length: number): number {
  return Math.min(Math.max(0, index), Math.max(0, length - 1));
}
