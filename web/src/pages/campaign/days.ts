/** The day that is shown: a clock over days, and its place in the address. */

import { useEffect, useRef, useState, useSyncExternalStore } from "react";
import type { WarDay } from "../../api/wars";
import * as clocks from "../../player/clock";
import { Playback } from "../../player/playback";
import { writeAddress, type CampaignAddress } from "./address";

const SETTLE_MS = 350;

/** Opens at the day of the address, else at the last one; whoever stands there stays there. */
export function useDays(days: readonly WarDay[], address: CampaignAddress) {
  const [playback] = useState(() => new Playback());
  const clock = useSyncExternalStore(playback.subscribe, playback.snapshot);
  // The address that was last followed; what is written below is not a wish to go there.
  const followed = useRef<CampaignAddress>({ war: null, day: null });
  const { war, day: asked } = address;
  const length = days.length;
  useEffect(() => () => playback.stop(), [playback]);

  useEffect(() => {
    const before = playback.clock;
    const stood = clocks.atEnd(before) && !before.playing;
    playback.load([{ length, at: () => null }], [length], "steps");
    if (length === 0) return;
    if (followed.current.war !== war || followed.current.day !== asked) {
      followed.current = { war, day: asked };
      const to = asked === null ? length - 1 : Math.min(length, asked) - 1;
      playback.update((c) => clocks.seek(clocks.pause(c), Math.max(0, to)));
    } else if (stood) playback.update((c) => clocks.seek(c, length - 1));
  }, [playback, war, asked, length]);

  const at = Math.min(clocks.frameIndex(clock), Math.max(0, length - 1));
  const day = at >= length - 1 ? null : (days[at]?.day ?? null);
  useEffect(() => {
    if (clock.playing || followed.current.war !== war) return;
    const timer = setTimeout(
      () => window.history.replaceState(null, "", writeAddress({ war, day })),
      SETTLE_MS,
    );
    return () => clearTimeout(timer);
  }, [clock.playing, day, war]);

  return {
    playback,
    clock,
    at,
    seek: (to: number) => playback.update((c) => clocks.seek(clocks.pause(c), to)),
  };
}
