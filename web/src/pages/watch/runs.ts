import type { Run } from "../../api/types";

/** A changed run put in its place, newest first. */
export function mergeRun(runs: readonly Run[], changed: Run): Run[] {
  const others = runs.filter((run) => run.run_id !== changed.run_id);
  return [changed, ...others].sort((a, b) => (b.updated_at ?? "").localeCompare(a.updated_at ?? ""));
}
