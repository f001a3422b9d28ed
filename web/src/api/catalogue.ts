/** Lists of runs, windows and replays kept up to date with news, and their words. */

import type { Run, WindowRow } from "./types";

/** A changed run put in its place, newest first. */
export function mergeRun(runs: readonly Run[], changed: Run): Run[] {
  const others = runs.filter((run) => run.run_id !== changed.run_id);
  return [changed, ...others].sort((a, b) =>
    (b.updated_at ?? "").localeCompare(a.updated_at ?? ""),
  );
}

/** A window told twice is kept once. */
export function appended(rows: readonly WindowRow[], row: WindowRow): WindowRow[] {
  return [...rows.filter((one) => one.window_id !== row.window_id), row].sort(
    (a, b) => a.window_id - b.window_id,
  );
}

/** `milestone:return:25` as "return ≥ 25". */
export function tagText(tag: string): string {
  return tag
    .replace(/^milestone:/, "")
    .replace(":", " ≥ ")
    .replaceAll("_", " ");
}
