/** A made-up battle as Tidebreak's portrait tells it. */

import { Fight, gap, type MadeUpShip, type Team } from "./fight";
import { GUN_M, HULLS, TORPEDO_M } from "./hulls";

const NOISE_EVERY = 5;
const CELL_M = 500;

export interface Sea {
  width: number;
  height: number;
  time_limit: number;
  obstacles: readonly Record<string, unknown>[];
  storm: boolean;
}

/** Metres to a decimal, angles to three: as frames that are told by changes want it. */
const metres = (value: number) => Math.round(value * 10) / 10;
const angle = (value: number) => Math.round(value * 1000) / 1000;

export function portrait(fight: Fight, sea: Sea): Record<string, unknown> {
  return {
    map: {
      min_x: 0,
      min_y: 0,
      max_x: sea.width,
      max_y: sea.height,
      obstacles: sea.obstacles,
      zones: [],
    },
    tick: fight.tick,
    time_limit: sea.time_limit,
    sky: { sea_state: 3, visibility_km: 14, rain: 0, wind: [6.5, 3.5], daylight: 0.9 },
    storms: sea.storm
      ? {
          "0": {
            x: metres(sea.width * 0.72 - fight.tick * 2),
            y: metres(sea.height * 0.7),
            r: 3200,
            intensity: 0.6,
          },
        }
      : {},
    teams: { blue: team(fight, "blue"), red: team(fight, "red") },
    ships: Object.fromEntries(fight.ships.map((ship) => [ship.id, toldShip(ship)])),
    rounds: Object.fromEntries(
      fight.rounds.map(({ id, weapon, team, x, y, vx, vy }) => [
        id,
        {
          weapon,
          team,
          x: metres(x),
          y: metres(y),
          vx: metres(vx),
          vy: metres(vy),
          layer: weapon === "medium_gun" ? 3 : 1,
        },
      ]),
    ),
    decoys: Object.fromEntries(
      fight.decoys.map(({ id, team, x, y }) => [
        id,
        { team, x: metres(x), y: metres(y), layer: 1 },
      ]),
    ),
    mines: {},
    squadrons: {},
    knowledge: { blue: knowledge(fight, "blue"), red: knowledge(fight, "red") },
    ...(fight.tick % NOISE_EVERY === 0 ? { fields: { noise: noise(fight, sea) } } : {}),
    events: fight.events,
  };
}

function team(fight: Fight, name: Team): Record<string, number> {
  const own = fight.ships.filter((ship) => ship.team === name);
  const value = (ship: MadeUpShip) =>
    ship.fate === null ? HULLS[ship.hull].value * Math.max(0, ship.hp / HULLS[ship.hull].hp) : 0;
  return {
    value: Math.round(own.reduce((sum, ship) => sum + value(ship), 0) * 1000) / 1000,
    value_start:
      Math.round(own.reduce((sum, ship) => sum + HULLS[ship.hull].value, 0) * 1000) / 1000,
    ships_left: own.filter((ship) => ship.fate === null).length,
  };
}

function toldShip(ship: MadeUpShip): Record<string, unknown> {
  const kind = HULLS[ship.hull];
  const share = Math.max(0, ship.hp / kind.hp);
  const next = ship.layer === 0 ? 1 : 0;
  return {
    name: ship.name,
    team: ship.team,
    hull: ship.hull,
    size: kind.size,
    r: kind.r,
    x: metres(ship.x),
    y: metres(ship.y),
    heading: angle(Math.atan2(Math.sin(ship.heading), Math.cos(ship.heading))),
    speed: metres(ship.speed),
    layer: ship.layer,
    ...(ship.transition > 0 ? { layer_next: next, transition: angle(ship.transition) } : {}),
    hp: angle(share),
    morale: angle(0.35 + 0.5 * share),
    fuel: 0.82,
    crew: Math.round(kind.crew * (0.4 + 0.6 * share)),
    ...(ship.fate === null ? {} : { fate: ship.fate }),
    flags: [...(ship.fire ? ["on_fire"] : []), ...(ship.flooding ? ["flooding"] : [])],
    emission: ship.hull === "attack_sub" ? "passive" : "active",
    level_db: metres(90 + 30 * (ship.speed / kind.speed) ** 2 + (ship.transition > 0 ? 20 : 0)),
    ...(ship.target === null ? {} : { target: ship.target }),
    mounts: mounts(ship),
    doctrine: "line",
  };
}

function mounts(ship: MadeUpShip): Record<string, unknown>[] {
  const kind = HULLS[ship.hull];
  const guns = Array.from({ length: kind.guns }, () => ({
    weapon: "medium_gun",
    group: "gun",
    range: GUN_M,
    rounds: ship.shells,
    ready: ship.gunReady === 0 ? 1 : 0,
  }));
  const tube = {
    weapon: "light_torpedo",
    group: "torpedo",
    range: TORPEDO_M,
    rounds: ship.torpedoes,
    ready: ship.tubeReady === 0 ? 1 : 0,
  };
  return kind.torpedoes > 0 ? [...guns, tube] : guns;
}

function knowledge(fight: Fight, name: Team): Record<string, unknown> {
  const told: Record<string, unknown> = {};
  for (const [id, seen] of fight.seen[name]) {
    const ship = fight.ships[id];
    const age = fight.tick - seen.since;
    if (!ship || ship.fate !== null || age > 90) continue;
    const near = Math.min(
      ...fight.ships.filter((one) => one.team === name).map((one) => gap(one, ship)),
    );
    const quality = Math.max(0, seen.quality - (age > 10 ? 1 : 0));
    told[`t${id}`] = {
      x: metres(ship.x + seen.dx + age * 3),
      y: metres(ship.y + seen.dy - age * 2),
      vx: metres(Math.cos(ship.heading) * ship.speed),
      vy: metres(Math.sin(ship.heading) * ship.speed),
      sigma: metres(near * [0.12, 0.04, 0.008][quality]! + 5 + age * 4),
      quality,
      age,
      ...(quality > 0 ? { layer: ship.layer } : {}),
      size: HULLS[ship.hull].size,
      iff: quality > 0 ? "hostile" : "unknown",
    };
  }
  return told;
}

/** The sound of each layer in which a ship may be. */
function noise(fight: Fight, sea: Sea): Record<string, unknown> {
  const [w, h] = [Math.ceil(sea.width / CELL_M), Math.ceil(sea.height / CELL_M)];
  const layers = { surface: chart(fight, w, h, 0), submerged: chart(fight, w, h, 1) };
  return { w, h, cell: CELL_M, layers };
}

/** Loud where ships run, quieter with the distance from them. */
function chart(fight: Fight, w: number, h: number, layer: number): string {
  const cells = Array.from({ length: w * h }, (_, i) => {
    const at = { x: ((i % w) + 0.5) * CELL_M, y: (Math.floor(i / w) + 0.5) * CELL_M };
    const loudest = Math.max(
      0,
      ...fight.ships
        .filter((ship) => ship.fate === null && ship.layer === layer)
        .map((ship) => ship.speed * 7 - (gap(ship, at) / CELL_M) * 16),
    );
    return Math.round(Math.min(255, 30 + loudest));
  });
  return btoa(String.fromCharCode(...cells));
}
