/** Sound for a page: off until somebody turns it on, then remembered for the tab. */

import { useEffect, useState } from "react";
import type { Frame } from "../api/types";
import { loadAssets, type Assets } from "../assets/assets";
import type { FrameSource } from "../player/playback";
import { cuesOfFrame } from "../sound/frame_cues";
import { createSoundPlayer, type SoundPlayer } from "../sound/player";
import { Icon } from "./icons";

export interface Sound {
  on: boolean;
  turn: (on: boolean) => void;
  play: (key: string) => void;
  /** What a frame sounds like at a speed. */
  playFrame: (frame: Frame, speed: number) => void;
}

interface Instruments {
  assets: Assets;
  player: SoundPlayer;
}

export function useSound(): Sound {
  const [on, setOn] = useState(false);
  const [held, setHeld] = useState<Instruments | null>(null);
  useEffect(() => {
    let left = false;
    let made: SoundPlayer | null = null;
    void loadAssets().then((assets) => {
      if (left) return;
      made = createSoundPlayer(assets);
      setHeld({ assets, player: made });
    });
    return () => {
      left = true;
      made?.destroy();
    };
  }, []);
  return {
    on,
    turn: (next) => {
      held?.player.turn(next);
      setOn(next);
    },
    play: (key) => held?.player.play(key),
    playFrame: (frame, speed) => {
      if (!held) return;
      for (const cue of cuesOfFrame(held.assets, frame, speed)) held.player.play(cue);
    },
  };
}

/** The cues of a step that was just taken by hand. */
export function useStepCues(sound: Sound, frame: Frame | null): void {
  useEffect(() => {
    if (frame) sound.playFrame(frame, 1);
    // eslint-disable-next-line react-hooks/exhaustive-deps -- once for each frame
  }, [frame]);
}

/** The cues of a replay while it plays; still pictures are silent. */
export function usePlaybackCues(sound: Sound, source: FrameSource): void {
  const { on } = sound;
  useEffect(() => {
    if (!on) return;
    let last: Frame | null = null;
    return source.onTick(() => {
      const { frame, moment } = source.now();
      if (!frame || !moment.playing || frame === last) return;
      last = frame;
      sound.playFrame(frame, moment.speed);
    });
    // eslint-disable-next-line react-hooks/exhaustive-deps -- the sound's functions only forward
  }, [on, source]);
}

export function SoundButton({ sound }: { sound: Sound }) {
  return (
    <button
      type="button"
      aria-pressed={sound.on}
      aria-label="Sound"
      title={sound.on ? "Sound is on" : "Sound is off"}
      onClick={() => sound.turn(!sound.on)}
    >
      <Icon name={sound.on ? "sound" : "mute"} />
    </button>
  );
}
