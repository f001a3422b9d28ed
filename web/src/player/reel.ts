/** Frames that come one at a time from a game being played, each shown as a short movement. */

import type { Frame, Session } from "../api/types";
import type { FrameSource, Shown } from "./playback";

const STEP_MS = 380;
/** Frames that are remembered for scenes that show ways, not only places. */
const PAST_MAX = 120;

export class Reel implements FrameSource {
  #frame: Frame | null = null;
  #previous: Frame | null = null;
  /** Before the shown one, in order. */
  #past: Frame[] = [];
  #began = -Infinity;
  #listeners = new Set<() => void>();
  #request = 0;

  /** `still` shows the frame at once: after an undo or a reset nothing moved. */
  push(frame: Frame | null, still: boolean): void {
    const index = frame?.frame_index ?? 0;
    const known = this.#frame ? [...this.#past, this.#frame] : this.#past;
    this.#past = known.filter((one) => one.frame_index < index).slice(-PAST_MAX);
    this.#previous = still ? null : this.#frame;
    this.#frame = frame;
    this.#began = still ? -Infinity : performance.now();
    if (this.#request === 0) this.#turn();
  }

  now(): Shown {
    const progress = Math.min(1, (performance.now() - this.#began) / STEP_MS);
    return {
      frame: this.#frame,
      moment: {
        previous: this.#previous,
        progress,
        playing: progress < 1,
        speed: 1,
        earlier: (steps) => this.#past.at(-steps) ?? null,
      },
    };
  }

  onTick(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #turn = (): void => {
    this.#request = 0;
    for (const listener of this.#listeners) listener();
    if (this.now().moment.progress < 1) this.#request = requestAnimationFrame(this.#turn);
  };
}

/** No step was taken yet: a frame of what is seen, with an action that is none. */
export const NO_ACTION = -1;

export function frameOfSession(session: Session): Frame {
  return (
    session.frame ?? {
      schema_version: 1,
      frame_index: 0,
      t: session.ticks,
      dt: 1,
      action: NO_ACTION,
      reward: 0,
      terminated: session.terminated,
      truncated: session.truncated,
      // Figures describe what a step did: before the first one they are noughts that mean nothing.
      render_state: session.beginning ?? { observation: session.obs },
      events: [],
    }
  );
}
