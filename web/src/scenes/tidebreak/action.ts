/** Where the battle is: most of a wide sea is empty. */

import type { Area } from "../map/camera";
import { isLost } from "./battle";
import type { Picture } from "./seen";

/** The sea is cut into this many strips each way, so that the camera moves seldom. */
const STRIPS = 12;
/** Air around the ships, in strips. */
const AIR = 1;
/** Never nearer than this share of the sea. */
const LEAST_STRIPS = 4;

/** The strips in which ships and tracks are, and some around them. */
export function actionOf({ battle, tracks }: Picture, area: Area): Area {
  const ships = battle.ships.filter((ship) => !isLost(ship));
  const places = [...ships, ...tracks.filter((track) => track.sigma < area.width / 4)];
  if (places.length === 0) return area;
  const across = along(
    places.map((one) => one.x),
    area.x,
    area.width,
  );
  const down = along(
    places.map((one) => one.y),
    area.y,
    area.height,
  );
  return { ...area, x: across.from, width: across.length, y: down.from, height: down.length };
}

function along(at: readonly number[], from: number, length: number) {
  const strip = length / STRIPS;
  const numbers = at.map((one) => Math.floor((one - from) / strip));
  let first = Math.max(0, Math.min(...numbers) - AIR);
  let last = Math.min(STRIPS - 1, Math.max(...numbers) + AIR);
  while (last - first + 1 < LEAST_STRIPS && (first > 0 || last < STRIPS - 1)) {
    if (first > 0) first -= 1;
    if (last < STRIPS - 1) last += 1;
  }
  return { from: from + first * strip, length: (last - first + 1) * strip };
}
