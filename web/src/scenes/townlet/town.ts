/** A town as a frame tells it: the world's own words, in the shape its portrait has. */

import type { Frame } from "../../api/types";

export const NEEDS = ["hunger", "hygiene", "energy"] as const;
export type Need = (typeof NEEDS)[number];

export type Place = readonly [x: number, y: number];

export interface Tie {
  other: string;
  trust: number;
  familiarity: number;
  rivalry: number;
}

export interface Job {
  job_id: string | null;
  shift_state: string;
  attendance_ratio: number;
  late_ticks_today: number;
  lateness_counter: number;
  absent_shifts_7d: number;
  wages_withheld: number;
  wages_earned: number;
  exit_pending: boolean;
}

export interface Citizen {
  seat: number;
  id: string;
  slot: number;
  serial: number;
  position: Place;
  option: string;
  needs: Record<Need, number>;
  wallet: number;
  inventory: Record<string, number>;
  profile: string;
  traits: readonly number[];
  running: string | null;
  runs_until: number;
  holding: string | null;
  waiting: string | null;
  job: Job;
  ties: readonly Tie[];
  hospital: boolean;
  possessed: boolean;
  leaving: string;
}

export interface Thing {
  id: string;
  type: string;
  position: Place;
  holder: string | null;
  queue: readonly string[];
  stock: Record<string, number>;
  closed: boolean;
}

export interface CityEvent {
  id: number;
  spec: string;
  ends: number;
}

/** What happened; a key that does not apply is absent. */
export interface TownEvent {
  event: string;
  tick: number;
  seq: number;
  agent_id?: string;
  seat?: number;
  other_id?: string;
  object_id?: string;
  affordance_id?: string;
  reason?: string;
  value?: number;
}

export interface Town {
  tick: number;
  day: number;
  tod: number;
  size: Place;
  agents: readonly Citizen[];
  objects: readonly Thing[];
  prices: Record<string, number>;
  utilities: { power: boolean; water: boolean };
  perturbations: readonly CityEvent[];
  events: readonly TownEvent[];
  /** Rows of tiles, where the town is not open floor. */
  map: readonly string[];
}

const read = new WeakMap<Frame, Town | null>();

/** The town of a frame, read once; null where the frame shows none. */
export function townOf(frame: Frame | null): Town | null {
  if (!frame) return null;
  let town = read.get(frame);
  if (town === undefined) {
    town = readTown(frame.render_state);
    read.set(frame, town);
  }
  return town;
}

function readTown(state: Record<string, unknown>): Town | null {
  if (typeof state["tick"] !== "number" || !Array.isArray(state["agents"])) return null;
  const told = state as unknown as Town;
  return { ...told, events: listOf(state["events"]), map: listOf(state["map"]) };
}

function listOf<T>(value: unknown): readonly T[] {
  return Array.isArray(value) ? (value as T[]) : [];
}

export function citizenOf(town: Town | null, id: string | null): Citizen | null {
  if (!town || id === null) return null;
  return town.agents.find((citizen) => citizen.id === id) ?? null;
}

/** How well off somebody is, 0 to 1: as well as the worst need. */
export function wellBeing(citizen: Citizen): number {
  return Math.min(...NEEDS.map((need) => citizen.needs[need] ?? 1));
}
