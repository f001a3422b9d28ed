/** Where everybody stands between two ticks. */

import type { Citizen, Place, Town } from "./town";

/** Farther than anybody walks in a tick: put there, not walked. */
const WALK_MAX = 2;

export interface Standing {
  citizen: Citizen;
  x: number;
  y: number;
  /** 0 gone to 1 wholly here. */
  presence: number;
  walking: boolean;
}

export function between(from: Place, to: Place, share: number): Place {
  const [dx, dy] = [to[0] - from[0], to[1] - from[1]];
  if (Math.abs(dx) + Math.abs(dy) > WALK_MAX) return to;
  return [from[0] + dx * share, from[1] + dy * share];
}

/** Everybody in the town, and those who are just leaving it. */
export function standings(town: Town, before: Town | null, progress: number): Standing[] {
  const share = Math.min(1, Math.max(0, progress));
  const earlier = new Map(before?.agents.map((citizen) => [citizen.id, citizen]));
  const here = town.agents.map((citizen): Standing => {
    const was = earlier.get(citizen.id);
    earlier.delete(citizen.id);
    const [x, y] = was ? between(was.position, citizen.position, share) : citizen.position;
    const walking = was !== undefined && share < 1 && moved(was.position, citizen.position);
    return { citizen, x, y, presence: before && !was ? share : 1, walking };
  });
  const leaving = [...earlier.values()].map((citizen): Standing => {
    const [x, y] = citizen.position;
    return { citizen, x, y, presence: 1 - share, walking: false };
  });
  // Whoever stands farther south is drawn over the one behind.
  return [...here, ...leaving.filter((one) => one.presence > 0)].sort((a, b) => a.y - b.y);
}

function moved(from: Place, to: Place): boolean {
  return from[0] !== to[0] || from[1] !== to[1];
}

/** The citizen at a point of the map, the nearest if several. */
export function citizenAt(
  all: readonly Standing[],
  x: number,
  y: number,
  reach: number,
): Citizen | null {
  let found: Citizen | null = null;
  let nearest = reach;
  for (const one of all) {
    const distance = Math.hypot(one.x + 0.5 - x, one.y + 0.3 - y);
    if (distance < nearest) [found, nearest] = [one.citizen, distance];
  }
  return found;
}
