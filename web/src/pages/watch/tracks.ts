/** The replays of the page on one clock. */

import { useEffect, useMemo } from "react";
import type { ReplayAddress } from "../../api/frames";
import type { LockstepMode } from "../../player/lockstep";
import type { Playback } from "../../player/playback";
import { expectedFrames, type LoadedReplay } from "./replay";

/** Puts the replays on the clock, and tells it when they grow. The text names them. */
export function useTracks(
  playback: Playback,
  first: LoadedReplay | null,
  second: LoadedReplay | null,
  mode: LockstepMode,
): string {
  const totals = [first, ...(second ? [second] : [])].map(expectedFrames);
  const lengths = `${first?.length ?? 0} ${second?.length ?? 0} ${totals.join(" ")}`;
  const name = (replay: LoadedReplay | null) =>
    replay ? `${replay.address.run}/${replay.address.replay}` : "";
  const buffers = `${name(first)} ${name(second)}`;
  useEffect(() => {
    const tracks = [first?.buffer, second?.buffer].filter((buffer) => buffer !== undefined);
    playback.load(tracks, totals, mode);
    // eslint-disable-next-line react-hooks/exhaustive-deps -- the texts say when anything changed
  }, [playback, buffers, lengths, mode]);
  return buffers;
}

/** The same object as long as it says the same. */
export function useStable(address: ReplayAddress | null): ReplayAddress | null {
  const key = address ? `${address.run}/${address.replay}` : "";
  // eslint-disable-next-line react-hooks/exhaustive-deps
  return useMemo(() => address, [key]);
}
