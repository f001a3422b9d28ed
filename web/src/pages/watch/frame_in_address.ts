/** The link in the address bar follows a still picture, and a link with a frame opens at it. */

import { useEffect, useRef } from "react";
import * as clocks from "../../player/clock";
import type { Playback } from "../../player/playback";
import { writeAddress, type WatchAddress } from "./address";

const SETTLE_MS = 350;

export function useFrameInAddress(
  playback: Playback,
  clock: clocks.ClockState,
  address: WatchAddress,
  replays: string,
): void {
  const written = useRef<number | null>(null);
  const opened = useRef("");
  const known = clock.total > 0;

  useEffect(() => {
    // The clock as it is now: this render may still have seen the replay before.
    if (playback.clock.total === 0) return;
    if (opened.current !== replays) {
      opened.current = replays;
      playback.update((c) => clocks.seek(clocks.pause(c), address.frame ?? 0));
    } else if (address.frame !== null && address.frame !== written.current) {
      const frame = address.frame;
      playback.update((c) => clocks.seek(clocks.pause(c), frame));
    }
    written.current = address.frame;
  }, [playback, known, replays, address.frame]);

  const frame = clocks.frameIndex(clock);
  useEffect(() => {
    if (clock.playing || !known || opened.current !== replays || !address.replay) return;
    const timer = setTimeout(() => {
      written.current = frame;
      window.history.replaceState(null, "", writeAddress({ ...address, frame }));
    }, SETTLE_MS);
    return () => clearTimeout(timer);
  }, [clock.playing, known, frame, address, replays]);
}
