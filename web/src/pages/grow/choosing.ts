/** Which episode of a run is shown, and which are beside it. Pure. */

import type { GrowthEpisode } from "../../api/growth";
import type { GrowAddress } from "./address";

export interface Chosen {
  env: number;
  episode: number;
}

/** As the address says; where it leaves something open, the first host and its newest episode. */
export function chosenOf(episodes: readonly GrowthEpisode[], address: GrowAddress): Chosen | null {
  if (address.env !== null && address.episode !== null) {
    return { env: address.env, episode: address.episode };
  }
  const fits = episodes.filter(
    (one) => address.episode === null || one.episode === address.episode,
  );
  const env = address.env ?? hostsOf(fits)[0];
  const newest = env === undefined ? undefined : episodesOf(fits, env).at(-1);
  return newest ? { env: newest.env, episode: newest.episode } : null;
}

export function hostsOf(episodes: readonly GrowthEpisode[]): number[] {
  return [...new Set(episodes.map((one) => one.env))].sort((a, b) => a - b);
}

/** Episodes of one host, oldest first. */
export function episodesOf(episodes: readonly GrowthEpisode[], env: number): GrowthEpisode[] {
  return episodes.filter((one) => one.env === env).sort((a, b) => a.episode - b.episode);
}

/** The episode before or after, of the same host. */
export function beside(
  episodes: readonly GrowthEpisode[],
  chosen: Chosen,
  by: 1 | -1,
): Chosen | null {
  const row = episodesOf(episodes, chosen.env);
  const at = row.findIndex((one) => one.episode === chosen.episode);
  const next = at < 0 ? undefined : row[at + by];
  return next ? { env: next.env, episode: next.episode } : null;
}
