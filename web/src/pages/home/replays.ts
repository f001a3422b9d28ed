import type { ReplayEntry, Run } from "../../api/types";

const SHOWN = 6;

function entries(runs: readonly Run[], pick: (run: Run) => ReplayEntry | null): ReplayEntry[] {
  return runs.map(pick).filter((entry) => entry !== null);
}

export function newestReplays(runs: readonly Run[]): ReplayEntry[] {
  return entries(runs, (run) => run.latest_replay)
    .sort((a, b) => b.created_at.localeCompare(a.created_at))
    .slice(0, SHOWN);
}

/** The best of each run; returns of different worlds do not compare, so each world has its turn. */
export function bestReplays(runs: readonly Run[]): ReplayEntry[] {
  const worldOf = new Map(runs.map((run) => [run.run_id, run.world ?? ""]));
  const ranks = new Map<string, number>();
  return entries(runs, (run) => run.best_replay)
    .sort((a, b) => b.return_total - a.return_total)
    .map((entry) => {
      const world = worldOf.get(entry.run_id) ?? "";
      const rank = ranks.get(world) ?? 0;
      ranks.set(world, rank + 1);
      return { entry, rank };
    })
    .sort((a, b) => a.rank - b.rank)
    .slice(0, SHOWN)
    .map(({ entry }) => entry);
}
