/** The story of one host in one episode, put together from its events. Pure. */

import type {
  Decision,
  EpisodeOver,
  EpochCompleted,
  Happening,
  Kinds,
  Matrix,
  SeedSeen,
  Severity,
  Shapley,
  SlotPlace,
  WorldEvent,
} from "../../api/growth";

/** One epoch: how the host stood at its end, and what was then decided. */
export interface Moment {
  epoch: number;
  figures: EpochCompleted | null;
  seeds: Map<string, SeedSeen>;
  decision: Decision | null;
  matrix: Matrix | null;
  happenings: Happening[];
}

/** A stretch of epochs a slot spent in one stage; `from` and `to` count moments. */
export interface Span {
  from: number;
  to: number;
  stage: string;
  blueprint: string;
}

export interface Lane {
  slot: SlotPlace;
  spans: Span[];
  /** Null where the slot is empty. */
  alphas: (number | null)[];
}

export interface Episode {
  moments: Moment[];
  lanes: Lane[];
  shapley: Shapley | null;
  outcome: EpisodeOver | null;
}

export function episodeOf(events: readonly WorldEvent[], slots: readonly SlotPlace[]): Episode {
  const moments = new Map<number, Moment>();
  let shapley: Shapley | null = null;
  let outcome: EpisodeOver | null = null;
  for (const event of events) {
    const moment = moments.get(event.epoch) ?? emptyMoment(event.epoch);
    moments.set(event.epoch, moment);
    if (is(event, "EPOCH_COMPLETED")) {
      moment.figures = event;
      moment.seeds = new Map(event.seeds.map((seed) => [seed.slot_id, seed]));
    } else if (is(event, "ANALYTICS_SNAPSHOT:last_action")) moment.decision = event;
    else if (is(event, "COUNTERFACTUAL_MATRIX_COMPUTED")) moment.matrix = event;
    else if (is(event, "ANALYTICS_SNAPSHOT:shapley_computed")) shapley = event;
    else if (is(event, "EPISODE_OUTCOME")) outcome = event;
    else if (!UNTOLD.has(event.kind)) moment.happenings.push(event);
  }
  const ordered = [...moments.values()].sort((a, b) => a.epoch - b.epoch);
  return { moments: ordered, lanes: lanesOf(ordered, slots), shapley, outcome };
}

/** Stations of a decision that the decision itself tells better. */
const UNTOLD = new Set(["MORPHOLOGY_CAUSAL_LOG"]);

type Known = EpochCompleted | Decision | Matrix | Shapley | EpisodeOver;

function is<K extends Known["kind"]>(
  event: WorldEvent,
  kind: K,
): event is Extract<Known, { kind: K }> {
  return event.kind === kind;
}

function emptyMoment(epoch: number): Moment {
  return {
    epoch,
    figures: null,
    seeds: new Map(),
    decision: null,
    matrix: null,
    happenings: [],
  };
}

/** In forward order; slots that the run's beginning did not name come last. */
function lanesOf(moments: readonly Moment[], slots: readonly SlotPlace[]): Lane[] {
  return slotsOf(moments, slots).map((slot) => {
    const spans: Span[] = [];
    const alphas: (number | null)[] = [];
    moments.forEach((moment, i) => {
      const seed = moment.seeds.get(slot.slot_id);
      const last = spans.at(-1);
      const stage = seed?.stage ?? "DORMANT";
      const blueprint = seed?.blueprint ?? "";
      alphas.push(seed ? seed.alpha : null);
      if (last?.stage === stage && last.blueprint === blueprint) last.to = i;
      else spans.push({ from: i, to: i, stage, blueprint });
    });
    return { slot, spans, alphas };
  });
}

export function slotsOf(moments: readonly Moment[], slots: readonly SlotPlace[]): SlotPlace[] {
  const known = [...slots].sort((a, b) => a.order - b.order);
  const names = new Set(known.map((slot) => slot.slot_id));
  for (const moment of moments) {
    for (const name of moment.seeds.keys()) {
      if (names.has(name)) continue;
      names.add(name);
      const order = known.length;
      known.push({
        ...{ slot_id: name, row: 0, col: order, order, position: 1, surface: "", channels: 0 },
      });
    }
  }
  return known;
}

export function wasRefused(decision: Decision): boolean {
  return !decision.success;
}

/** A moment at which somebody did more than wait. */
export function acted(moment: Moment): boolean {
  return moment.decision !== null && moment.decision.op !== "WAIT";
}

const RANK: Record<Severity, number> = { debug: 0, info: 1, warning: 2, error: 3, critical: 4 };

export function severityOf(event: Happening, kinds: Kinds): Severity {
  return event.severity ?? kinds[event.kind]?.severity ?? "info";
}

/** Events of a moment that somebody should look at, the gravest first. */
export function anomaliesOf(moment: Moment, kinds: Kinds): Happening[] {
  return moment.happenings
    .filter((event) => RANK[severityOf(event, kinds)] >= RANK.warning)
    .sort((a, b) => RANK[severityOf(b, kinds)] - RANK[severityOf(a, kinds)]);
}

/** Moments worth a stop: the first and last, every decision to act, every anomaly. */
export function stopsOf(episode: Episode, kinds: Kinds): number[] {
  const last = episode.moments.length - 1;
  return episode.moments.flatMap((moment, i) =>
    i === 0 || i === last || acted(moment) || anomaliesOf(moment, kinds).length > 0 ? [i] : [],
  );
}

/** The moment of an epoch, or the nearest before it. */
export function momentAt(moments: readonly Moment[], epoch: number): number {
  const at = moments.findLastIndex((moment) => moment.epoch <= epoch);
  return Math.max(0, at);
}

/** Terms of the reward, those that moved most first. */
export function termsOf(moments: readonly Moment[]): string[] {
  const sizes = new Map<string, number>();
  for (const moment of moments) {
    for (const [name, value] of Object.entries(moment.decision?.components ?? {})) {
      sizes.set(name, (sizes.get(name) ?? 0) + Math.abs(value));
    }
  }
  return [...sizes.keys()].sort((a, b) => (sizes.get(b) ?? 0) - (sizes.get(a) ?? 0));
}
