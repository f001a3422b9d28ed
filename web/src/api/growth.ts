/** Networks that grow: what a run's world events say, word for word, and the calls for them. */

import { call, query } from "./client";

export type Severity = "debug" | "info" | "warning" | "error" | "critical";

/** Where a slot is in its host. */
export interface SlotPlace {
  slot_id: string;
  row: number;
  col: number;
  /** Place in the forward order. */
  order: number;
  position: number;
  surface: string;
  channels: number;
}

export interface Started {
  kind: "TRAINING_STARTED";
  task: string;
  world: string;
  controller: string;
  n_envs: number;
  max_epochs: number;
  max_rounds: number | null;
  seed: number;
  topology: string;
  classes: number;
  host_params: number;
  slots: SlotPlace[];
  seed_limit: number;
  gates: string;
  reward_mode: string;
  budget_epochs: number | null;
  device: string;
}

/** A slot that is not empty, at the end of an epoch. Null means: not measured. */
export interface SeedSeen {
  slot_id: string;
  seed_id: string;
  blueprint: string;
  stage: string;
  epochs_in_stage: number;
  age_epochs: number;
  alpha: number;
  alpha_target: number;
  alpha_mode: "HOLD" | "UP" | "DOWN";
  blend: string;
  params: number;
  contribution: number | null;
  accuracy_without: number | null;
  gradient_norm: number | null;
  gradient_health: number | null;
  isolation_violations: number;
}

interface Told {
  at: string;
  round: number;
  env: number;
  episode: number;
  epoch: number;
}

export interface EpochCompleted extends Told {
  kind: "EPOCH_COMPLETED";
  val_accuracy: number;
  val_loss: number;
  train_accuracy: number;
  train_loss: number;
  /** With every seed off. */
  host_accuracy: number;
  /** With fossils only. */
  committed_accuracy: number;
  counterfactual_total: number | null;
  host_params: number;
  total_params: number;
  param_ratio: number;
  spent_epochs: number;
  budget_epochs: number | null;
  plateau_epochs: number;
  stabilised: boolean;
  seeds: SeedSeen[];
}

export interface Decision extends Told {
  kind: "ANALYTICS_SNAPSHOT:last_action";
  initiator: string;
  op: string;
  /** Empty for WAIT. */
  slot_id: string;
  blueprint: string | null;
  style: string | null;
  tempo: string | null;
  alpha_target: string | null;
  alpha_speed: string | null;
  alpha_curve: string | null;
  success: boolean;
  effective_op: string;
  reason: string;
  legal_ops: string[];
  forced_heads: string[];
  reward: number;
  reward_total: number;
  components: Record<string, number>;
  probability: number | null;
  value: number | null;
}

export interface Matrix extends Told {
  kind: "COUNTERFACTUAL_MATRIX_COMPUTED";
  slot_ids: string[];
  strategy: string;
  /** Which of the slots are on; the first has all. */
  configs: boolean[][];
  accuracies: number[];
}

export interface Shapley extends Told {
  kind: "ANALYTICS_SNAPSHOT:shapley_computed";
  slot_ids: string[];
  means: number[];
  stds: number[];
  samples: number;
}

export interface EpisodeOver extends Told {
  kind: "EPISODE_OUTCOME";
  outcome_type: string;
  episode_seed: number;
  final_accuracy: number;
  committed_accuracy: number;
  param_ratio: number;
  num_fossilized: number;
  num_contributing_fossilized: number;
  episode_reward: number;
  stability_score: number;
  spent_epochs: number;
  germinated: number;
  pruned: number;
  succeeded: boolean;
}

/** Any other event of a host; which fields it has depends on its kind. */
export interface Happening extends Told {
  kind: string;
  slot_id?: string;
  blueprint?: string;
  severity?: Severity;
  [field: string]: unknown;
}

export type WorldEvent = EpochCompleted | Decision | Matrix | Shapley | EpisodeOver | Happening;

export interface GrowthEpisode {
  env: number;
  episode: number;
  round: number;
  first_epoch: number;
  last_epoch: number;
  events: number;
  accuracy: number | null;
  outcome: {
    outcome_type: string;
    final_accuracy: number;
    param_ratio: number;
    num_fossilized: number;
    episode_reward: number;
    succeeded: boolean;
  } | null;
}

export type Kinds = Record<string, { label: string; severity: Severity }>;

export interface GrowthOverview {
  run_id: string;
  /** Another one than before says that the file was cut back. */
  edition: string;
  started: Started | null;
  kinds: Kinds;
  bytes: number;
  bytes_read: number;
  complete: boolean;
  damaged: number;
  count: number;
  total: number;
  /** Newest first. */
  episodes: GrowthEpisode[];
}

export interface GrowthPage {
  edition: string;
  offset: number;
  next_offset: number;
  count: number;
  has_more: boolean;
  damaged: number;
  events: WorldEvent[];
}

const EPISODES_MAX = 5_000;
const path = (run: string) => `/runs/${encodeURIComponent(run)}/growth`;

export const growth = {
  /** Asked until the server has read the whole file. */
  async overview(run: string, signal: AbortSignal): Promise<GrowthOverview> {
    for (;;) {
      const told = await call<GrowthOverview>(`${path(run)}${query({ limit: EPISODES_MAX })}`, {
        signal,
      });
      if (told.complete) return told;
    }
  },
  events: (run: string, env: number, episode: number, offset: number, signal: AbortSignal) =>
    call<GrowthPage>(`${path(run)}/${env}/${episode}${query({ offset })}`, { signal }),
};
