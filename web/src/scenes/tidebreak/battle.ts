/** A battle in chart coordinates: metres, y downwards as on a screen, angles clockwise from the
 * right. */

export const LAYERS = ["surface", "submerged", "abyssal"] as const;
export type Layer = (typeof LAYERS)[number];
/** Rounds may also fly. */
export type Height = Layer | "air";

export type Point = readonly [x: number, y: number];

export type Shape =
  | { shape: "circle"; x: number; y: number; r: number }
  | { shape: "polygon"; points: readonly Point[] };

export type Zone = Shape & { kind: string; intensity: number };

export interface Chart {
  x: number;
  y: number;
  width: number;
  height: number;
  obstacles: readonly Shape[];
  zones: readonly Zone[];
}

export interface Mount {
  weapon: string;
  group: string;
  range: number;
  rounds: number;
  ready: boolean;
}

export interface Ship {
  id: string;
  name: string;
  team: string;
  hull: string;
  size: string;
  /** Half its length, metres. */
  r: number;
  x: number;
  y: number;
  heading: number;
  speed: number;
  layer: Layer;
  layer_next: Layer | null;
  transition: number;
  hp: number;
  morale: number;
  fuel: number;
  crew: number;
  fate: string | null;
  flags: readonly string[];
  emission: string;
  level_db: number;
  target: string | null;
  mounts: readonly Mount[];
  /** Health of its parts by name, where it has any. */
  parts: Readonly<Record<string, number>>;
  decoys: number | null;
  order: string | null;
  doctrine: string | null;
}

export interface Round {
  id: string;
  weapon: string;
  team: string;
  x: number;
  y: number;
  vx: number;
  vy: number;
  layer: Height;
  /** How far its seeker reaches, and half the angle of its cone; null where it has none. */
  seeker: { range: number; half: number } | null;
}

/** Something that lies or floats: a decoy, a mine. */
export interface Float {
  id: string;
  team: string;
  x: number;
  y: number;
  layer: Height;
}

export interface Squadron {
  id: string;
  team: string;
  x: number;
  y: number;
  craft: number;
  mission: string;
  stage: string;
}

export interface Track {
  key: string;
  x: number;
  y: number;
  vx: number;
  vy: number;
  sigma: number;
  quality: number;
  age: number;
  layer: Layer | null;
  size: string;
  iff: string;
}

export interface Team {
  name: string;
  /** What is left of it, 0 to 1; null where that is not known. */
  share: number | null;
  ships_left: number | null;
}

export interface Storm {
  id: string;
  x: number;
  y: number;
  r: number;
  intensity: number;
}

export interface Sky {
  sea_state: number;
  visibility_km: number;
  rain: number;
  wind: Point;
  daylight: number;
}

export interface Noise {
  w: number;
  h: number;
  cell: number;
  /** A byte a square in base64; a layer in which nothing is to be heard is left out. */
  layers: Readonly<Partial<Record<Layer, string>>>;
}

export interface BattleEvent {
  id: number;
  /** The event that led to it; 0 for none. */
  cause: number;
  /** The first of its chain. */
  trace: number;
  kind: string;
  tick: number;
  x: number;
  y: number;
  value: number;
  source: string | null;
  target: string | null;
}

export interface Battle {
  chart: Chart;
  tick: number;
  time_limit: number;
  sky: Sky;
  storms: readonly Storm[];
  teams: readonly Team[];
  ships: readonly Ship[];
  rounds: readonly Round[];
  decoys: readonly Float[];
  mines: readonly Float[];
  squadrons: readonly Squadron[];
  knowledge: Readonly<Record<string, readonly Track[]>>;
  noise: Noise | null;
  winner: string | null;
  ended_by: string | null;
  /** Whose picture this is, where it is not everybody's: a player is sent no more than that. */
  seen_by: string | null;
  events: readonly BattleEvent[];
}

export function shipOf(battle: Battle | null, id: string | null): Ship | null {
  if (!battle || id === null) return null;
  return battle.ships.find((ship) => ship.id === id) ?? null;
}

/** Whether it no longer takes part. */
export function isLost(ship: Ship): boolean {
  return ship.fate !== null && ship.fate !== "disabled";
}
