/** What the map and the curves of a war show. Pure. */

import type {
  BattleShip,
  DayFleet,
  FactionCurves,
  WarBattle,
  WarDay,
  WarFaction,
  WarNode,
  WarSummary,
} from "../../api/wars";
import type { Mark } from "../../player/keyframes";

export interface Place {
  x: number;
  y: number;
}

/** Screens are wider than they are high, and the ring of nodes is round. */
const STRETCH = 1.45;

/** North is up, so y is turned. */
export function placeOf(node: WarNode): Place {
  return { x: node.x * STRETCH, y: -node.y };
}

export interface Frame {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Room for what stands around the outermost nodes; names are wide. */
const AIR_X_KM = 180;
const AIR_Y_KM = 85;

export function frameOf(nodes: readonly WarNode[]): Frame {
  const places = nodes.map(placeOf);
  const [xs, ys] = [places.map((one) => one.x), places.map((one) => one.y)];
  const [x, y] = [Math.min(...xs) - AIR_X_KM, Math.min(...ys) - AIR_Y_KM];
  return {
    x,
    y,
    width: Math.max(...xs) + AIR_X_KM - x,
    height: Math.max(...ys) + AIR_Y_KM - y,
  };
}

export interface PlacedFleet {
  id: string;
  fleet: DayFleet;
  x: number;
  y: number;
}

const RING_KM = 52;

/** Fleets in port stand around their node, those under way on the line they follow. */
export function fleetsOf(day: WarDay, nodes: readonly WarNode[]): PlacedFleet[] {
  const byId = new Map(nodes.map((node) => [node.id, placeOf(node)]));
  const inPort = new Map<string, number>();
  return Object.entries(day.fleets).flatMap(([id, fleet]) => {
    if (fleet.at !== undefined) {
      const node = byId.get(fleet.at);
      if (!node) return [];
      const number = inPort.get(fleet.at) ?? 0;
      inPort.set(fleet.at, number + 1);
      const angle = -Math.PI / 2 + number * (Math.PI / 3.2);
      return [
        {
          id,
          fleet,
          x: node.x + Math.cos(angle) * RING_KM,
          y: node.y + Math.sin(angle) * RING_KM,
        },
      ];
    }
    const [from, to] = [byId.get(fleet.from ?? ""), byId.get(fleet.to ?? "")];
    if (!from || !to) return [];
    const share = fleet.progress ?? 0;
    return [
      { id, fleet, x: from.x + (to.x - from.x) * share, y: from.y + (to.y - from.y) * share },
    ];
  });
}

/** Where a battle was fought: at a node, or halfway between two. */
export function battlePlace(battle: WarBattle, nodes: readonly WarNode[]): Place | null {
  const byId = new Map(nodes.map((node) => [node.id, placeOf(node)]));
  const whole = byId.get(battle.node);
  if (whole) return whole;
  const [a, b] = battle.node.split("-").map((id) => byId.get(id));
  return a && b ? { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 } : null;
}

export function battleWhere(battle: WarBattle, nodes: readonly WarNode[]): string {
  const name = (id: string) => nodes.find((node) => node.id === id)?.name;
  const whole = name(battle.node);
  if (whole) return whole;
  const [a, b] = battle.node.split("-").map(name);
  return a && b ? `between ${a} and ${b}` : battle.node;
}

export function factionOf(war: WarSummary, id: string | null | undefined): WarFaction | null {
  return war.factions.find((faction) => faction.id === id) ?? null;
}

/** The curves of a faction; a war that has just begun has none. */
export function curvesOf(war: WarSummary, faction: string): FactionCurves | null {
  const found = war.curves[faction];
  return found && !Array.isArray(found) ? found : null;
}

export const MEASURES = {
  ships: "Ships",
  value: "Fleet value",
  nodes: "Nodes held",
  legitimacy: "Legitimacy",
  prosperity: "Prosperity",
  morale: "Morale",
  people: "People",
} as const;
export type Measure = keyof typeof MEASURES;

export interface CurveScale {
  y: (value: number) => number;
  /** Whether something lies below nothing, as prosperity may. */
  dips: boolean;
}

/** Where values lie in a curve of so many pixels; nothing is always in sight. */
export function curveScale(values: readonly number[], height: number): CurveScale {
  const low = Math.min(0, ...values);
  const top = Math.max(1e-9, ...values);
  const y = (value: number) => height - 4 - ((value - low) / (top - low)) * (height - 10);
  return { y, dips: low < 0 };
}

export function resourcesOf(war: WarSummary): string[] {
  const names = war.factions.flatMap(({ id }) => Object.keys(curvesOf(war, id)?.stocks ?? {}));
  return [...new Set(names)];
}

/** Battles and changes of hands above the scrubber. */
export function marksOf(war: WarSummary, days: readonly WarDay[]): Mark[] {
  const last = Math.max(1, days.length - 1);
  return days.flatMap((day, frame): Mark[] => {
    const fought = war.battles.filter((battle) => battle.day === day.day);
    const before = days[frame - 1];
    const taken = before
      ? war.nodes.filter(({ id }) => before.nodes[id]?.holder !== day.nodes[id]?.holder)
      : [];
    const names = [
      ...fought.map((battle) => `Battle: ${battleWhere(battle, war.nodes)}`),
      ...taken.map(({ id, name }) => {
        const holder = factionOf(war, day.nodes[id]?.holder)?.name ?? "nobody";
        return `${name} passes to ${holder}`;
      }),
    ];
    if (names.length === 0) return [];
    return [{ frame, place: frame / last, names, tone: fought.length > 0 ? "warn" : "plain" }];
  });
}

/** Everybody who died aboard. */
export function dead(ship: BattleShip): number {
  return ship.crew.killed + ship.marines.killed + ship.passengers.killed;
}

/** How many ships met which fate, the commonest first. */
export function fatesOf(ships: readonly BattleShip[]): string {
  const counts = new Map<string, number>();
  for (const { fate } of ships) counts.set(fate, (counts.get(fate) ?? 0) + 1);
  return [...counts]
    .sort(([a, n], [b, m]) => m - n || a.localeCompare(b))
    .map(([fate, count]) => `${count} ${fate.toLowerCase()}`)
    .join(", ");
}

export function endingWords(war: WarSummary | { winner: string | null; ended_by: string }): string {
  const words: Record<string, string> = {
    seat_fell: "a seat fell",
    score: "by score",
    draw: "a draw",
    going_on: "goes on",
  };
  return words[war.ended_by] ?? war.ended_by.replaceAll("_", " ");
}
