/** Runs with a replay of a made-up battle each, so that battles can be watched without a server. */

import type { Frame, ReplayEntry, ReplayHeader, World } from "../../src/api/types";
import { Fight } from "./fight";
import { portrait, type Sea } from "./portrait";

export const CONVOY_RUN = "made-up-convoy";
export const DUEL_RUN = "made-up-duel";
export const BATTLE_RUNS = [CONVOY_RUN, DUEL_RUN] as const;
const REPLAY = "replay-000000-00000001";
const HEADS = [5, 5, 17, 2, 2, 2, 2, 4, 4, 6, 4];

interface Replay {
  header: ReplayHeader;
  frames: Frame[];
}

const made = new Map<string, Replay>();

export function battleReplay(run: string): Replay {
  let replay = made.get(run);
  if (!replay) {
    const [fight, sea] = run === DUEL_RUN ? duel() : convoy();
    made.set(run, (replay = { header: header(fight), frames: fought(fight, sea) }));
  }
  return replay;
}

function duel(): [Fight, Sea] {
  const fight = new Fight(7);
  fight.add("blue", "corvette", "Kestrel", 3000, 4200, 0.2);
  fight.add("red", "corvette", "Anvil", 9600, 7600, 3.3);
  return [fight, { width: 12_000, height: 12_000, time_limit: 600, obstacles: [], storm: false }];
}

function convoy(): [Fight, Sea] {
  const fight = new Fight(3);
  ["Barley", "Osprey Bay", "Harvest", "Long Reach"].forEach((name, i) =>
    fight.add("blue", "transport", name, 3600 + (i % 2) * 900, 5200 + Math.floor(i / 2) * 1100, 0),
  );
  fight.add("blue", "frigate", "Resolute", 5600, 4300, 0);
  fight.add("blue", "frigate", "Steadfast", 5600, 7400, 0);
  fight.add("blue", "corvette", "Kestrel", 6600, 5400, 0);
  fight.add("blue", "corvette", "Merlin", 2200, 6000, 0);
  fight.add("red", "attack_sub", "Pike", 13_600, 4200, Math.PI);
  fight.add("red", "attack_sub", "Lamprey", 14_800, 8000, Math.PI);
  ["Adder", "Mamba", "Viper"].forEach((name, i) =>
    fight.add("red", "cutter", name, 17_500, 5000 + i * 900, Math.PI),
  );
  const obstacles = [
    { shape: "circle", x: 10_500, y: 1800, r: 900 },
    {
      shape: "polygon",
      points: [
        [19_000, 9400],
        [22_500, 8700],
        [23_800, 10_200],
        [21_000, 11_400],
        [19_200, 10_800],
      ],
    },
  ];
  return [fight, { width: 30_000, height: 12_000, time_limit: 1800, obstacles, storm: true }];
}

const TICKS = 600;

function fought(fight: Fight, sea: Sea): Frame[] {
  return Array.from({ length: TICKS }, (_, index): Frame => {
    fight.step();
    return {
      schema_version: 1,
      frame_index: index,
      t: index + 1,
      dt: 1,
      action: fight.ships.map(() => HEADS.map(() => 0)),
      reward: fight.ships.map(() => 0),
      terminated: fight.ships.map((ship) => ship.fate !== null),
      truncated: fight.ships.map(() => false),
      // Written out and read again: later steps change what this one told.
      render_state: JSON.parse(JSON.stringify(portrait(fight, sea))) as Frame["render_state"],
      events: [],
    };
  });
}

const numbered = (count: number, name: string) =>
  Array.from({ length: count }, (_, i) => `${name}_${i}`);

function header(fight: Fight): ReplayHeader {
  return {
    kind: "header",
    format: 1,
    world: "tidebreak-v1",
    world_config: {},
    seed: 1,
    policy: null,
    obs_names: [],
    action_names: HEADS.map((count, head) => numbered(count, `head_${head}`)),
    agents: fight.ships.map((ship) => ship.name),
    terms: [],
    events: [],
  };
}

export function battleEntry(run: string): ReplayEntry {
  return {
    replay_id: REPLAY,
    run_id: run,
    window_id: 0,
    return_total: 0,
    tags: [],
    trainer_backend: "made up",
    checkpoint_env_steps_total: 0,
    created_at: new Date(0).toISOString(),
    steps: TICKS,
    profit: null,
    survival: null,
    terminated: false,
    truncated: true,
  };
}

export function battleMetadata(run: string): Record<string, unknown> {
  return {
    run_id: run,
    world: "tidebreak-v1",
    status: "completed",
    created_at: new Date(0).toISOString(),
    updated_at: new Date(0).toISOString(),
  };
}

export function battleWorld(): World {
  const { obs_names, action_names, agents, terms, events } = battleReplay(DUEL_RUN).header;
  return {
    id: "tidebreak-v1",
    title: "Tidebreak",
    summary: "Ships fight over and under the sea, each by what its own side knows.",
    scene: "tidebreak",
    obs_names,
    action_names,
    agents,
    terms,
    events,
    playable: false,
    groups: [],
    labels: [],
    hints: [],
    hotkeys: {},
    heads: [],
    guidance: [],
    settings_schema: {},
    defaults: {},
    bots: [],
  };
}
