/** The day that is shown: a clock over days, and its place in the address. */

import { useEffect, useRef, useState, useSyncExternalStore } from "react";
import type { WarDay } from "../../api/wars";
import * as clocks from "../../player/clock";
import { Playback } from "../../player/playback";
import { writeAddress, type CampaignAddress } from "./address";

const SETTLE_MS = 350;

export function useDays(days: readonly WarDay[], address: CampaignAddress) {
  const [playback] = useState(() => new Playback());
  const clock = useSyncExternalStore(playback.subscribe, playback.snapshot);
  const opened = useRef<string | null>(null);
  const key = `${address.war} ${address.day}`;
  const length = days.length;
  useEffect(() => () => playback.stop(), [playback]);

  useEffect(() => {
    playback.load([{ length, at: () => null }], [length], "steps");
    if (length === 0 || opened.current === key) return;
    opened.current = key;
    const to = address.day === null ? length - 1 : Math.min(length, address.day) - 1;
    playback.update((c) => clocks.seek(clocks.pause(c), Math.max(0, to)));
  }, [playback, key, length, address.day]);

  const at = Math.min(clocks.frameIndex(clock), Math.max(0, length - 1));
  const day = at >= length - 1 ? null : (days[at]?.day ?? null);
  useEffect(() => {
    if (clock.playing || opened.current === null) return;
    const timer = setTimeout(() => {
      opened.current = `${address.war} ${day}`;
      window.history.replaceState(null, "", writeAddress({ war: address.war, day }));
    }, SETTLE_MS);
    return () => clearTimeout(timer);
  }, [clock.playing, day, address.war]);

  return {
    playback,
    clock,
    at,
    seek: (to: number) => playback.update((c) => clocks.seek(clocks.pause(c), to)),
  };
}
