/** What part of a battle is shown: some layers, and the truth or what one side knew of it. */

import type { Battle, BattleEvent, Height, Layer, Ship, Team, Track } from "./battle";

export type Shown = Readonly<Record<Layer, boolean>>;

export interface Picture {
  battle: Battle;
  /** Estimates in place of the hulls that are not known for certain. */
  tracks: readonly Track[];
}

/** Whose knowledge is shown; a player's picture is always the player's own. */
export function sideOf(battle: Battle, wanted: string | null): string | null {
  if (battle.seen_by !== null) return battle.seen_by;
  return wanted !== null && wanted in battle.knowledge ? wanted : null;
}

const seen = new WeakMap<Battle, Map<string, Battle>>();

/** The battle as it is, or no more of it than a side knew. All that a side is shown comes from
 * here, and it is no more than the captain of that side would be sent. */
export function seenBattle(battle: Battle, wanted: string | null): Battle {
  const side = sideOf(battle, wanted);
  if (side === null) return battle;
  let views = seen.get(battle);
  if (!views) seen.set(battle, (views = new Map<string, Battle>()));
  let view = views.get(side);
  if (!view) views.set(side, (view = blinkered(battle, side)));
  return view;
}

function blinkered(battle: Battle, side: string): Battle {
  const own = <T extends { team: string }>(all: readonly T[]) =>
    all.filter((one) => one.team === side);
  const ships = own(battle.ships);
  const ids = new Set(ships.map((ship) => ship.id));
  return {
    ...battle,
    teams: battle.teams.map((team): Team =>
      team.name === side ? team : { ...team, share: null, ships_left: null },
    ),
    // The aim is told as who it really is; a captain aims at a track.
    ships: ships.map((ship): Ship => ({ ...ship, target: null })),
    rounds: own(battle.rounds),
    decoys: own(battle.decoys),
    mines: own(battle.mines),
    squadrons: own(battle.squadrons),
    knowledge: { [side]: battle.knowledge[side] ?? [] },
    // Only the truth knows how loud the sea is everywhere.
    noise: null,
    winner: null,
    ended_by: null,
    events: battle.events.flatMap((event) => knownPart(event, ids)),
  };
}

/** An event that names an own ship, without the names of others; of any other event nothing. */
function knownPart(event: BattleEvent, own: ReadonlySet<string>): BattleEvent[] {
  const named = (id: string | null) => (id !== null && own.has(id) ? id : null);
  const [source, target] = [named(event.source), named(event.target)];
  return source === null && target === null ? [] : [{ ...event, source, target }];
}

export function pictureOf(truth: Battle, wanted: string | null, shown: Shown): Picture {
  const side = sideOf(truth, wanted);
  const battle = seenBattle(truth, wanted);
  const layered = <T extends { layer: Height | null }>(all: readonly T[]) =>
    all.filter(({ layer }) => layer === null || shown[layer === "air" ? "surface" : layer]);
  return {
    battle: {
      ...battle,
      ships: battle.ships.filter(
        ({ layer, layer_next }) => shown[layer] || (layer_next !== null && shown[layer_next]),
      ),
      rounds: layered(battle.rounds),
      decoys: layered(battle.decoys),
      mines: layered(battle.mines),
      squadrons: shown.surface ? battle.squadrons : [],
    },
    tracks: side === null ? [] : layered(strangers(battle.knowledge[side] ?? [])),
  };
}

/** Friends that answered are drawn as what they are. */
function strangers(tracks: readonly Track[]): readonly Track[] {
  return tracks.filter((track) => track.iff !== "authenticated");
}
