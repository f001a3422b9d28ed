/** Everything the page has in hand: the address, the clock, one replay or two, and what is shown. */

import { useEffect, useMemo, useRef, useState, useSyncExternalStore } from "react";
import * as clocks from "../../player/clock";
import { keyframes, type FrameEvent } from "../../player/keyframes";
import { pressed } from "../../player/keys";
import { Playback } from "../../player/playback";
import type { Outlook } from "../../scenes/scene";
import type { MountedScene } from "../../scenes/SceneView";
import { useKeys } from "../../shell/keyboard";
import { goTo, useRoute } from "../../shell/route";
import { readAddress, writeAddress, type WatchAddress } from "./address";
import { useFrameInAddress } from "./frame_in_address";
import { useReplay, type LoadedReplay } from "./replay";
import { useStable, useTracks } from "./tracks";

export function useWatching() {
  const { params } = useRoute();
  const address = useMemo(() => readAddress(params), [params]);
  const settled = useRef(address);
  settled.current = address;
  const [playback] = useState(() => new Playback());
  const clock = useSyncExternalStore(playback.subscribe, playback.snapshot);
  const first = useReplay(useStable(address.replay), address.transport);
  const second = useReplay(useStable(address.beside), address.transport);
  const buffers = useTracks(playback, first, second, address.mode);
  useFrameInAddress(playback, clock, address, buffers);
  useEffect(() => () => playback.stop(), [playback]);

  const [focus, setFocus] = useState<0 | 1>(0);
  const [mounted, setMounted] = useState<[MountedScene | null, MountedScene | null]>([null, null]);
  const track: 0 | 1 = focus === 1 && second ? 1 : 0;
  const shown = track === 1 ? second : first;
  const timeline = shown?.timeline.value ?? null;
  const moments = useMoments(shown, mounted[track]);
  const sources = useMemo(() => [playback.source(0), playback.source(1)] as const, [playback]);
  return {
    address,
    playback,
    clock,
    replays: [first, second] as const,
    sources,
    /** The replay that the inspector, the timeline and exports are about. */
    shown,
    track,
    mounted: mounted[track],
    timeline,
    /** What happened that is worth a mark. */
    moments,
    frame: shown?.buffer.at(playback.indexOf(track)) ?? null,
    focus: setFocus,
    seek: (to: number) => playback.update((c) => clocks.seek(c, to)),
    ready: (at: 0 | 1, scene: MountedScene | null) =>
      setMounted((held) => (at === 0 ? [scene, held[1]] : [held[0], scene])),
    go: (change: Partial<WatchAddress>) => goTo(writeAddress({ ...settled.current, ...change })),
  };
}

const UNCHANGING: Outlook = { listen: () => () => undefined, current: () => null };

/** As the scene tells them of the frames that are here, or else as the timeline lists them. */
function useMoments(shown: LoadedReplay | null, mounted: MountedScene | null): FrameEvent[] {
  const { moments: told, outlook = UNCHANGING } = mounted?.module ?? {};
  const current = useSyncExternalStore(outlook.listen, outlook.current);
  const { buffer, length = 0, timeline } = shown ?? {};
  const listed = timeline?.value?.events;
  return useMemo(
    () => (told && buffer ? told(buffer.frames) : (listed ?? [])),
    // eslint-disable-next-line react-hooks/exhaustive-deps -- the buffer grows in place, and the scene knows its outlook
    [told, buffer, length, listed, current],
  );
}

export type Watching = ReturnType<typeof useWatching>;

export function useWatchKeys(watching: Watching, onFullscreen: () => void): void {
  const { playback, timeline, moments } = watching;
  const keys = useMemo(
    () => (timeline ? keyframes(moments, timeline.reward, timeline.stride, timeline.frames) : []),
    [timeline, moments],
  );
  useKeys((event) => {
    if (event.key === "f") {
      onFullscreen();
      return true;
    }
    const next = pressed(playback.clock, event.key, event.shiftKey, keys);
    if (next) playback.update(() => next);
    return next !== null;
  });
}
