import { useCallback, useEffect, useMemo, useRef, useState, useSyncExternalStore } from "react";
import type { ReplayAddress } from "../../api/frames";
import * as clocks from "../../player/clock";
import { keyframes } from "../../player/keyframes";
import { pressed } from "../../player/keys";
import type { LockstepMode } from "../../player/lockstep";
import { Playback, type FrameSource } from "../../player/playback";
import type { MountedScene } from "../../scenes/SceneView";
import { shortRun } from "../../shell/figures";
import { useKeys } from "../../shell/keyboard";
import { goTo, useRoute } from "../../shell/route";
import { usePlaybackCues, useSound } from "../../shell/sound";
import { Failed } from "../../shell/states";
import { readAddress, writeAddress, type WatchAddress } from "./address";
import { AboutPanel } from "./AboutPanel";
import { useDefaultReplay } from "./choosing";
import { Inspector } from "./Inspector";
import { Picker } from "./Picker";
import { PlayerBar } from "./PlayerBar";
import { expectedFrames, useReplay, type LoadedReplay } from "./replay";
import { ReplayCard } from "./ReplayCard";
import { StageView, useWords } from "./StageView";
import { useFrameInAddress } from "./frame_in_address";
import { WatchTools } from "./WatchTools";
import "../../styles/watch.css";

export default function WatchPage() {
  const route = useRoute();
  const address = useMemo(() => readAddress(route.params), [route.params]);
  const settled = useRef(address);
  settled.current = address;
  const unchosen = useDefaultReplay(address);
  const [playback] = useState(() => new Playback());
  const clock = useSyncExternalStore(playback.subscribe, playback.snapshot);
  const first = useReplay(useStable(address.replay), address.transport);
  const second = useReplay(useStable(address.beside), address.transport);
  const [focus, setFocus] = useState(0);
  const [picking, setPicking] = useState<"first" | "second" | null>(null);
  const [mounted, setMounted] = useState<[MountedScene | null, MountedScene | null]>([null, null]);
  const theatre = useRef<HTMLDivElement>(null);
  const shown = (focus === 1 && second) || first;

  const buffers = useTracks(playback, first, second, address.mode);
  useEffect(() => () => playback.stop(), [playback]);
  useFrameInAddress(playback, clock, address, buffers);

  const timeline = shown?.timeline.value ?? null;
  const keys = useMemo(
    () =>
      timeline ? keyframes(timeline.events, timeline.reward, timeline.stride, timeline.frames) : [],
    [timeline],
  );
  const fullscreen = useCallback(() => toggleFullscreen(theatre.current), []);
  useKeys((event) => {
    if (event.key === "f") {
      fullscreen();
      return true;
    }
    const next = pressed(playback.clock, event.key, event.shiftKey, keys);
    if (next) playback.update(() => next);
    return next !== null;
  });

  const go = (change: Partial<WatchAddress>) =>
    goTo(writeAddress({ ...settled.current, ...change }));
  const choose = (picked: ReplayAddress) => {
    setPicking(null);
    playback.stop();
    if (picking === "second") go({ beside: picked, frame: null });
    else go({ replay: picked, run: picked.run, frame: null });
  };
  const sources = useMemo(() => [playback.source(0), playback.source(1)] as const, [playback]);
  const words = useWords(shown);
  const sound = useSound();
  usePlaybackCues(sound, sources[shown === second && second ? 1 : 0]);
  const frame = shown?.buffer.at(playback.indexOf(shown === second ? 1 : 0)) ?? null;
  const seek = (to: number) => playback.update((c) => clocks.seek(c, to));
  const ready = (track: 0 | 1) => (scene: MountedScene | null) =>
    setMounted((held) => (track === 0 ? [scene, held[1]] : [held[0], scene]));

  return (
    <>
      <div className="watch-head">
        <h1 className="visually-hidden">Watch</h1>
        <ReplayCard
          replay={first}
          open={picking === "first"}
          onPick={() => setPicking(picking === "first" ? null : "first")}
        />
        <WatchTools
          address={address}
          clock={clock}
          playback={playback}
          scene={mounted[shown === second ? 1 : 0]?.scene ?? null}
          onBeside={() => setPicking(picking === "second" ? null : "second")}
          onAlone={() => go({ beside: null })}
          onChange={go}
          sound={sound}
        />
      </div>
      {(picking !== null || (!address.replay && address.run !== null)) && (
        <div className="panel picker-panel">
          {picking === "second" && <p className="picker-note">Choose what to play beside it.</p>}
          <PickerWithRun
            key={picking}
            chosen={picking === "second" ? address.beside : address.replay}
            start={(picking === "second" ? address.beside?.run : null) ?? address.run}
            onReplay={choose}
          />
        </div>
      )}
      {unchosen.error !== null && <Failed error={unchosen.error} retry={unchosen.reload} />}
      <div className="watch">
        <div className="theatre" ref={theatre}>
          <Stages
            replays={[first, second]}
            sources={sources}
            focus={focus}
            onFocus={setFocus}
            onReady={ready}
          />
          <PlayerBar
            playback={playback}
            clock={clock}
            timeline={timeline}
            onFullscreen={fullscreen}
          />
        </div>
        {shown && (
          <Inspector
            frame={frame}
            words={words}
            timeline={timeline}
            buffer={shown.buffer}
            mounted={mounted[shown === second ? 1 : 0]}
            source={sources[shown === second ? 1 : 0]}
            onSeek={seek}
            about={<AboutPanel replay={shown} />}
          />
        )}
      </div>
    </>
  );
}

interface StagesProps {
  replays: readonly [LoadedReplay | null, LoadedReplay | null];
  sources: readonly [FrameSource, FrameSource];
  focus: number;
  onFocus: (track: 0 | 1) => void;
  onReady: (track: 0 | 1) => (mounted: MountedScene | null) => void;
}

function Stages({ replays, sources, focus, onFocus, onReady }: StagesProps) {
  const [first, second] = replays;
  const stage = (track: 0 | 1, replay: LoadedReplay | null) => (
    <StageView
      replay={replay}
      source={sources[track]}
      onReady={onReady(track)}
      caption={second ? caption(replay?.address ?? null) : null}
      focused={second !== null && focus === track}
      onFocus={() => onFocus(track)}
    />
  );
  return (
    <div className={second ? "stages two" : "stages"}>
      {stage(0, first)}
      {second && stage(1, second)}
    </div>
  );
}

function caption(address: ReplayAddress | null): string {
  return address ? `${shortRun(address.run)} · ${address.replay}` : "";
}

/** Puts the replays on the clock, and tells it when they grow. The text names them. */
function useTracks(
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
function useStable(address: ReplayAddress | null): ReplayAddress | null {
  const key = address ? `${address.run}/${address.replay}` : "";
  // eslint-disable-next-line react-hooks/exhaustive-deps
  return useMemo(() => address, [key]);
}

interface PickerProps {
  chosen: ReplayAddress | null;
  start: string | null;
  onReplay: (address: ReplayAddress) => void;
}

function PickerWithRun({ chosen, start, onReplay }: PickerProps) {
  const [run, setRun] = useState(start);
  return <Picker chosen={chosen} run={run} onRun={setRun} onReplay={onReplay} />;
}

function toggleFullscreen(element: HTMLElement | null): void {
  if (document.fullscreenElement) void document.exitFullscreen();
  else void element?.requestFullscreen?.().catch(() => undefined);
}
