/** What a link to Watch says. */

import type { ReplayAddress, Transport } from "../../api/frames";
import type { LockstepMode } from "../../player/lockstep";
import { formatRoute } from "../../shell/route";

export interface WatchAddress {
  replay: ReplayAddress | null;
  beside: ReplayAddress | null;
  run: string | null;
  frame: number | null;
  transport: Transport;
  mode: LockstepMode;
}

export function readAddress(params: Record<string, string>): WatchAddress {
  const frame = Number.parseInt(params["frame"] ?? "", 10);
  return {
    run: params["run"] ?? null,
    replay: pair(params["run"], params["replay"]),
    beside: pair(params["run2"], params["replay2"]),
    frame: Number.isInteger(frame) && frame >= 0 ? frame : null,
    transport: params["transport"] === "ws" ? "ws" : "http",
    mode: params["lockstep"] === "ticks" ? "ticks" : "steps",
  };
}

function pair(run: string | undefined, replay: string | undefined): ReplayAddress | null {
  return run && replay ? { run, replay } : null;
}

export function writeAddress(address: WatchAddress): string {
  return formatRoute("watch", {
    run: address.replay?.run ?? address.run,
    replay: address.replay?.replay ?? null,
    run2: address.beside?.run ?? null,
    replay2: address.beside?.replay ?? null,
    frame: address.frame,
    transport: address.transport === "ws" ? "ws" : null,
    lockstep: address.mode === "ticks" ? "ticks" : null,
  });
}
