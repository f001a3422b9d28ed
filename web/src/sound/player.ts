/** Plays cues by key. Silent until a person turns it on; playback that is refused is no error. */

import type { Assets, Cue } from "../assets/assets";
import { playTone } from "./tones";

export type SoundGroup = "ui" | "sfx";

/** The same cue again within this time adds noise, not meaning. */
const REPEAT_GAP_MS = 90;
const VOICES_MAX = 10;

export interface SoundPlayer {
  readonly on: boolean;
  /** Call it from a click or key press: browsers let sound begin only there. */
  turn(on: boolean): void;
  /** 0 to 1, on top of the manifest's own volumes. */
  setVolume(group: SoundGroup, volume: number): void;
  volume(group: SoundGroup): number;
  play(key: string): void;
  destroy(): void;
}

/** What the player needs of the browser; tests give their own. */
export interface SoundSurroundings {
  context(): AudioContext | null;
  load(address: string): Promise<ArrayBuffer>;
  now(): number;
  random(): number;
}

const BROWSER: SoundSurroundings = {
  context: () => (typeof AudioContext === "undefined" ? null : new AudioContext()),
  load: async (address) => {
    const reply = await fetch(address);
    if (!reply.ok) throw new Error(`${address}: ${reply.status}`);
    return reply.arrayBuffer();
  },
  now: () => performance.now(),
  random: () => Math.random(),
};

export function createSoundPlayer(
  assets: Assets,
  surroundings: SoundSurroundings = BROWSER,
): SoundPlayer {
  return new CuePlayer(assets, surroundings);
}

class CuePlayer implements SoundPlayer {
  on = false;
  private context: AudioContext | null = null;
  private readonly volumes: Record<SoundGroup, number> = { ui: 1, sfx: 1 };
  private readonly buffers = new Map<string, Promise<AudioBuffer | null>>();
  private readonly playedAt = new Map<string, number>();
  private voices = 0;

  constructor(
    private readonly assets: Assets,
    private readonly surroundings: SoundSurroundings,
  ) {}

  turn(on: boolean): void {
    this.on = on;
    if (!on) return;
    try {
      this.context ??= this.surroundings.context();
      this.context?.resume().catch(() => undefined);
    } catch {
      this.context = null;
    }
  }

  setVolume(group: SoundGroup, volume: number): void {
    this.volumes[group] = Math.min(1, Math.max(0, volume));
  }

  volume(group: SoundGroup): number {
    return this.volumes[group];
  }

  play(key: string): void {
    const { context } = this;
    const cue = this.on && context ? this.assets.cue(key) : null;
    if (!cue || !context || this.voices >= VOICES_MAX) return;
    const now = this.surroundings.now();
    if (now - (this.playedAt.get(key) ?? -Infinity) < REPEAT_GAP_MS) return;
    this.playedAt.set(key, now);
    const loudness = cue.volume * this.volumes[key.startsWith("ui.") ? "ui" : "sfx"];
    if (loudness > 0) void this.sound(context, cue, loudness);
  }

  destroy(): void {
    this.on = false;
    this.context?.close().catch(() => undefined);
    this.context = null;
    this.buffers.clear();
  }

  private async sound(context: AudioContext, cue: Cue, loudness: number): Promise<void> {
    this.voices += 1;
    try {
      const buffer = await this.bufferOf(context, cue);
      // The person may have turned sound off while the file was on its way.
      if (!this.on) return;
      const gain = context.createGain();
      gain.gain.value = loudness;
      gain.connect(context.destination);
      if (buffer) await played(context, buffer, gain);
      else if (cue.synth) await playTone(context, cue.synth, gain);
    } catch {
      // A closed or blocked context: silence is the right answer.
    } finally {
      this.voices -= 1;
    }
  }

  private async bufferOf(context: AudioContext, cue: Cue): Promise<AudioBuffer | null> {
    const address = cue.files[Math.floor(this.surroundings.random() * cue.files.length)];
    if (address === undefined) return null;
    let buffer = this.buffers.get(address);
    if (!buffer) {
      buffer = this.surroundings
        .load(address)
        .then((bytes) => context.decodeAudioData(bytes))
        .catch(() => null);
      this.buffers.set(address, buffer);
    }
    return buffer;
  }
}

function played(context: AudioContext, buffer: AudioBuffer, into: AudioNode): Promise<void> {
  return new Promise((done) => {
    const source = context.createBufferSource();
    source.buffer = buffer;
    source.connect(into);
    source.onended = () => {
      into.disconnect();
      done();
    };
    source.start();
  });
}
