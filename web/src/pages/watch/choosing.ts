/** What to show when the link names no replay: the newest, else the sample. */

import { useEffect } from "react";
import { api } from "../../api/client";
import type { ReplayAddress } from "../../api/frames";
import { SAMPLE_RUN } from "../../api/sample";
import type { ReplayEntry } from "../../api/types";
import { replaceRoute } from "../../shell/route";
import { useResource, type Resource } from "../../shell/resource";
import { writeAddress, type WatchAddress } from "./address";

export function useDefaultReplay(address: WatchAddress): Resource<ReplayAddress | null> {
  const wanted = address.replay === null ? `default ${address.run ?? ""}` : null;
  const found = useResource(wanted, (signal) => defaultReplay(address.run, signal));
  const chosen = found.value;
  useEffect(() => {
    if (wanted === null || !chosen) return;
    replaceRoute(writeAddress({ ...address, replay: chosen, run: chosen.run }));
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [wanted, chosen]);
  return found;
}

async function defaultReplay(
  run: string | null,
  signal: AbortSignal,
): Promise<ReplayAddress | null> {
  if (run !== null) return addressOf((await api.replays(run, { limit: 1 }, signal))[0]);
  try {
    const { runs } = await api.runs({ limit: 50 }, signal);
    const newest = runs.find((one) => one.latest_replay !== null);
    if (newest) return addressOf(newest.latest_replay);
  } catch (error) {
    if (signal.aborted) throw error;
    // Without a server there is still the sample; the picker says what is wrong.
  }
  return addressOf((await api.replays(SAMPLE_RUN))[0]);
}

function addressOf(entry: ReplayEntry | null | undefined): ReplayAddress | null {
  return entry ? { run: entry.run_id, replay: entry.replay_id } : null;
}
