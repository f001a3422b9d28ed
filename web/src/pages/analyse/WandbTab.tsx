/** The ten latest runs on Weights & Biases, through the server, which holds the key. */

import { useState } from "react";
import { api } from "../../api/client";
import { Sparkline } from "../../charts/Sparkline";
import { ago, figure, metricTitle, percent } from "../../shell/figures";
import { useResource } from "../../shell/resource";
import { Command, Empty, Failed, Loading } from "../../shell/states";

export function WandbTab() {
  const status = useResource("wandb status", (signal) => api.wandbStatus(signal));
  if (status.loading && !status.value) return <Loading what="the state of W&B" />;
  if (!status.value) return <Failed error={status.error} retry={status.reload} />;
  const { available, reason, defaults } = status.value;
  if (!available) return <HowToConnect reason={reason} retry={status.reload} />;
  if (!defaults.entity || !defaults.project) {
    return <HowToConnect reason="no entity and project are set" retry={status.reload} />;
  }
  return <LastIterations />;
}

/** W&B is optional, so its absence is no fault. */
function HowToConnect({ reason, retry }: { reason: string | null; retry: () => void }) {
  return (
    <Empty title="The last ten iterations on Weights & Biases would be here.">
      <p>
        It is optional, and this server is not connected{reason ? `: ${reason}` : ""}. Pages never
        see the key.
      </p>
      <Command text="WANDB_API_KEY=… WANDB_ENTITY=… WANDB_PROJECT=… astrarium serve" />
      <button type="button" onClick={retry}>
        Look again
      </button>
    </Empty>
  );
}

function LastIterations() {
  const latest = useResource("wandb", (signal) => api.wandbLatest(signal));
  const [picked, setPicked] = useState<string | null>(null);
  if (latest.loading && !latest.value) return <Loading what="the last ten iterations" />;
  if (!latest.value) return <Failed error={latest.error} retry={latest.reload} />;
  const chosen = latest.value.find((run) => run.run_id === picked) ?? latest.value[0];
  if (!chosen) return <Empty title="The W&B project has no runs yet." />;
  return (
    <div className="stack">
      <label className="field run-select">
        Last ten iterations
        <select value={chosen.run_id} onChange={(event) => setPicked(event.target.value)}>
          {latest.value.map((run) => (
            <option key={run.run_id} value={run.run_id}>
              {run.name ?? run.run_id} ({run.state ?? "unknown"}, {ago(run.updated_at)})
            </option>
          ))}
        </select>
      </label>
      <Iteration key={chosen.run_id} id={chosen.run_id} />
    </div>
  );
}

const CARDS = ["return_mean", "profit_mean", "survival_rate", "env_steps_total"];

function Iteration({ id }: { id: string }) {
  const view = useResource(`wandb ${id}`, (signal) => api.wandbIteration(id, signal));
  if (view.loading && !view.value) return <Loading what="the iteration" />;
  if (!view.value) return <Failed error={view.error} retry={view.reload} />;
  const { kpis, history, run } = view.value;
  return (
    <>
      <div className="cards">
        {CARDS.map((name) => (
          <div key={name} className="panel card">
            <p className="muted small">
              {name === "env_steps_total" ? "Ticks" : metricTitle(name)}
            </p>
            <p className="card-figure">
              {name === "survival_rate" ? percent(kpis[name], 1) : figure(kpis[name])}
            </p>
            {name !== "env_steps_total" && (
              <Sparkline
                values={history.rows.map((row) =>
                  typeof row[name] === "number" ? row[name] : null,
                )}
                label={`${metricTitle(name)} over the iteration`}
              />
            )}
          </div>
        ))}
      </div>
      {run.url && (
        <p>
          <a href={run.url} rel="noreferrer">
            Open {run.name ?? run.run_id} on W&B
          </a>
        </p>
      )}
    </>
  );
}
