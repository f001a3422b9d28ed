/** A game that deals the frames of a recorded episode, whatever is played. */

import type { Frame, ReplayHeader, Session, World } from "../src/api/types";

export class MockGame {
  #at = -1;

  constructor(private readonly replay: { header: ReplayHeader; frames: Frame[] }) {}

  answer(method: string, verb: string): unknown {
    if (verb === "step") this.#at = Math.min(this.#at + 1, this.#last());
    if (verb === "undo") this.#at = Math.max(-1, this.#at - 1);
    if (verb === "reset") this.#at = -1;
    if (verb === "save") return { run_id: "saved", replay_id: "replay-000000-00000000" };
    if (verb === "outcome") return this.#outcome();
    if (method === "DELETE") return { deleted: true };
    return this.#session();
  }

  #last(): number {
    return Math.min(30, this.replay.frames.length - 1);
  }

  #session(): Session {
    const frame = this.replay.frames[this.#at] ?? null;
    const shown = frame ?? this.replay.frames[0];
    const played = this.replay.frames.slice(0, this.#at + 1);
    const over = this.#at >= this.#last();
    const count = this.replay.header.action_names[0]?.length ?? 0;
    return {
      session_id: "mock",
      world: this.replay.header.world,
      seed: this.replay.header.seed,
      settings: {},
      steps: this.#at + 1,
      ticks: frame?.t ?? 0,
      obs: shown?.render_state.observation ?? [],
      reward: (frame?.reward as number) ?? 0,
      return_total: played.reduce((sum, one) => sum + (one.reward as number), 0),
      terminated: false,
      truncated: over,
      over,
      info: (shown?.info ?? {}) as Session["info"],
      legal: [Array.from({ length: count }, (_, i) => (i * 7 + this.#at) % 3 !== 0 || i === 6)],
      beginning: null,
      frame,
      can_undo: this.#at >= 0,
      created_at: new Date(0).toISOString(),
      updated_at: new Date(0).toISOString(),
    };
  }

  #outcome(): unknown {
    const you = {
      return_total: 12.4,
      steps: 31,
      ticks: 40,
      stats: { net_profit: 12020, survival: 1 },
    };
    const player = (name: string, kind: string, return_total: number) => ({
      name,
      kind,
      outcome: { ...you, return_total, stats: { net_profit: return_total * 1000, survival: 1 } },
    });
    return {
      you,
      players: [
        player("planner", "oracle", 66.8),
        player("best policy", "policy", 42.4),
        player("hauler", "bot", 31.2),
        player("cautious_scanner", "bot", 1.7),
        player("market_timer", "bot", -1.3),
      ],
    };
  }
}

const range = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => from + i);

export function mockWorld(header: ReplayHeader): World {
  const names = header.action_names[0] ?? [];
  return {
    id: header.world,
    title: "Prospector v2",
    summary: "One ship mines and trades in an asteroid belt; the repaired game.",
    scene: "prospector",
    obs_names: header.obs_names,
    action_names: header.action_names,
    agents: header.agents,
    terms: header.terms,
    events: header.events,
    playable: true,
    groups: [
      { title: "Navigation", actions: range(0, 8) },
      { title: "Scan and target", actions: range(8, 28) },
      { title: "Mining", actions: range(28, 33) },
      { title: "Survival", actions: range(33, 42) },
      { title: "Dock and trade", actions: range(42, names.length) },
    ],
    labels: names.map((name) => name.toLowerCase().replaceAll("_", " ")),
    hints: names.map((_, i) => (i % 4 === 0 ? "takes 2 ticks and 8 fuel" : null)),
    hotkeys: { "1": 0, "2": 1, "3": 2, q: 8, e: 9, m: 29, r: 32, h: 6, d: 42 },
    heads: [],
    guidance: [
      "Scan to learn what the rocks hold, then select one.",
      "Mine while you watch heat and tool.",
      "Cool down or repair when the risk rises.",
      "Dock, sell, and restock before you leave again.",
    ],
    settings_schema: {
      properties: { time_max: { type: "number", description: "Ticks of an episode" } },
    },
    defaults: { time_max: 2000 },
    bots: ["hauler", "cautious_scanner", "market_timer"],
  };
}
