/** Where everything is between two ticks, and where it was before. */

import type { Battle, Point, Round, Ship } from "./battle";

/** Farther than this in a tick is a new place, not a way. */
const LEAP_M = 1500;

interface Placed {
  id: string;
  x: number;
  y: number;
}

function between<T extends Placed>(now: T, was: T | undefined, share: number): T {
  if (!was || share >= 1) return now;
  const [dx, dy] = [now.x - was.x, now.y - was.y];
  if (Math.hypot(dx, dy) > LEAP_M) return now;
  return { ...now, x: was.x + dx * share, y: was.y + dy * share };
}

/** The shorter way round. */
export function turned(from: number, to: number, share: number): number {
  const full = 2 * Math.PI;
  const way = ((((to - from + Math.PI) % full) + full) % full) - Math.PI;
  return from + way * share;
}

function moved<T extends Placed>(now: readonly T[], was: readonly T[] | undefined, share: number) {
  const earlier = new Map(was?.map((one) => [one.id, one]));
  return now.map((one) => between(one, earlier.get(one.id), share));
}

/** The battle as it stands when a share of the step to it has passed. */
export function movedBattle(battle: Battle, before: Battle | null, share: number): Battle {
  if (!before || share >= 1) return battle;
  const earlier = new Map(before.ships.map((ship) => [ship.id, ship]));
  return {
    ...battle,
    ships: battle.ships.map((ship): Ship => {
      const was = earlier.get(ship.id);
      const at = between(ship, was, share);
      return was ? { ...at, heading: turned(was.heading, ship.heading, share) } : at;
    }),
    rounds: moved<Round>(battle.rounds, before.rounds, share),
    squadrons: moved(battle.squadrons, before.squadrons, share),
  };
}

/** Seconds of way that stay visible behind a hull. */
export const WAKE_TICKS = 90;
const WAKE_STEP = 3;
/** Torpedoes leave their tracks in the water for less. */
export const TRAIL_TICKS = 24;

export type Ways = ReadonlyMap<string, readonly Point[]>;

/** The battle so many steps before, where it is still known. */
export type Earlier = (steps: number) => Battle | null;

/** The ways of ships, newest point first, each from where it is now. */
export function wakesOf(battle: Battle, earlier: Earlier): Ways {
  const ways = new Map<string, Point[]>(
    battle.ships.map((ship) => [ship.id, [[ship.x, ship.y] as Point]]),
  );
  for (let back = WAKE_STEP; back <= WAKE_TICKS; back += WAKE_STEP) {
    const past = earlier(back);
    if (!past) break;
    for (const ship of past.ships) ways.get(ship.id)?.push([ship.x, ship.y]);
  }
  return ways;
}

/** The ways of rounds that run through the water, newest point first. */
export function trailsOf(battle: Battle, earlier: Earlier): Ways {
  const running = battle.rounds.filter((round) => round.layer !== "air" || isMissile(round));
  const ways = new Map<string, Point[]>(
    running.map((round) => [round.id, [[round.x, round.y] as Point]]),
  );
  if (ways.size === 0) return ways;
  for (let back = 1; back <= TRAIL_TICKS; back++) {
    const past = earlier(back);
    if (!past) break;
    for (const round of past.rounds) ways.get(round.id)?.push([round.x, round.y]);
  }
  return ways;
}

export function isMissile({ weapon }: Pick<Round, "weapon">): boolean {
  return weapon.includes("missile");
}

export function isTorpedo({ weapon }: Pick<Round, "weapon">): boolean {
  return weapon.includes("torpedo");
}
