/** What somebody looks at in a battle. */

import type { Frame } from "../../api/types";
import { MapView, useMapView } from "../map/view";
import type { Battle, Layer } from "./battle";
import { battleOf } from "./reading";
import { seenBattle } from "./seen";

export type Overlay = Layer | "names" | "vectors" | "wakes" | "reach" | "noise" | "action";

interface Knowledge {
  /** Whose knowledge is shown in place of the truth. */
  readonly side: string | null;
}

export const battleView = new MapView<Overlay, Knowledge>(
  {
    surface: true,
    submerged: true,
    abyssal: true,
    names: true,
    vectors: true,
    wakes: true,
    reach: true,
    noise: false,
    action: true,
  },
  { side: null },
  {
    "1": "surface",
    "2": "submerged",
    "3": "abyssal",
    n: "names",
    v: "vectors",
    w: "wakes",
    r: "reach",
    o: "noise",
    z: "action",
  },
);

export function useView() {
  return useMapView(battleView);
}

/** The battle of a frame as it is looked at now: the truth, or what the chosen side knew. */
export function shownBattle(frame: Frame | null): Battle | null {
  const battle = battleOf(frame);
  return battle && seenBattle(battle, battleView.current().side);
}

export function useShownBattle(frame: Frame | null): Battle | null {
  useView();
  return shownBattle(frame);
}

/** Truth, then what each side knew, then truth again. */
export function nextSide(side: string | null, teams: readonly string[]): string | null {
  const at = side === null ? -1 : teams.indexOf(side);
  return teams[at + 1] ?? null;
}
