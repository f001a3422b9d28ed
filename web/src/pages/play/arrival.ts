/** Which game a visit to Play begins with. */

import type { World } from "../../api/types";
import type { Wanted } from "./session";

/** As the link says, else the usual world with any seed. */
export function arrivalOf(params: Record<string, string>, worlds: readonly World[]): Wanted {
  const named = worlds.find((world) => world.id === params["world"]);
  const seed = Number.parseInt(params["seed"] ?? "", 10);
  return {
    world: (named ?? usualWorld(worlds)).id,
    named: named !== undefined,
    seed: Number.isSafeInteger(seed) && seed >= 0 ? seed : null,
  };
}

/** The last version of the first world listed: versions are told apart by their number. */
function usualWorld(worlds: readonly World[]): World {
  const family = worlds[0]?.scene;
  const found = worlds.findLast((world) => world.scene === family);
  if (!found) throw new Error("no playable world");
  return found;
}
