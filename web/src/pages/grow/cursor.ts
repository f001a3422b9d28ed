/** Where in the episode the page stands: a clock over epochs, and its place in the address. */

import { useEffect, useRef, useState, useSyncExternalStore } from "react";
import * as clocks from "../../player/clock";
import { Playback } from "../../player/playback";
import { writeAddress, type GrowAddress } from "./address";
import { momentAt, type Moment } from "./episode";

const SETTLE_MS = 350;

/** Opens at the epoch of the address, else at the last one; whoever stands there stays there. */
export function useCursor(key: string, moments: readonly Moment[], address: GrowAddress) {
  const [playback] = useState(() => new Playback());
  const clock = useSyncExternalStore(playback.subscribe, playback.snapshot);
  const opened = useRef<{ key: string; epoch: number | null }>({ key: "", epoch: null });
  const length = moments.length;
  useEffect(() => () => playback.stop(), [playback]);

  useEffect(() => {
    const before = playback.clock;
    const stood = clocks.atEnd(before) && !before.playing;
    playback.load([{ length, at: () => null }], [length], "steps");
    if (length === 0) return;
    const asked = address.epoch;
    const fresh = opened.current.key !== key;
    if (fresh || (asked !== null && asked !== opened.current.epoch)) {
      opened.current = { key, epoch: asked };
      const to = asked === null ? length - 1 : momentAt(moments, asked);
      playback.update((c) => clocks.seek(clocks.pause(c), to));
    } else if (stood) playback.update((c) => clocks.seek(c, length - 1));
  }, [playback, key, length, moments, address.epoch]);

  const at = Math.min(clocks.frameIndex(clock), Math.max(0, length - 1));
  const epoch = at >= length - 1 ? null : (moments[at]?.epoch ?? null);
  useEffect(() => {
    if (clock.playing || opened.current.key !== key) return;
    const timer = setTimeout(() => {
      opened.current.epoch = epoch;
      window.history.replaceState(null, "", writeAddress({ ...address, epoch }));
    }, SETTLE_MS);
    return () => clearTimeout(timer);
  }, [clock.playing, epoch, key, address]);

  return {
    playback,
    clock,
    at,
    seek: (to: number) => playback.update((c) => clocks.seek(clocks.pause(c), to)),
  };
}
