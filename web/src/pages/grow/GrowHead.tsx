/** Which run, host and episode, and how it stands. */

import type { GrowthEpisode, GrowthOverview } from "../../api/growth";
import type { Run } from "../../api/types";
import { shortRun } from "../../shell/figures";
import { Icon } from "../../shell/icons";
import { formatRoute } from "../../shell/route";
import { beside, episodesOf, hostsOf, type Chosen } from "./choosing";
import { accuracy, spaced } from "./words";

interface Props {
  runs: readonly Run[];
  run: Run | null;
  runId: string;
  overview: GrowthOverview;
  chosen: Chosen | null;
  /** Shows whatever is newest. */
  follows: boolean;
  onRun: (run: string) => void;
  onChoose: (chosen: Chosen) => void;
  onFollow: () => void;
}

export function GrowHead(props: Props) {
  const { run, runId, overview, follows, onFollow } = props;
  const running = run?.status === "running";
  const started = overview.started;
  return (
    <header className="grow-head">
      <div className="grow-title">
        <h1>{started ? spaced(started.task) : "Growth"}</h1>
        {run && <span className={`badge badge-${run.status}`}>{run.status}</span>}
        {running && (
          <button
            type="button"
            className="follow"
            aria-pressed={follows}
            onClick={onFollow}
            disabled={follows}
          >
            <span className="live-dot" aria-hidden="true" /> {follows ? "Following" : "Follow"}
          </button>
        )}
        {started && (
          <p className="muted small">
            {spaced(started.controller)} · {started.topology} host of{" "}
            {started.host_params.toLocaleString("en")} parameters · {started.slots.length} slots ·
            reward {spaced(started.reward_mode)} · seed {started.seed} ·{" "}
            <a href={formatRoute("analyse", { runs: runId })}>curves</a>
          </p>
        )}
      </div>
      <div className="grow-pickers">
        <RunPicker {...props} />
        <EpisodePickers {...props} />
      </div>
    </header>
  );
}

function RunPicker({ runs, runId, onRun }: Props) {
  const known = runs.some((one) => one.run_id === runId);
  return (
    <label className="field">
      Run
      <select value={runId} onChange={(event) => onRun(event.target.value)}>
        {!known && <option value={runId}>{shortRun(runId)}</option>}
        {runs.map((one) => (
          <option key={one.run_id} value={one.run_id}>
            {shortRun(one.run_id)}
          </option>
        ))}
      </select>
    </label>
  );
}

function EpisodePickers({ overview, chosen, onChoose }: Props) {
  if (!chosen) return null;
  const hosts = hostsOf(overview.episodes);
  const row = episodesOf(overview.episodes, chosen.env);
  const before = beside(overview.episodes, chosen, -1);
  const after = beside(overview.episodes, chosen, 1);
  return (
    <>
      <label className="field">
        Host
        <select
          value={chosen.env}
          onChange={(event) => {
            const env = Number(event.target.value);
            const own = episodesOf(overview.episodes, env);
            const same = own.find((one) => one.episode === chosen.episode) ?? own.at(-1);
            onChoose({ env, episode: same?.episode ?? 0 });
          }}
        >
          {hosts.map((env) => (
            <option key={env} value={env}>
              {env}
            </option>
          ))}
        </select>
      </label>
      <div className="episode-picker">
        <button
          type="button"
          className="quiet"
          aria-label="Episode before"
          title="Episode before (,)"
          disabled={!before}
          onClick={() => before && onChoose(before)}
        >
          <Icon name="back" />
        </button>
        <label className="field">
          Episode
          <select
            value={chosen.episode}
            onChange={(event) => onChoose({ ...chosen, episode: Number(event.target.value) })}
          >
            {row.map((one) => (
              <option key={one.episode} value={one.episode}>
                {episodeWords(one)}
              </option>
            ))}
          </select>
        </label>
        <button
          type="button"
          className="quiet"
          aria-label="Episode after"
          title="Episode after (.)"
          disabled={!after}
          onClick={() => after && onChoose(after)}
        >
          <Icon name="next" />
        </button>
      </div>
    </>
  );
}

function episodeWords(one: GrowthEpisode): string {
  const round = one.round === one.episode ? "" : ` · round ${one.round}`;
  const end = one.outcome
    ? `${accuracy(one.outcome.final_accuracy)} ${spaced(one.outcome.outcome_type)}`
    : `${accuracy(one.accuracy)} at epoch ${one.last_epoch}`;
  return `${one.episode}${round} · ${end}`;
}
