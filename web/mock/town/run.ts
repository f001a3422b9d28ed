/** A run with one replay of a made-up town, so that a town can be watched without a server. */

import type { Frame, ReplayEntry, ReplayHeader, World } from "../../src/api/types";
import { MadeUpTown } from "./life";

export const TOWN_RUN = "made-up-town";
const DAYS_TICKS = 2200;
const SEATS = 8;
const OPTIONS = [
  "Wait",
  "GetFed",
  "GetClean",
  "GoToWork",
  "ShopGroceries",
  "Sleep",
  "Socialise",
  "GoHome",
];

let made: { header: ReplayHeader; frames: Frame[] } | null = null;

export function townReplay(): { header: ReplayHeader; frames: Frame[] } {
  made ??= { header: header(), frames: new MadeUpTown(SEATS).frames(DAYS_TICKS) };
  return made;
}

function header(): ReplayHeader {
  return {
    kind: "header",
    format: 1,
    world: "townlet-v1",
    world_config: {},
    seed: 1,
    policy: null,
    obs_names: [],
    action_names: [OPTIONS],
    agents: Array.from({ length: SEATS }, (_, seat) => `seat_${seat}`),
    terms: ["survival", "needs_penalty", "wage", "shaping"],
    events: [],
  };
}

export function townEntry(): ReplayEntry {
  return {
    replay_id: "replay-000000-00000001",
    run_id: TOWN_RUN,
    window_id: 0,
    return_total: 12.5,
    tags: [],
    trainer_backend: "made up",
    checkpoint_env_steps_total: 0,
    created_at: new Date(0).toISOString(),
    steps: DAYS_TICKS,
    profit: null,
    survival: null,
    terminated: false,
    truncated: true,
  };
}

export function townMetadata(): Record<string, unknown> {
  return {
    run_id: TOWN_RUN,
    world: "townlet-v1",
    status: "completed",
    created_at: new Date(0).toISOString(),
    updated_at: new Date(0).toISOString(),
  };
}

export function townWorld(): World {
  const { obs_names, action_names, agents, terms, events } = header();
  return {
    id: "townlet-v1",
    title: "Townlet",
    summary: "Residents with needs, jobs, queues and rivals share a small town.",
    scene: "townlet",
    obs_names,
    action_names,
    agents,
    terms,
    events,
    playable: false,
    groups: [],
    labels: OPTIONS,
    hints: [],
    hotkeys: {},
    heads: [],
    guidance: [],
    settings_schema: {},
    defaults: {},
    bots: [],
  };
}
