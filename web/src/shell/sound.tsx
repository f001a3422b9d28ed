/** Sound for a page: off until somebody turns it on, then remembered for the tab. */

import { useEffect, useState } from "react";
import type { Frame } from "../api/types";
import { loadAssets, type Assets } from "../assets/assets";
import type { FrameSource } from "../player/playback";
import type { SceneModule } from "../scenes/scene";
import { createSoundPlayer, type SoundPlayer } from "../sound/player";
import { Icon } from "./icons";

export interface Sound {
  on: boolean;
  turn: (on: boolean) => void;
  play: (key: string) => void;
  /** What a frame sounds like in its scene, at a speed. */
  playFrame: (scene: SceneModule | null, frame: Frame, speed: number) => void;
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
    playFrame: (scene, frame, speed) => {
      if (!held) return;
      for (const cue of scene?.cues?.(held.assets, frame, speed) ?? []) held.player.play(cue);
    },
  };
}

/** The cues of a step that was just taken by hand. */
export function useStepCues(sound: Sound, scene: SceneModule | null, frame: Frame | null): void {
  useEffect(() => {
    if (frame) sound.playFrame(scene, frame, 1);
    // eslint-disable-next-line react-hooks/exhaustive-deps -- once for each frame
  }, [frame]);
}

/** The cues of a replay while it plays; still pictures are silent. */
export function usePlaybackCues(
  sound: Sound,
  scene: SceneModule | null,
  source: FrameSource,
): void {
  const { on } = sound;
  useEffect(() => {
    if (!on) return;
    let last: Frame | null = null;
    return source.onTick(() => {
      const { frame, moment } = source.now();
      if (!frame || !moment.playing || frame === last) return;
      last = frame;
      sound.playFrame(scene, frame, moment.speed);
    });
    // eslint-disable-next-line react-hooks/exhaustive-deps -- the sound's functions only forward
  }, [on, scene, source]);
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
