/** The words and signs for what happens to a seed. Letters and patterns stand beside colours. */

export interface StageLook {
  name: string;
  letter: string;
  /** The part of its class names. */
  key: string;
  /** What it means, for those who meet it first. */
  note: string;
}

const STAGES: Record<string, StageLook> = {
  DORMANT: { name: "empty", letter: "–", key: "dormant", note: "an empty slot" },
  GERMINATED: { name: "germinated", letter: "G", key: "germinated", note: "put in, not yet run" },
  TRAINING: { name: "training", letter: "T", key: "training", note: "learns, unfelt by its host" },
  BLENDING: { name: "blending", letter: "B", key: "blending", note: "its share is on the way" },
  HOLDING: { name: "holding", letter: "H", key: "holding", note: "felt, waiting for a decision" },
  FOSSILIZED: { name: "kept", letter: "K", key: "fossilized", note: "part of the host for good" },
  PRUNED: { name: "pruned", letter: "P", key: "pruned", note: "taken out" },
  EMBARGOED: { name: "embargoed", letter: "E", key: "embargoed", note: "cooling after a prune" },
  RESETTING: { name: "resetting", letter: "R", key: "resetting", note: "cooling, soon empty" },
};

export const STAGE_NAMES = Object.keys(STAGES);

export function lookOf(stage: string): StageLook {
  const known = STAGES[stage];
  return known ?? { name: stage.toLowerCase(), letter: "?", key: "dormant", note: "unknown" };
}

/** Whether the seed's share of its host is more than nothing. */
export function isFelt(stage: string): boolean {
  return stage === "BLENDING" || stage === "HOLDING" || stage === "FOSSILIZED";
}

export interface OpLook {
  name: string;
  /** A drawing on a 24 grid. */
  path: string;
}

const OPS: Record<string, OpLook> = {
  WAIT: { name: "wait", path: "M12 10a2 2 0 1 0 0 4 2 2 0 0 0 0-4z" },
  GERMINATE: {
    name: "germinate",
    path: "M12 21v-9M12 12c0-4 3-7 8-7 0 5-3 8-8 7zM12 15c0-3-2-5-7-5 0 4 2 6 7 5z",
  },
  SET_ALPHA_TARGET: { name: "set target", path: "M5 7h9M18 7h1M16 4.5v5M5 17h2M11 17h8M9 14.5v5" },
  PRUNE: {
    name: "prune",
    path: "M8 8 19 18M8 16 19 6M6 4a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5zM6 15a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5z",
  },
  FOSSILIZE: { name: "keep", path: "M12 3l8 6-3 11H7L4 9zM4 9h16M9 9l3 11 3-11" },
  ADVANCE: { name: "advance", path: "M4 12h14M12 6l6 6-6 6" },
};

export function opLook(op: string): OpLook {
  return OPS[op] ?? { name: op.toLowerCase().replaceAll("_", " "), path: "M5 12h14M12 5v14" };
}
