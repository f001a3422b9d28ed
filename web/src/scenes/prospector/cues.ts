/** Which cues a frame calls for, and in which order. */

import type { Frame } from "../../api/types";
import type { Assets } from "../../assets/assets";
import { effectsOfFrame } from "../../assets/frame_effects";

/** Above this speed single actions blur into noise; what happens to the ship still sounds. */
const ACTION_SPEED_MAX = 4;

export function cues(assets: Assets, frame: Frame, speed = 1): string[] {
  const { action, events } = effectsOfFrame(assets, frame);
  const called = events.map((event) => event.cue);
  if (action && speed <= ACTION_SPEED_MAX) called.unshift(action.cue);
  return [...new Set(called)].filter((cue) => !cue.endsWith(".none"));
}
