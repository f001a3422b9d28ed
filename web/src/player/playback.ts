/** A clock that runs: drawn at every screen refresh, told to React only as often as eyes can read. */

import type { Frame } from "../api/types";
import type { Moment } from "../scenes/scene";
import * as clocks from "./clock";
import { indices, leader, type LockstepMode, type Track } from "./lockstep";

export interface Shown {
  frame: Frame | null;
  moment: Moment;
}

/** What a scene is fed from. */
export interface FrameSource {
  now: () => Shown;
  /** Called whenever there is something new to draw. */
  onTick(listener: () => void): () => void;
}

const READ_EVERY_MS = 70;

export class Playback {
  #clock = clocks.newClock();
  #tracks: Track[] = [];
  #mode: LockstepMode = "steps";
  #tickers = new Set<() => void>();
  #readers = new Set<() => void>();
  #lastRead = 0;
  #lastTime: number | null = null;
  #request = 0;

  get clock(): clocks.ClockState {
    return this.#clock;
  }

  /** The replays to play; `totals` are the lengths they will have once loaded. */
  load(tracks: Track[], totals: number[], mode: LockstepMode): void {
    this.#tracks = tracks;
    this.#mode = mode;
    this.measure(totals);
  }

  /** Frames arrived. */
  measure(totals: number[]): void {
    const lead = this.#mode === "steps" ? -1 : leader(this.#tracks, this.#mode);
    const lengths = this.#tracks.map((track) => track.length);
    const available = lead < 0 ? Math.max(0, ...lengths) : (lengths[lead] ?? 0);
    const total = lead < 0 ? Math.max(0, ...totals) : (totals[lead] ?? 0);
    this.update((clock) => clocks.grow(clock, available, Math.max(available, total)));
  }

  update(change: (clock: clocks.ClockState) => clocks.ClockState): void {
    const before = this.#clock;
    this.#clock = change(before);
    if (this.#clock === before) return;
    this.#tick();
    this.#read();
    if (this.#clock.playing) this.#run();
  }

  /** The frame number of one of the replays. */
  indexOf(track: number): number {
    return indices(this.#tracks, this.#mode, clocks.frameIndex(this.#clock))[track] ?? 0;
  }

  source(track: number): FrameSource {
    return {
      now: () => {
        const index = this.indexOf(track);
        const held = this.#tracks[track];
        const { playing, speed } = this.#clock;
        return {
          frame: held?.at(index) ?? null,
          moment: {
            previous: held?.at(index - 1) ?? null,
            progress: clocks.progress(this.#clock),
            playing,
            speed,
            earlier: (steps) => held?.at(index - steps) ?? null,
          },
        };
      },
      onTick: (listener) => {
        this.#tickers.add(listener);
        return () => this.#tickers.delete(listener);
      },
    };
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#readers.add(listener);
    return () => this.#readers.delete(listener);
  };

  /** Stable between reads, as React asks of a snapshot. */
  snapshot = (): clocks.ClockState => this.#shown;
  #shown = this.#clock;

  stop(): void {
    cancelAnimationFrame(this.#request);
    this.#request = 0;
    this.update(clocks.pause);
  }

  #run(): void {
    if (this.#request !== 0) return;
    this.#lastTime = null;
    this.#request = requestAnimationFrame(this.#turn);
  }

  #turn = (time: number): void => {
    const elapsed = this.#lastTime === null ? 0 : Math.min(time - this.#lastTime, 250);
    this.#lastTime = time;
    this.#clock = clocks.advance(this.#clock, elapsed);
    this.#tick();
    const playing = this.#clock.playing;
    if (!playing || time - this.#lastRead >= READ_EVERY_MS) {
      this.#lastRead = time;
      this.#read();
    }
    this.#request = playing ? requestAnimationFrame(this.#turn) : 0;
  };

  #tick(): void {
    for (const ticker of this.#tickers) ticker();
  }

  #read(): void {
    this.#shown = this.#clock;
    for (const reader of this.#readers) reader();
  }
}
