/** What Analyse knows of its runs, growing while they train. */

import { useCallback } from "react";
import { api } from "../../api/client";
import { appended } from "../../api/catalogue";
import type { Run, WindowRow } from "../../api/types";
import { useNews } from "../../shell/live";
import { useResource, type Resource } from "../../shell/resource";

export interface RunData {
  id: string;
  windows: WindowRow[];
  config: Record<string, unknown> | null;
  /** Why there is nothing to show. */
  error: unknown;
}

export function useRunData(ids: readonly string[]): Resource<RunData[]> {
  const data = useResource(ids.length ? `data ${ids.join(",")}` : null, (signal) =>
    Promise.all(ids.map((id) => loadRun(id, signal))),
  );
  const { set, reload } = data;
  useNews(
    useCallback(
      (news) => {
        if (news.kind === "reset") reload();
        if (news.kind !== "window") return;
        set((runs) =>
          runs.map((run) =>
            run.id === news.run_id ? { ...run, windows: appended(run.windows, news.window) } : run,
          ),
        );
      },
      [set, reload],
    ),
  );
  return data;
}

async function loadRun(id: string, signal: AbortSignal): Promise<RunData> {
  const [windows, config] = await Promise.allSettled([
    api.windows(id, signal),
    api.config(id, signal),
  ]);
  signal.throwIfAborted();
  return {
    id,
    windows: windows.status === "fulfilled" ? windows.value : [],
    config: config.status === "fulfilled" ? config.value : null,
    error: windows.status === "rejected" ? windows.reason : null,
  };
}

const CHOSEN_AT_FIRST = 5;

/** The newest run and those like it. */
export function firstChoice(runs: readonly Run[]): string[] {
  const readable = runs.filter((run) => (run.windows_emitted ?? 0) > 0 && run.status !== "broken");
  const newest = readable[0];
  return readable
    .filter((run) => run.world === newest?.world)
    .slice(0, CHOSEN_AT_FIRST)
    .map((run) => run.run_id);
}
