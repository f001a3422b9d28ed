/** What the server sends, word for word. Names follow its JSON. */

/** One step of a world. Worlds with several agents give lists where one agent gives a value. */
export interface Frame {
  schema_version: number;
  frame_index: number;
  /** Ticks so far, this step included. */
  t: number;
  dt: number;
  /** The choice of the only head of the only agent, else a row of heads for each agent. */
  action: number | number[][];
  reward: number | number[];
  terminated: boolean | boolean[];
  truncated: boolean | boolean[];
  render_state: RenderState;
  events: string[];
  info?: Record<string, unknown>;
  digest?: string;
  terms?: Terms | Terms[];
  policy?: PolicyNote | (PolicyNote | null)[] | null;
  controls?: number[][];
  /** The frame before, where `render_state` and `info` are merge patches to its own. */
  since?: number;
}

export interface RenderState {
  /** Absent where a world is drawn from the inside. */
  observation?: number[] | number[][];
  [name: string]: unknown;
}

export type Terms = Record<string, number>;

/** What a policy made of what it saw before it acted. */
export interface PolicyNote {
  value: number;
  probability: number;
  /** Of each choice, a row for each head. */
  probabilities: number[][];
}

/** The first line of a replay: the words for the numbers in its frames. */
export interface ReplayHeader {
  kind: "header";
  format: number;
  world: string;
  world_config: Record<string, unknown>;
  seed: number;
  policy: Record<string, unknown> | null;
  action_names: string[][];
  obs_names: string[];
  terms: string[];
  events: string[];
  agents: string[];
  [name: string]: unknown;
}

/** One of several heads, and how a player sets it. */
export interface Head {
  title: string;
  labels: string[];
  /** Whether a choice stays until another is made; else it holds for one step. */
  lasting: boolean;
  /** What is chosen while nobody has chosen. */
  rest: number;
  hotkeys: Record<string, number>;
  /** The keys for the next possible choice and the one before. */
  more: string | null;
  less: string | null;
}

export interface World {
  id: string;
  title: string;
  summary: string;
  /** Which drawing module shows it. */
  scene: string;
  obs_names: string[];
  action_names: string[][];
  agents: string[];
  terms: string[];
  events: string[];
  playable: boolean;
  groups: { title: string; actions: number[] }[];
  labels: string[];
  hints: (string | null)[];
  hotkeys: Record<string, number>;
  /** How each head is set, where there are several. */
  heads: Head[];
  guidance: string[];
  settings_schema: Record<string, unknown>;
  defaults: Record<string, unknown>;
  bots: string[];
}

export interface ReplayEntry {
  run_id: string;
  window_id: number;
  replay_id: string;
  tags: string[];
  trainer_backend: string;
  return_total: number;
  steps: number;
  profit: number | null;
  survival: number | null;
  terminated: boolean;
  truncated: boolean;
  checkpoint_env_steps_total: number;
  created_at: string;
}

export type RunStatus = "running" | "completed" | "failed" | "interrupted" | "killed" | "broken";

/** What a run is a record of. */
export type RunKind = "training" | "baseline" | "growth" | "battle" | "bot" | "human";

export interface Run {
  run_id: string;
  status: RunStatus;
  /** Of a broken run it is not known. The bundled sample is a training. */
  kind?: RunKind | null;
  world: string | null;
  seed: number | null;
  trainer_backend: string | null;
  env_steps_total: number | null;
  windows_emitted: number | null;
  checkpoints_written: number | null;
  latest_replay: ReplayEntry | null;
  best_replay: ReplayEntry | null;
  replay_count: number;
  updated_at: string | null;
  started_at: string | null;
  finished_at: string | null;
  /** Why a broken run cannot be read. */
  problem: string | null;
  /** Whether networks grow in it. The bundled sample says nothing about that. */
  has_world_events?: boolean;
}

export interface RunPage {
  runs: Run[];
  count: number;
  total: number;
}

export interface RunDetail {
  run_id: string;
  metadata: Record<string, unknown>;
  replay_count: number;
}

/** A row of figures. The numeric fields differ by world, so they are read by name. */
export interface WindowRow {
  window_id: number;
  env_steps_total: number;
  [metric: string]: unknown;
}

export interface Timeline {
  run_id: string;
  replay_id: string;
  header: ReplayHeader;
  frames: number;
  ticks: number;
  events: { frame: number; name: string }[];
  /** Summed over agents, one for every `stride` frames. */
  reward: number[];
  stride: number;
  terms: Record<string, number>;
}

export interface FramePage {
  offset: number;
  next_offset: number;
  count: number;
  has_more: boolean;
  frames: Frame[];
}

export interface Session {
  session_id: string;
  world: string;
  seed: number;
  settings: Record<string, unknown>;
  steps: number;
  ticks: number;
  obs: number[] | number[][];
  reward: number;
  return_total: number;
  terminated: boolean;
  truncated: boolean;
  over: boolean;
  info: Record<string, number | boolean | null>;
  /** By head, for the first agent. */
  legal: boolean[][];
  /** What there is to see before the first step, where worlds are drawn from the inside. */
  beginning: RenderState | null;
  frame: Frame | null;
  can_undo: boolean;
  created_at: string;
  updated_at: string;
}

export interface Outcome {
  return_total: number;
  steps: number;
  ticks: number;
  stats: Record<string, number>;
}

export interface OutcomeTable {
  you: Outcome;
  players: { name: string; kind: "bot" | "oracle" | "policy"; outcome: Outcome }[];
}

export type CoverageStatus = "ok" | "stale" | "missing" | "error";

export interface CoverageSource {
  key: string;
  label: string;
  status: CoverageStatus;
  observed_count: number;
  required_fields: string[];
  missing_fields: string[];
  lineage: { source: string | null; path: string | null; updated_at: string | null };
  notes: string[];
}

export interface Completeness {
  run_id: string;
  generated_at: string;
  stale_after_seconds: number;
  overall_status: CoverageStatus;
  status_counts: Record<CoverageStatus, number>;
  run_context: Record<string, string | null>;
  wandb_scope: Record<string, string | null>;
  coverage: CoverageSource[];
}

export interface WandbStatus {
  available: boolean;
  reason: string | null;
  defaults: { entity: string | null; project: string | null };
  notes: string[];
}

export interface WandbRun {
  run_id: string;
  name: string | null;
  state: string | null;
  url: string | null;
  created_at: string | null;
  updated_at: string | null;
}

export interface WandbIteration {
  run: WandbRun;
  history: { keys: string[]; count: number; rows: Record<string, unknown>[] };
  kpis: Record<string, number | null>;
}

export interface ReportRow {
  name: string;
  kind: string | null;
  generated_at: string | null;
  passed: boolean | null;
  commit: string | null;
}
