/** Buttons and scrubber over a clock. */

import { useState } from "react";
import * as clocks from "../player/clock";
import type { Mark } from "../player/keyframes";
import type { Playback } from "../player/playback";
import { Icon, type IconName } from "./icons";

interface Props {
  playback: Playback;
  clock: clocks.ClockState;
  marks: readonly Mark[];
  /** What is played one by one. */
  noun: "frame" | "epoch" | "day";
  onFullscreen?: () => void;
}

export function PlayerBar({ playback, clock, marks, noun, onFullscreen }: Props) {
  const frame = clocks.frameIndex(clock);
  return (
    <div className="player" role="group" aria-label="Player">
      <Scrubber playback={playback} clock={clock} marks={marks} noun={noun} />
      <div className="player-row">
        <Tool
          icon="first"
          label={`First ${noun}`}
          keys="Home"
          onClick={() => playback.update((c) => clocks.seek(c, 0))}
        />
        <Tool
          icon="back"
          label={`One ${noun} back`}
          keys="←"
          onClick={() => playback.update((c) => clocks.step(c, -1))}
        />
        <button
          type="button"
          className="primary play-button"
          onClick={() => playback.update(clocks.toggle)}
          disabled={clock.available === 0}
          aria-label={clock.playing ? "Pause" : "Play"}
          title={clock.playing ? "Pause (Space)" : "Play (Space)"}
        >
          <Icon name={clock.playing ? "pause" : "start"} />
        </button>
        <Tool
          icon="next"
          label={`One ${noun} on`}
          keys="→"
          onClick={() => playback.update((c) => clocks.step(c, 1))}
        />
        <Tool
          icon="last"
          label={`Last ${noun}`}
          keys="End"
          onClick={() => playback.update((c) => clocks.seek(clocks.pause(c), c.total - 1))}
        />
        <span className="player-count" aria-live="off">
          <FrameField playback={playback} frame={frame} total={clock.total} noun={noun} />
          <span className="muted"> / {clock.total}</span>
          {clocks.waiting(clock) && <span className="badge badge-warn">loading</span>}
        </span>
        <label className="player-speed">
          <span className="visually-hidden">Speed</span>
          <select
            value={clock.speed}
            title="Speed ([ and ])"
            onChange={(event) => {
              const speed = Number(event.target.value);
              playback.update((c) => clocks.withSpeed(c, speed));
            }}
          >
            {clocks.SPEEDS.map((speed) => (
              <option key={speed} value={speed}>
                {speed}×
              </option>
            ))}
          </select>
        </label>
        <Tool
          icon="loop"
          label="Loop"
          keys="l"
          pressed={clock.loop}
          onClick={() => playback.update(clocks.toggleLoop)}
        />
        {onFullscreen && <Tool icon="full" label="Whole screen" keys="f" onClick={onFullscreen} />}
      </div>
    </div>
  );
}

interface FieldProps {
  playback: Playback;
  frame: number;
  total: number;
  noun: string;
}

/** The frame's number, from 1; another one entered goes there. */
function FrameField({ playback, frame, total, noun }: FieldProps) {
  const [typed, setTyped] = useState<string | null>(null);
  const go = () => {
    const wanted = Number.parseInt(typed ?? "", 10);
    setTyped(null);
    if (Number.isInteger(wanted)) playback.update((c) => clocks.seek(clocks.pause(c), wanted - 1));
  };
  return (
    <input
      className="frame-field"
      aria-label={`Go to ${noun}`}
      inputMode="numeric"
      disabled={total === 0}
      value={typed ?? (total === 0 ? "–" : frame + 1)}
      onChange={(event) => setTyped(event.target.value)}
      onBlur={go}
      onKeyDown={(event) => {
        if (event.key === "Enter") event.currentTarget.blur();
      }}
    />
  );
}

interface ToolProps {
  icon: IconName;
  label: string;
  keys: string;
  pressed?: boolean;
  onClick: () => void;
}

function Tool({ icon, label, keys, pressed, onClick }: ToolProps) {
  return (
    <button
      type="button"
      className="quiet"
      aria-label={label}
      aria-pressed={pressed}
      title={`${label} (${keys})`}
      onClick={onClick}
    >
      <Icon name={icon} />
    </button>
  );
}

function Scrubber({ playback, clock, marks, noun }: Omit<Props, "onFullscreen">) {
  const named = noun === "frame" ? "Frame" : "Epoch";
  const frame = clocks.frameIndex(clock);
  const last = Math.max(0, clock.total - 1);
  const loaded = clock.total === 0 ? 0 : clock.available / clock.total;
  const played = last === 0 ? 0 : frame / last;
  return (
    <div className="scrubber">
      <div className="scrubber-track" aria-hidden="true">
        <div className="scrubber-loaded" style={{ width: `${loaded * 100}%` }} />
        <div className="scrubber-played" style={{ width: `${played * 100}%` }} />
        {marks.map((mark) => (
          <span
            key={mark.frame}
            className={`scrubber-mark mark-${mark.tone}`}
            style={{ left: `${mark.place * 100}%` }}
            title={mark.names.join(", ")}
          />
        ))}
      </div>
      <input
        type="range"
        aria-label={named}
        aria-valuetext={`${named} ${frame + 1} of ${clock.total}`}
        min={0}
        max={last}
        value={Math.min(frame, last)}
        onChange={(event) => {
          const to = Number(event.target.value);
          playback.update((c) => clocks.seek(c, to));
        }}
      />
    </div>
  );
}
