/** What a link to Grow says. Without an episode it means the newest, also while more begin. */

import { formatRoute } from "../../shell/route";

export interface GrowAddress {
  run: string | null;
  env: number | null;
  episode: number | null;
  epoch: number | null;
}

export function readAddress(params: Record<string, string>): GrowAddress {
  return {
    run: params["run"] ?? null,
    env: count(params["env"]),
    episode: count(params["episode"]),
    epoch: count(params["epoch"]),
  };
}

function count(text: string | undefined): number | null {
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : null;
}

export function writeAddress(address: GrowAddress): string {
  return formatRoute("grow", { ...address });
}
