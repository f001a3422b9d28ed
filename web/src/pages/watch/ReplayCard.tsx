/** The replay in a line: which run, what it reached; opens the picker. */

import { SAMPLE_RUN } from "../../api/sample";
import { clockTime, figure, percent, shortRun } from "../../shell/figures";
import type { LoadedReplay } from "./replay";

interface Props {
  replay: LoadedReplay | null;
  open: boolean;
  onPick: () => void;
}

export function ReplayCard({ replay, open, onPick }: Props) {
  const entry = replay?.entry.value ?? null;
  const run = replay?.address.run ?? null;
  return (
    <div className="replay-card">
      <button type="button" aria-expanded={open} onClick={onPick}>
        {open ? "Close the list" : "Choose a replay"}
      </button>
      <div className="replay-line">
        <p className="replay-title">
          {run === null
            ? "No replay chosen"
            : run === SAMPLE_RUN
              ? "Bundled sample"
              : `Run ${shortRun(run)}`}
          {entry && <span className="muted"> · window {entry.window_id}</span>}{" "}
          {entry?.tags.includes("best_so_far") && (
            <span className="badge badge-gold">best so far</span>
          )}
        </p>
        {entry && (
          <p className="muted small replay-figures">
            <span>
              return <b>{figure(entry.return_total)}</b>
            </span>
            {entry.profit !== null && (
              <span>
                profit <b>{figure(entry.profit)}</b>
              </span>
            )}
            {entry.survival !== null && (
              <span>
                survival <b>{percent(entry.survival)}</b>
              </span>
            )}
            <span>
              <b>{figure(entry.steps)}</b> {entry.steps === 1 ? "step" : "steps"}
            </span>
            <span className="wide-only">{clockTime(entry.created_at)}</span>
          </p>
        )}
      </div>
    </div>
  );
}
