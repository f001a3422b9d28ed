// The 260 numbers of an observation, read into words. Pure: no drawing, no clock.
//
//   from  what
//      0  ship: fuel hull heat tool load alert time credits(log), cargo × 6, kits, stabilizers, decoys
//     17  at station, mining active, kind of node (one-hot × 3), node / 31, hops to station / 31
//     24  lanes, 6 × 7: exists, kind (one-hot × 3), ticks / 8, fuel / 160, threat
//     66  two unused
//     68  rocks, 16 × 11: exists, composition × 6, stability, depletion, confidence, selected
//    244  market: price / base × 6, change / 100 × 6, stock / 500 of iron, ice, pge, isotopes

import type { Frame } from "../../api/types";

export const COMMODITIES = [
  "iron",
  "nickel",
  "water_ice",
  "pge",
  "rare_isotopes",
  "volatiles",
] as const;
/** As they stand inside a sentence. */
export const COMMODITY_WORDS = [
  "iron",
  "nickel",
  "water ice",
  "PGE",
  "rare isotopes",
  "volatiles",
] as const;
export type NodeKind = "station" | "cluster" | "hazard";

const NODE_KINDS: readonly NodeKind[] = ["station", "cluster", "hazard"];
const STOCKED = [0, 2, 3, 4] as const;

export const LENGTH = 260;
const CARGO_AT = 8;
const PLACE_AT = 17;
const LANES_AT = 24;
const LANE_SIZE = 7;
export const LANE_COUNT = 6;
const ROCKS_AT = 68;
const ROCK_SIZE = 11;
export const ROCK_COUNT = 16;
const MARKET_AT = 244;

const NODE_INDEX_MAX = 31;
const SUPPLY_MAX = 12;
const CARGO_MAX = 200;
const LANE_TICKS_MAX = 8;
const LANE_FUEL_MAX = 160;
const CREDITS_LOG_MAX = Math.log1p(10_000_000);

/** Shares are 0..1 of what the ship can hold; counts are counts. */
export interface Ship {
  fuel: number;
  hull: number;
  heat: number;
  tool: number;
  load: number;
  alert: number;
  time: number;
  credits: number;
  cargoUnits: number[];
  repairKits: number;
  stabilizers: number;
  decoys: number;
}

export interface Place {
  index: number;
  kind: NodeKind;
  atStation: boolean;
  miningActive: boolean;
  hopsToStation: number;
}

export interface Lane {
  exists: boolean;
  kind: NodeKind;
  ticks: number;
  fuel: number;
  threat: number;
}

export interface Rock {
  exists: boolean;
  composition: number[];
  /** Index of the commodity believed most plentiful. */
  dominant: number;
  stability: number;
  depletion: number;
  confidence: number;
  selected: boolean;
}

export interface Market {
  /** Price over base price, capped at 1 by the observation. */
  priceShares: number[];
  changeCredits: number[];
  /** Units at the station; null where the observation hides them. */
  stockUnits: (number | null)[];
}

export interface Sight {
  ship: Ship;
  place: Place;
  lanes: Lane[];
  rocks: Rock[];
  /** Slot of the selected rock, or -1. */
  selected: number;
  market: Market;
}

export function readObservation(observation: ArrayLike<number>): Sight {
  const rocks = Array.from({ length: ROCK_COUNT }, (_, slot) => readRock(observation, slot));
  return {
    ship: readShip(observation),
    place: readPlace(observation),
    lanes: Array.from({ length: LANE_COUNT }, (_, slot) => readLane(observation, slot)),
    rocks,
    selected: rocks.findIndex((rock) => rock.selected),
    market: readMarket(observation),
  };
}

const sights = new WeakMap<Frame, Sight>();

/** The sight of a frame, read once however often it is drawn. */
export function sightOf(frame: Frame): Sight {
  let sight = sights.get(frame);
  if (!sight) {
    sight = readObservation(observationOf(frame));
    const exact = frame.info?.["credits"] ?? frame.render_state["credits"];
    if (typeof exact === "number") sight.ship.credits = exact;
    sights.set(frame, sight);
  }
  return sight;
}

