/** A town as a frame tells it: the world's own words, in the shape its portrait has. */

import type { Frame } from "../../api/types";

export const NEEDS = ["hunger", "hygiene", "energy"] as const;
export type Need = (typeof NEEDS)[number];
/** A need of everybody, or the one of a town in which the cold is felt. */
export type Felt = Need | "warmth";

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
  lateness_counter: number;
  absent_shifts_7d: number;
  wages_withheld: number;
  wages_earned: number;
  exit_pending: boolean;
}

export interface Citizen {
  seat: number;
  id: string;
  serial: number;
  position: Place;
  option: string;
  needs: Record<Need, number>;
  wallet: number;
  inventory: Record<string, number>;
  profile: string;
  traits: readonly number[];
  /** When they came. */
  since: number;
  running: string | null;
  runs_from: number;
  runs_until: number;
  /** What they are after, have for themselves, wait for. */
  target: string | null;
  holding: string | null;
  waiting: string | null;
  bed: string | null;
  job: Job;
  ties: readonly Tie[];
  hospital: boolean;
  possessed: boolean;
  leaving: string;
  /** Whom they are having words with. */
  argues_with: string | null;
  /** Whether it is a bad day. */
  spirals: boolean;
  /** 0 to 1, where the cold is felt. */
  warmth?: number;
}

export interface Thing {
  id: string;
  type: string;
  position: Place;
  holder: string | null;
  queue: readonly string[];
  stock: Record<string, number>;
  closed: boolean;
  venue: string | null;
  /** What it cannot do without. */
  power: boolean;
  water: boolean;
}

export interface CityEvent {
  id: string;
  spec: string;
  kind: string;
  ends: number;
  /** A venue or a thing. */
  place?: string;
  targets?: readonly string[];
}

/** When and where a job is done. */
export interface Workplace {
  start: number;
  end: number;
  site: Place;
  radius: number;
}

/** Where a town has weather. */
export interface Weather {
  now: "sunny" | "rainy" | "cold";
  ordered: boolean;
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
  /** What did not hold. */
  condition?: string;
  /** Of an exit. */
  days_lived?: number;
  days_unpaid?: number;
  ticks_late?: number;
  rent?: number;
  /** Of a delivery. */
  amount?: number;
  meals?: number;
  prices?: Record<string, number>;
}

/** What stays as it is while a town stands. */
export interface Ground {
  size: Place;
  ticks_per_day: number;
  bus_stop: Place;
  jobs: Record<string, Workplace>;
  /** Rows of tiles, where the town is not open floor. */
  map?: readonly string[];
}

export interface Town extends Ground {
  tick: number;
  day: number;
  tod: number;
  agents: readonly Citizen[];
  objects: readonly Thing[];
  prices: Record<string, number>;
  utilities: { power: boolean; water: boolean };
  perturbations: readonly CityEvent[];
  weather?: Weather;
  events: readonly TownEvent[];
}

/** As a portrait tells it: entries by id, and what does not apply is absent. */
interface Told {
  ground: Ground;
  tick: number;
  day: number;
  tod: number;
  agents: Record<string, ToldCitizen>;
  objects: Record<string, ToldThing>;
  prices: Record<string, number>;
  utilities: { power: boolean; water: boolean };
  perturbations: Record<string, Omit<CityEvent, "id">>;
  weather?: Weather;
  events: readonly TownEvent[];
}

type ToldCitizen = Pick<Citizen, "seat"> &
  Partial<Omit<Citizen, "id" | "ties" | "job">> & {
    ties: Record<string, Omit<Tie, "other">>;
    job: Partial<Job>;
  };
type ToldThing = Partial<Omit<Thing, "id">>;

const read = new WeakMap<Frame, Town | null>();

/** The town of a frame, read once; null where the frame shows none. */
export function townOf(frame: Frame | null): Town | null {
  if (!frame) return null;
  let town = read.get(frame);
  if (town === undefined) {
    town = isTown(frame.render_state) ? readTown(frame.render_state) : null;
    read.set(frame, town);
  }
  return town;
}

function isTown(state: unknown): state is Told {
  return typeof state === "object" && state !== null && "ground" in state && "agents" in state;
}

function readTown(told: Told): Town {
  const { ground, agents, objects, perturbations, ...rest } = told;
  return {
    ...ground,
    ...rest,
    agents: Object.entries(agents)
      .map(([id, one]) => citizens(one, () => readCitizen(id, one)))
      .sort((a, b) => a.seat - b.seat),
    objects: Object.entries(objects).map(([id, one]) => things(one, () => readThing(id, one))),
    perturbations: Object.entries(perturbations).map(([id, one]) => ({ id, ...one })),
    events: told.events ?? [],
  };
}

/** What did not change is the same object in the next frame, and need not be read again. */
function remembered<T>(): (told: object, make: () => T) => T {
  const known = new WeakMap<object, T>();
  return (told, make) => {
    let found = known.get(told);
    if (found === undefined) known.set(told, (found = make()));
    return found;
  };
}

const citizens = remembered<Citizen>();
const things = remembered<Thing>();

function readCitizen(id: string, told: ToldCitizen): Citizen {
  return {
    id,
    serial: told.seat,
    position: [0, 0],
    option: "Wait",
    needs: { hunger: 1, hygiene: 1, energy: 1 },
    wallet: 0,
    inventory: {},
    profile: "balanced",
    traits: [],
    since: 0,
    running: null,
    runs_from: 0,
    runs_until: 0,
    target: null,
    holding: null,
    waiting: null,
    bed: null,
    hospital: false,
    possessed: false,
    leaving: "",
    argues_with: null,
    spirals: false,
    ...told,
    job: { ...NO_JOB, ...told.job },
    ties: Object.entries(told.ties).map(([other, tie]) => ({ other, ...tie })),
  };
}

const NO_JOB: Job = {
  job_id: null,
  shift_state: "pre",
  attendance_ratio: 1,
  lateness_counter: 0,
  absent_shifts_7d: 0,
  wages_withheld: 0,
  wages_earned: 0,
  exit_pending: false,
};

function readThing(id: string, told: ToldThing): Thing {
  return {
    id,
    type: "thing",
    position: [0, 0],
    holder: null,
    queue: [],
    stock: {},
    closed: false,
    venue: null,
    power: false,
    water: false,
    ...told,
  };
}

export function citizenOf(town: Town | null, id: string | null): Citizen | null {
  if (!town || id === null) return null;
  return town.agents.find((citizen) => citizen.id === id) ?? null;
}

/** The needs somebody has, in the order they are shown in. */
export function feltBy(citizen: Citizen | undefined): readonly Felt[] {
  return citizen?.warmth === undefined ? NEEDS : [...NEEDS, "warmth"];
}

/** How well a need is met, 0 to 1. */
export function needOf(citizen: Citizen, need: Felt): number {
  return (need === "warmth" ? citizen.warmth : citizen.needs[need]) ?? 1;
}

/** How well off somebody is, 0 to 1: as well as the worst need. */
export function wellBeing(citizen: Citizen): number {
  return Math.min(...feltBy(citizen).map((need) => needOf(citizen, need)));
}
