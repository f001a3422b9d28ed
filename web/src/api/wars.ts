/** Wars of two factions, as `docs/campaign.md` describes their folders. */

import { call, query } from "./client";

export interface WarRow {
  war_id: string;
  seed: number;
  days: number;
  days_planned: number;
  finished: boolean;
  winner: string | null;
  ended_by: string;
  factions: WarFaction[];
  battles: number;
}

export interface WarFaction {
  id: string;
  name: string;
  colour: string;
  seat: string;
}

export interface WarNode {
  id: string;
  name: string;
  /** Kilometres, y to the north. */
  x: number;
  y: number;
  wreck: boolean;
  sea: string;
}

export interface WarLink {
  a: string;
  b: string;
  days: number;
}

export interface WarBattle {
  id: string;
  day: number;
  /** A node, or two of them joined by a dash where it was fought on the way. */
  node: string;
  kind: string;
  winner: string | null;
  ended_by: string;
  duration_s: number;
  sides: Record<string, { ships: number; lost: number; captured: number; killed: number }>;
}

export interface FactionCurves {
  ships: number[];
  value: number[];
  legitimacy: number[];
  prosperity: number[];
  morale: number[];
  people: number[];
  nodes: number[];
  stocks: Record<string, number[]>;
}

export interface WarSummary {
  seed: number;
  days: number;
  days_planned: number;
  finished: boolean;
  winner: string | null;
  ended_by: string;
  doctrines: Record<string, string>;
  factions: WarFaction[];
  nodes: WarNode[];
  links: WarLink[];
  curves: { day: number[] } & Record<string, FactionCurves | number[]>;
  battles: WarBattle[];
}

export interface DayNode {
  holder: string | null;
  population: number;
  stocks: Record<string, number>;
  facilities: Record<string, number>;
  blockaded?: boolean;
  siege?: { by: string; control: number; troops: number };
}

export interface DayFleet {
  faction: string;
  kind: string;
  ships: number;
  value: number;
  mission?: string;
  /** Where it lies, or else between which nodes it is. */
  at?: string;
  from?: string;
  to?: string;
  progress?: number;
}

export interface DayFaction {
  government: string;
  legitimacy: number;
  prosperity: number;
  morale: number;
  action_points: number;
  capital: number;
  ships: number;
  value: number;
  people: number;
  nodes: number;
  supply_factor: number;
  supply_days: Record<string, number>;
  stocks: Record<string, number>;
  /** Shares of 1. */
  blocs: Record<string, { satisfaction: number; radicalisation: number }>;
  queue: { action: string; due: number; target?: string }[];
}

export interface DayEvent {
  kind: string;
  text: string;
  node?: string;
  faction?: string;
  battle?: string;
}

export interface WarDay {
  day: number;
  nodes: Record<string, DayNode>;
  fleets: Record<string, DayFleet>;
  factions: Record<string, DayFaction>;
  disposition: number;
  at_war: boolean;
  treaties: string[];
  events: DayEvent[];
  battles: string[];
}

export interface ToldWar {
  war_id: string;
  war: WarSummary;
  /** By battle, for those that were recorded. */
  replays: Record<string, { run_id: string; replay_id: string }>;
}

/** What became of a ship in a battle. */
export interface BattleShip {
  ship_id: string;
  team_id_initial: string;
  fate: string;
  final_state: { hp: number };
  damage: { dealt: number };
  crew: { killed: number };
  marines: { killed: number };
  passengers: { killed: number };
}

export interface ToldBattle {
  id: string;
  /** Who commanded, by faction: a doctrine, or a policy as `run:ID@window`. */
  controllers: Record<string, string>;
  result: { ships: BattleShip[] };
}

interface DaysPage {
  next_offset: number;
  count: number;
  has_more: boolean;
  days: WarDay[];
}

const path = (war: string) => `/wars/${encodeURIComponent(war)}`;
const PAGE = 400;

export const wars = {
  list: (signal: AbortSignal) =>
    call<{ wars: WarRow[] }>("/wars", { signal }).then((reply) => reply.wars),
  one: (war: string, signal: AbortSignal) => call<ToldWar>(path(war), { signal }),
  battle: (war: string, battle: string, signal: AbortSignal) =>
    call<ToldBattle>(`${path(war)}/battles/${encodeURIComponent(battle)}`, { signal }),
  /** All days there are after the first `known`, page after page. */
  async days(war: string, known: number, signal: AbortSignal): Promise<WarDay[]> {
    const days: WarDay[] = [];
    for (;;) {
      const asked = query({ offset: known + days.length, limit: PAGE });
      const page = await call<DaysPage>(`${path(war)}/days${asked}`, { signal });
      days.push(...page.days);
      if (!page.has_more || page.count === 0) return days;
    }
  },
};