/** The action of the first head of the first agent; a hold where a frame has none. */
export function actionOf(frame: Frame): number {
  let action: unknown = frame.action;
  while (Array.isArray(action)) action = action[0];
  return typeof action === "number" ? action : 6;
}

function observationOf(frame: Frame): ArrayLike<number> {
  const seen: unknown = frame.render_state.observation;
  const first: unknown = Array.isArray(seen) ? seen[0] : undefined;
  return (Array.isArray(first) ? first : Array.isArray(seen) ? seen : []) as number[];
}

/** A short or broken observation reads as zeros, so that a page still shows the rest. */
function at(observation: ArrayLike<number>, index: number): number {
  const value = observation[index];
  return value !== undefined && Number.isFinite(value) ? value : 0;
}

function slice(observation: ArrayLike<number>, from: number, count: number): number[] {
  return Array.from({ length: count }, (_, offset) => at(observation, from + offset));
}

function oneHotKind(observation: ArrayLike<number>, from: number): NodeKind {
  const hot = NODE_KINDS.findIndex((_, offset) => at(observation, from + offset) > 0.5);
  return NODE_KINDS[hot] ?? "cluster";
}

function readShip(observation: ArrayLike<number>): Ship {
  return {
    fuel: at(observation, 0),
    hull: at(observation, 1),
    heat: at(observation, 2),
    tool: at(observation, 3),
    load: at(observation, 4),
    alert: at(observation, 5),
    time: at(observation, 6),
    credits: Math.expm1(at(observation, 7) * CREDITS_LOG_MAX),
    cargoUnits: slice(observation, CARGO_AT, COMMODITIES.length).map((share) => share * CARGO_MAX),
    repairKits: Math.round(at(observation, 14) * SUPPLY_MAX),
    stabilizers: Math.round(at(observation, 15) * SUPPLY_MAX),
    decoys: Math.round(at(observation, 16) * SUPPLY_MAX),
  };
}

function readPlace(observation: ArrayLike<number>): Place {
  return {
    index: Math.round(at(observation, PLACE_AT + 5) * NODE_INDEX_MAX),
    kind: oneHotKind(observation, PLACE_AT + 2),
    atStation: at(observation, PLACE_AT) > 0.5,
    miningActive: at(observation, PLACE_AT + 1) > 0.5,
    hopsToStation: Math.round(at(observation, PLACE_AT + 6) * NODE_INDEX_MAX),
  };
}

function readLane(observation: ArrayLike<number>, slot: number): Lane {
  const from = LANES_AT + slot * LANE_SIZE;
  return {
    exists: at(observation, from) > 0.5,
    kind: oneHotKind(observation, from + 1),
    ticks: Math.round(at(observation, from + 4) * LANE_TICKS_MAX),
    fuel: at(observation, from + 5) * LANE_FUEL_MAX,
    threat: at(observation, from + 6),
  };
}

function readRock(observation: ArrayLike<number>, slot: number): Rock {
  const from = ROCKS_AT + slot * ROCK_SIZE;
  const composition = slice(observation, from + 1, COMMODITIES.length);
  return {
    exists: at(observation, from) > 0.5,
    composition,
    dominant: composition.indexOf(Math.max(...composition)),
    stability: at(observation, from + 7),
    depletion: at(observation, from + 8),
    confidence: at(observation, from + 9),
    selected: at(observation, from + 10) > 0.5,
  };
}

function readMarket(observation: ArrayLike<number>): Market {
  const stockUnits: (number | null)[] = COMMODITIES.map(() => null);
  STOCKED.forEach((commodity, offset) => {
    stockUnits[commodity] = at(observation, MARKET_AT + 12 + offset) * 500;
  });
  return {
    priceShares: slice(observation, MARKET_AT, COMMODITIES.length),
    changeCredits: slice(observation, MARKET_AT + 6, COMMODITIES.length).map(
      (change) => change * 100,
    ),
    stockUnits,
  };
}
