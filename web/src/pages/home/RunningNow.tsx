/** What trains at this moment, with its curve so far. */

import { useCallback } from "react";
import { appended } from "../../api/catalogue";
import { api } from "../../api/client";
import type { Run } from "../../api/types";
import { Sparkline } from "../../charts/Sparkline";
import { ago, counted, figure, shortRun } from "../../shell/figures";
import { useNews } from "../../shell/live";
import { useResource } from "../../shell/resource";
import { formatRoute, growLink, watchLink } from "../../shell/route";
import { useWorlds, worldTitle } from "../../shell/worlds";

export function RunningNow({ runs, total }: { runs: readonly Run[]; total: number }) {
  const running = runs.filter((run) => run.status === "running");
  const last = runs[0];
  return (
    <section className="shelf">
      <h2>Running now</h2>
      {running.length === 0 ? (
        <p className="muted">
          Nothing trains at the moment; {total} {total === 1 ? "run has" : "runs have"} been kept
          {last ? `, the last one ${ago(last.updated_at)}` : ""}.{" "}
          <a href={formatRoute("analyse")}>See their curves</a>.
        </p>
      ) : (
        <ul className="running">
          {running.map((run) => (
            <li key={run.run_id}>
              <RunningCard run={run} />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function RunningCard({ run }: { run: Run }) {
  const worlds = useWorlds();
  const windows = useResource(`windows ${run.run_id}`, (signal) =>
    api.windows(run.run_id, signal, 200),
  );
  const { set } = windows;
  useNews(
    useCallback(
      (news) => {
        if (news.kind !== "window" || news.run_id !== run.run_id) return;
        set((rows) => appended(rows, news.window));
      },
      [run.run_id, set],
    ),
  );
  const rows = windows.value ?? [];
  const returns = rows.map((row) =>
    typeof row["return_mean"] === "number" ? row["return_mean"] : null,
  );
  return (
    <article className="panel running-card">
      <header>
        <h3>{worldTitle(worlds, run.world)}</h3>
        <span className="badge badge-running">running</span>
      </header>
      <div className="panel-body stack-tight">
        <p className="small muted">
          {shortRun(run.run_id)} · seed {run.seed ?? "–"} · {figure(run.env_steps_total)} ticks ·{" "}
          {counted(run.windows_emitted, "window")}
        </p>
        <p>
          Return <b>{figure(returns.findLast((value) => value !== null))}</b>
        </p>
        <Sparkline values={returns} label="Mean return by window" />
        <div className="row">
          <a href={formatRoute("analyse", { runs: run.run_id })}>Curves</a>
          {run.has_world_events && <a href={growLink(run.run_id)}>See it grow</a>}
          {run.latest_replay && (
            <a href={watchLink(run.run_id, run.latest_replay.replay_id)}>Latest replay</a>
          )}
        </div>
      </div>
    </article>
  );
}
