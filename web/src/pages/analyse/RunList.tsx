/** Which runs are shown. */

import { useMemo, useState } from "react";
import type { Run } from "../../api/types";
import { SAMPLE_RUN } from "../../api/sample";
import { ago, figure, runWorld, shortRun } from "../../shell/figures";
import { growLink } from "../../shell/route";

interface Props {
  runs: readonly Run[];
  chosen: readonly string[];
  onChoose: (ids: string[]) => void;
}

const SHOWN_MAX = 200;

export function RunList({ runs, chosen, onChoose }: Props) {
  const [search, setSearch] = useState("");
  const shown = useMemo(() => {
    const wanted = search.toLowerCase();
    return runs
      .filter((run) =>
        `${run.run_id} ${runWorld(run)} ${run.status}`.toLowerCase().includes(wanted),
      )
      .slice(0, SHOWN_MAX);
  }, [runs, search]);
  const toggle = (id: string) =>
    onChoose(chosen.includes(id) ? chosen.filter((one) => one !== id) : [...chosen, id]);
  return (
    <>
      <div className="run-rail-head">
        <h2>Runs</h2>
        <button
          type="button"
          className="link"
          onClick={() => onChoose([])}
          disabled={chosen.length === 0}
        >
          Clear
        </button>
      </div>
      {runs.length > 6 && (
        <label>
          <span className="visually-hidden">Search runs</span>
          <input
            type="search"
            className="wide"
            placeholder={`Search ${runs.length} runs`}
            value={search}
            onChange={(event) => setSearch(event.target.value)}
          />
        </label>
      )}
      <ul className="run-checks">
        {shown.map((run) => (
          <li key={run.run_id}>
            <label className="run-check" title={run.run_id}>
              <input
                type="checkbox"
                checked={chosen.includes(run.run_id)}
                disabled={run.status === "broken"}
                onChange={() => toggle(run.run_id)}
              />
              <span className="run-check-name">
                {run.run_id === SAMPLE_RUN ? "Bundled sample" : shortRun(run.run_id)}
              </span>
              <span className={`badge badge-${run.status}`}>{run.status}</span>
              <span className="muted small run-check-note">
                {run.problem ??
                  `${runWorld(run)} · seed ${run.seed ?? "–"} · ${figure(run.env_steps_total)} ticks · ${ago(run.updated_at)}`}
              </span>
            </label>
            {run.has_world_events && (
              <a className="small run-check-more" href={growLink(run.run_id)}>
                See it grow<span className="visually-hidden">: {shortRun(run.run_id)}</span>
              </a>
            )}
          </li>
        ))}
      </ul>
    </>
  );
}
