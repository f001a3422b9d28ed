/** What a frame shows and sounds: its action's effect and those of its events, once each. */

import type { Frame } from "../api/types";
import type { Assets, Effect } from "./assets";

export interface FrameEffects {
  /** Null where the action was refused: then the refusal is what happened. */
  action: Effect | null;
  events: { name: string; vfx: string; cue: string }[];
}

/** An end that names its reason needs no second explosion for being an end. */
const REASONS = ["cash_out", "destroyed", "stranded"];
const RUN_END = "vfx.ui.run_end";

export function effectsOfFrame(assets: Assets, frame: Frame): FrameEffects {
  const effect = assets.effect(firstAction(frame));
  const named = effect.vfx === RUN_END || REASONS.some((name) => frame.events.includes(name));
  const told = frame.events.filter((name) => !(name === "terminated" && named));
  const events = told.flatMap((name) => {
    const found = assets.event(name);
    return found ? [{ name, ...found }] : [];
  });
  const refused = frame.events.includes("invalid_action");
  const action = refused ? null : effect;
  return { action, events: events.filter((event) => event.vfx !== action?.vfx) };
}

function firstAction(frame: Frame): number {
  let action: unknown = frame.action;
  while (Array.isArray(action)) action = action[0];
  return typeof action === "number" ? action : -1;
}
