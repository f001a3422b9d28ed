import { useCallback, useMemo, useRef, useState } from "react";
import type { ReplayAddress } from "../../api/frames";
import { marks } from "../../player/keyframes";
import { PlayerBar } from "../../shell/PlayerBar";
import { usePlaybackCues, useSound } from "../../shell/sound";
import { Failed } from "../../shell/states";
import { AboutPanel } from "./AboutPanel";
import { useDefaultReplay } from "./choosing";
import { Inspector } from "./Inspector";
import { Picker } from "./Picker";
import { ReplayCard } from "./ReplayCard";
import { Stages } from "./Stages";
import { useWords } from "./StageView";
import { useWatching, useWatchKeys, type Watching } from "./watching";
import { WatchTools } from "./WatchTools";
import "../../styles/watch.css";

const MARKS_MAX = 160;

type Picking = "first" | "second" | null;

export default function WatchPage() {
  const watching = useWatching();
  const { address } = watching;
  const unchosen = useDefaultReplay(address);
  const [picking, setPicking] = useState<Picking>(null);
  const choose = (picked: ReplayAddress) => {
    setPicking(null);
    watching.playback.stop();
    if (picking === "second") watching.go({ beside: picked, frame: null });
    else watching.go({ replay: picked, run: picked.run, frame: null });
  };
  const open = picking !== null || (!address.replay && address.run !== null);
  const picked = picking === "second" ? address.beside : address.replay;
  return (
    <>
      <Head
        watching={watching}
        picking={picking}
        onPick={(which) => setPicking(picking === which ? null : which)}
      />
      {open && (
        <div className="panel picker-panel">
          {picking === "second" && <p className="picker-note">Choose what to play beside it.</p>}
          <Picker
            key={picking}
            chosen={picked}
            start={picked?.run ?? address.run}
            onReplay={choose}
          />
        </div>
      )}
      {unchosen.error !== null && <Failed error={unchosen.error} retry={unchosen.reload} />}
      <Theatre watching={watching} />
    </>
  );
}

interface HeadProps {
  watching: Watching;
  picking: Picking;
  onPick: (which: "first" | "second") => void;
}

function Head({ watching, picking, onPick }: HeadProps) {
  const sound = useSound();
  usePlaybackCues(sound, watching.mounted?.module ?? null, watching.sources[watching.track]);
  return (
    <div className="watch-head">
      <h1 className="visually-hidden">Watch</h1>
      <ReplayCard
        replay={watching.replays[0]}
        open={picking === "first"}
        onPick={() => onPick("first")}
      />
      <WatchTools
        address={watching.address}
        clock={watching.clock}
        playback={watching.playback}
        scene={watching.mounted?.scene ?? null}
        onBeside={() => onPick("second")}
        onAlone={() => watching.go({ beside: null })}
        onChange={watching.go}
        sound={watching.mounted?.module.cues ? sound : null}
      />
    </div>
  );
}

function Theatre({ watching }: { watching: Watching }) {
  const { playback, clock, replays, sources, shown, track, timeline, moments } = watching;
  const theatre = useRef<HTMLDivElement>(null);
  const fullscreen = useCallback(() => toggleFullscreen(theatre.current), []);
  const words = useWords(shown);
  const scrubberMarks = useMemo(
    () => (timeline ? marks(moments, timeline.frames, MARKS_MAX) : []),
    [timeline, moments],
  );
  useWatchKeys(watching, fullscreen);
  return (
    <div className="watch">
      <div className="theatre" ref={theatre}>
        <Stages
          replays={replays}
          sources={sources}
          focus={track}
          onFocus={watching.focus}
          onReady={watching.ready}
        />
        <PlayerBar
          playback={playback}
          clock={clock}
          marks={scrubberMarks}
          noun="frame"
          onFullscreen={fullscreen}
        />
      </div>
      {shown && (
        <Inspector
          frame={watching.frame}
          words={words}
          timeline={timeline}
          buffer={shown.buffer}
          mounted={watching.mounted}
          source={sources[track]}
          onSeek={watching.seek}
          about={<AboutPanel replay={shown} />}
        />
      )}
    </div>
  );
}

function toggleFullscreen(element: HTMLElement | null): void {
  if (document.fullscreenElement) void document.exitFullscreen();
  else void element?.requestFullscreen?.().catch(() => undefined);
}
