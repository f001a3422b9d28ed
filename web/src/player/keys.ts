/** What a key does to the clock. */

import * as clocks from "./clock";
import { nextKeyframe, previousKeyframe } from "./keyframes";

/** The clock after a key, or null where the key means nothing to playback. */
export function pressed(
  clock: clocks.ClockState,
  key: string,
  shift: boolean,
  keyframes: readonly number[],
): clocks.ClockState | null {
  const at = clocks.frameIndex(clock);
  switch (key) {
    case " ":
    case "k":
      return clocks.toggle(clock);
    case "ArrowRight":
      if (shift) return clocks.seek(clock, nextKeyframe(keyframes, at) ?? clock.total - 1);
      return clocks.step(clock, 1);
    case "ArrowLeft":
      if (shift) return clocks.seek(clock, previousKeyframe(keyframes, at) ?? 0);
      return clocks.step(clock, -1);
    case "Home":
      return clocks.seek(clock, 0);
    case "End":
      return clocks.seek(clocks.pause(clock), clock.total - 1);
    case "[":
      return clocks.faster(clock, -1);
    case "]":
      return clocks.faster(clock, 1);
    case "l":
      return clocks.toggleLoop(clock);
    default:
      return null;
  }
}
