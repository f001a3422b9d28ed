/** The last windows of a run in figures, and which of them left replays. */

import { useState } from "react";
import { tagText } from "../../api/catalogue";
import { api } from "../../api/client";
import type { ReplayEntry, WindowRow } from "../../api/types";
import { Sparkline } from "../../charts/Sparkline";
import { ago, figure, metricTitle, percent, shortRun } from "../../shell/figures";
import { useNews } from "../../shell/live";
import { useResource, type Resource } from "../../shell/resource";
import { watchLink } from "../../shell/route";
import { Empty, Failed, Loading } from "../../shell/states";
import { TableScroll } from "../../shell/TableScroll";
import type { RunData } from "./run_data";

const WINDOWS_SHOWN = 10;
const REPLAY_WINDOWS_SHOWN = 18;
const CARDS = [
  "return_mean",
  "profit_mean",
  "survival_rate",
  "final_accuracy",
  "reward_mean",
  "overheat_ticks_mean",
  "pirate_encounters_mean",
  "value_lost_to_pirates_mean",
  "mining_ticks_mean",
  "scan_count_mean",
];

export function WindowsTab({ data }: { data: Resource<RunData[]> }) {
  const [picked, setPicked] = useState<string | null>(null);
  if (data.loading && !data.value) return <Loading what="windows" />;
  if (data.error !== null && !data.value) return <Failed error={data.error} retry={data.reload} />;
  const runs = data.value ?? [];
  const run = runs.find((one) => one.id === picked) ?? runs[0];
  if (!run) return <Empty title="Choose a run to see its windows." />;
  return (
    <div className="stack">
      <label className="field run-select">
        Run
        <select value={run.id} onChange={(event) => setPicked(event.target.value)}>
          {runs.map((one) => (
            <option key={one.id} value={one.id}>
              {shortRun(one.id)}
            </option>
          ))}
        </select>
      </label>
      {run.windows.length === 0 ? (
        <Empty title="No window has closed yet. The first one appears here by itself." />
      ) : (
        <>
          <Cards windows={run.windows} />
          <LastWindows windows={run.windows} />
        </>
      )}
      <ReplayTimeline key={run.id} run={run.id} />
    </div>
  );
}

function numbers(windows: readonly WindowRow[], metric: string): (number | null)[] {
  return windows.map((row) => (typeof row[metric] === "number" ? row[metric] : null));
}

function Cards({ windows }: { windows: readonly WindowRow[] }) {
  const last = windows.at(-1);
  return (
    <div className="cards">
      {CARDS.filter((metric) => numbers(windows, metric).some((one) => one !== null)).map(
        (metric) => (
          <div key={metric} className="panel card">
            <p className="muted small">{metricTitle(metric)}</p>
            <p className="card-figure">{cell(last, metric)}</p>
            <Sparkline
              values={numbers(windows, metric)}
              label={`${metricTitle(metric)} by window`}
            />
          </div>
        ),
      )}
    </div>
  );
}

/** Null is a value of its own: no episode ended in that window. */
function cell(row: WindowRow | undefined, metric: string): string {
  const value = row?.[metric];
  if (typeof value !== "number") return "–";
  return metric.endsWith("_rate") ? percent(value, 1) : figure(value);
}

const COLUMNS = [
  "env_steps_total",
  "episodes_completed",
  "return_mean",
  "profit_mean",
  "survival_rate",
  "final_accuracy",
  "steps_per_second",
];

function LastWindows({ windows }: { windows: readonly WindowRow[] }) {
  const shown = windows.slice(-WINDOWS_SHOWN).reverse();
  // A world that keeps no profit has no column of dashes for it.
  const columns = COLUMNS.filter((name) => numbers(shown, name).some((one) => one !== null));
  return (
    <section className="panel">
      <header>
        <h2>Last {Math.min(WINDOWS_SHOWN, windows.length)} windows</h2>
        <span className="muted small">newest first</span>
      </header>
      <TableScroll label="Last windows">
        <table>
          <thead>
            <tr>
              <th scope="col">Window</th>
              {columns.map((name) => (
                <th key={name} scope="col" className="number">
                  {name === "env_steps_total" ? "Ticks" : metricTitle(name)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map((row) => (
              <tr key={row.window_id}>
                <th scope="row">{row.window_id}</th>
                {columns.map((name) => (
                  <td key={name} className="number">
                    {cell(row, name)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </TableScroll>
    </section>
  );
}

function ReplayTimeline({ run }: { run: string }) {
  const replays = useResource(`replays ${run}`, (signal) =>
    api.replays(run, { limit: 500 }, signal),
  );
  useNews((news) => {
    if (news.kind === "replay" && news.run_id === run) {
      replays.set((held) => [news.replay, ...held]);
    }
  });
  if (replays.loading && !replays.value) return <Loading what="replays" />;
  if (!replays.value) return <Failed error={replays.error} retry={replays.reload} />;
  if (replays.value.length === 0) return <Empty title="This run has kept no replay yet." />;
  const windows = byWindow(replays.value).slice(0, REPLAY_WINDOWS_SHOWN);
  return (
    <section className="panel">
      <header>
        <h2>Replays by window</h2>
      </header>
      <TableScroll label="Replays by window">
        <table>
          <thead>
            <tr>
              <th scope="col">Window</th>
              <th scope="col" className="number">
                Replays
              </th>
              <th scope="col" className="number">
                Best return
              </th>
              <th scope="col">Reached</th>
              <th scope="col">Kept</th>
              <th scope="col">
                <span className="visually-hidden">Watch</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {windows.map(([window, entries]) => (
              <WindowReplays key={window} window={window} entries={entries} />
            ))}
          </tbody>
        </table>
      </TableScroll>
    </section>
  );
}

function WindowReplays({ window, entries }: { window: number; entries: ReplayEntry[] }) {
  const best = entries.reduce((a, b) => (b.return_total > a.return_total ? b : a));
  const tags = [...new Set(entries.flatMap((one) => one.tags))].filter(
    (tag) => tag !== "every_window",
  );
  return (
    <tr>
      <th scope="row">{window}</th>
      <td className="number">{entries.length}</td>
      <td className="number">{figure(best.return_total)}</td>
      <td>
        <div className="tags">
          {tags.map((tag) => (
            <span key={tag} className={tag === "best_so_far" ? "badge badge-gold" : "badge"}>
              {tagText(tag)}
            </span>
          ))}
        </div>
      </td>
      <td className="muted">{ago(best.created_at)}</td>
      <td>
        <a href={watchLink(best.run_id, best.replay_id)}>Watch</a>
      </td>
    </tr>
  );
}

function byWindow(replays: readonly ReplayEntry[]): [number, ReplayEntry[]][] {
  const windows = new Map<number, ReplayEntry[]>();
  for (const one of replays)
    windows.set(one.window_id, [...(windows.get(one.window_id) ?? []), one]);
  return [...windows].sort((a, b) => b[0] - a[0]);
}
