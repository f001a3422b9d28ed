/** From a portrait, which tells the world's own coordinates, to a battle on a chart. */

import type { Frame } from "../../api/types";
import {
  LAYERS,
  type Battle,
  type BattleEvent,
  type Chart,
  type Float,
  type Layer,
  type Noise,
  type Point,
  type Round,
  type Shape,
  type Ship,
  type Sky,
  type Track,
} from "./battle";

const read = new WeakMap<Frame, Battle | null>();

/** The battle of a frame, read once; null where the frame shows none. */
export function battleOf(frame: Frame | null): Battle | null {
  if (!frame) return null;
  let battle = read.get(frame);
  if (battle === undefined) {
    battle = isBattle(frame.render_state) ? readBattle(frame.render_state) : null;
    read.set(frame, battle);
  }
  return battle;
}

type Told = Record<string, unknown>;

function isBattle(state: unknown): state is Told {
  return typeof state === "object" && state !== null && "map" in state && "ships" in state;
}

function readBattle(told: Told): Battle {
  const outcome = object(told["outcome"]);
  const fields = object(told["fields"]);
  return {
    chart: charts(object(told["map"])),
    tick: number(told["tick"]),
    time_limit: number(told["time_limit"]),
    sky: readSky(object(told["sky"])),
    storms: entries(told["storms"], (id, one) => ({
      id,
      ...place(one),
      r: number(one["r"]),
      intensity: number(one["intensity"], 1),
    })),
    teams: entries(told["teams"], (name, one) => ({
      name,
      share: "value" in one ? number(one["value"]) / (number(one["value_start"]) || 1) : null,
      ships_left: "ships_left" in one ? number(one["ships_left"]) : null,
    })),
    ships: entries(told["ships"], (id, one) => ships(one, () => readShip(id, one))),
    rounds: entries(told["rounds"], readRound),
    decoys: entries(told["decoys"], readFloat),
    mines: entries(told["mines"], readFloat),
    squadrons: entries(told["squadrons"], (id, one) => ({
      id,
      team: text(one["team"]),
      ...place(one),
      craft: number(one["craft"]),
      mission: text(one["mission"]),
      stage: text(one["stage"]),
    })),
    knowledge: Object.fromEntries(
      Object.entries(object(told["knowledge"])).map(([team, tracks]) => [
        team,
        entries(tracks, readTrack),
      ]),
    ),
    noise: readNoise(fields["noise"]),
    winner: maybe(outcome["winner"]),
    ended_by: maybe(outcome["ended_by"]),
    seen_by: maybe(told["seen_by"]),
    events: list(told["events"]).map(readEvent),
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

const ships = remembered<Ship>();
const chartOf = remembered<Chart>();
const charts = (told: Told) => chartOf(told, () => readChart(told));

function readChart(told: Told): Chart {
  const [min_x, max_x] = [number(told["min_x"]), number(told["max_x"])];
  const [min_y, max_y] = [number(told["min_y"]), number(told["max_y"])];
  return {
    x: min_x,
    y: -max_y,
    width: max_x - min_x,
    height: max_y - min_y,
    obstacles: list(told["obstacles"]).map(readShape),
    zones: list(told["zones"]).map((one) => ({
      ...readShape(one),
      kind: text(one["kind"]),
      intensity: number(one["intensity"], 1),
    })),
  };
}

function readShape(told: Told): Shape {
  if (told["shape"] === "polygon") {
    const points = (told["points"] ?? []) as Point[];
    return { shape: "polygon", points: points.map(([x, y]): Point => [x, -y]) };
  }
  return { shape: "circle", ...place(told), r: number(told["r"]) };
}

function readSky(told: Told): Sky {
  const [wx = 0, wy = 0] = (told["wind"] ?? []) as number[];
  return {
    sea_state: number(told["sea_state"]),
    visibility_km: number(told["visibility_km"], 20),
    rain: number(told["rain"]),
    wind: [wx, -wy],
    daylight: number(told["daylight"], 1),
  };
}

function readShip(id: string, told: Told): Ship {
  const layer = layerOf(told["layer"]) ?? "surface";
  const next = layerOf(told["layer_next"]);
  return {
    id,
    name: text(told["name"]) || `Ship ${id}`,
    team: text(told["team"]),
    hull: text(told["hull"]),
    size: text(told["size"]),
    r: number(told["r"], 40),
    ...place(told),
    heading: -number(told["heading"]),
    speed: number(told["speed"]),
    layer,
    layer_next: next === layer ? null : next,
    transition: number(told["transition"]),
    hp: number(told["hp"], 1),
    morale: number(told["morale"], 1),
    fuel: number(told["fuel"], 1),
    crew: number(told["crew"]),
    fate: told["fate"] === "operational" ? null : maybe(told["fate"]),
    flags: (told["flags"] ?? []) as string[],
    emission: text(told["emission"]),
    level_db: number(told["level_db"]),
    target: maybe(told["target"]),
    mounts: list(told["mounts"]).map((one) => ({
      weapon: text(one["weapon"]),
      group: text(one["group"]),
      range: number(one["range"]),
      rounds: number(one["rounds"]),
      ready: one["ready"] === 1 || one["ready"] === true,
    })),
    parts: (told["parts"] ?? {}) as Record<string, number>,
    decoys: told["decoys"] === undefined ? null : number(told["decoys"]),
    order: maybe(told["order"]),
    doctrine: maybe(told["doctrine"]),
  };
}

function readRound(id: string, told: Told): Round {
  return {
    id,
    weapon: text(told["weapon"]),
    team: text(told["team"]),
    ...place(told),
    ...course(told),
    layer: layerOf(told["layer"]) ?? "air",
    seeker: readSeeker(told["seeker"]),
  };
}

function readSeeker(told: unknown): Round["seeker"] {
  if (!Array.isArray(told)) return null;
  return { range: number(told[0]), half: number(told[1]) };
}

function readFloat(id: string, told: Told): Float {
  return {
    id,
    team: text(told["team"]),
    ...place(told),
    layer: layerOf(told["layer"]) ?? "surface",
  };
}

function readTrack(key: string, told: Told): Track {
  return {
    key,
    ...place(told),
    ...course(told),
    sigma: number(told["sigma"]),
    quality: number(told["quality"]),
    age: number(told["age"]),
    layer: layerOf(told["layer"]),
    size: text(told["size"]),
    iff: text(told["iff"]),
  };
}

function readNoise(told: unknown): Noise | null {
  const noise = object(told);
  if (noise["layers"] === undefined) return null;
  return {
    w: number(noise["w"]),
    h: number(noise["h"]),
    cell: number(noise["cell"]),
    layers: object(noise["layers"]),
  };
}

function readEvent(told: Told): BattleEvent {
  return {
    id: number(told["id"]),
    cause: number(told["cause"]),
    trace: number(told["trace"]),
    kind: text(told["kind"]),
    tick: number(told["tick"]),
    ...place(told),
    value: number(told["value"]),
    source: maybe(told["source"]),
    target: maybe(told["target"]),
  };
}

/** Layers are told by number or by name; a number beyond the last is in the air. */
function layerOf(told: unknown): Layer | null {
  if (typeof told === "number") return LAYERS[told] ?? null;
  return LAYERS.find((layer) => layer === told) ?? null;
}

function place(told: Told): { x: number; y: number } {
  return { x: number(told["x"]), y: -number(told["y"]) };
}

function course(told: Told): { vx: number; vy: number } {
  return { vx: number(told["vx"]), vy: -number(told["vy"]) };
}

function object(told: unknown): Told {
  return typeof told === "object" && told !== null ? (told as Told) : {};
}

function list(told: unknown): Told[] {
  return Array.isArray(told) ? (told as Told[]) : [];
}

function entries<T>(told: unknown, make: (id: string, one: Told) => T): T[] {
  return Object.entries(object(told)).map(([id, one]) => make(id, object(one)));
}

function number(told: unknown, otherwise = 0): number {
  return typeof told === "number" && Number.isFinite(told) ? told : otherwise;
}

function text(told: unknown): string {
  return typeof told === "string" ? told : typeof told === "number" ? String(told) : "";
}

/** A name or an id that may be absent. */
function maybe(told: unknown): string | null {
  return typeof told === "string" || typeof told === "number" ? String(told) : null;
}
