/** What part of a battle is shown: some layers, and the truth or one side's picture of it. */

import type { Battle, BattleEvent, Height, Layer, Track } from "./battle";

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

export function pictureOf(battle: Battle, wanted: string | null, shown: Shown): Picture {
  const side = sideOf(battle, wanted);
  const own = <T extends { team: string }>(all: readonly T[]) =>
    side === null ? all : all.filter((one) => one.team === side);
  const layered = <T extends { layer: Height | null }>(all: readonly T[]) =>
    all.filter(({ layer }) => layer === null || shown[layer === "air" ? "surface" : layer]);
  const ships = own(battle.ships).filter(
    ({ layer, layer_next }) => shown[layer] || (layer_next !== null && shown[layer_next]),
  );
  return {
    battle: {
      ...battle,
      ships,
      rounds: layered(own(battle.rounds)),
      decoys: layered(own(battle.decoys)),
      mines: layered(own(battle.mines)),
      squadrons: shown.surface ? own(battle.squadrons) : [],
      // Only the truth knows how loud the sea is everywhere.
      noise: side === null ? battle.noise : null,
    },
    tracks: side === null ? [] : layered(strangers(battle.knowledge[side] ?? [])),
  };
}

/** Friends that answered are drawn as what they are. */
function strangers(tracks: readonly Track[]): readonly Track[] {
  return tracks.filter((track) => track.iff !== "authenticated");
}

/** Whether a side takes part in an event, so that it may be shown in that side's picture. */
export function isOf(event: BattleEvent, side: string | null, battle: Battle): boolean {
  if (side === null) return true;
  return battle.ships.some(
    (ship) => ship.team === side && (ship.id === event.source || ship.id === event.target),
  );
}
