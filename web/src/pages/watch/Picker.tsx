/** Which replay: runs on one side, the replays of the chosen one on the other. */

import { useMemo, useState } from "react";
import { mergeRun, tagText } from "../../api/catalogue";
import { api } from "../../api/client";
import { SAMPLE_RUN, sampleRun } from "../../api/sample";
import type { ReplayAddress } from "../../api/frames";
import type { ReplayEntry, Run } from "../../api/types";
import { ago, counted, figure, runWorld, shortRun } from "../../shell/figures";
import { useNews } from "../../shell/live";
import { useResource } from "../../shell/resource";
import { Empty, Failed, Loading, Stale } from "../../shell/states";

interface Props {
  chosen: ReplayAddress | null;
  /** The run whose replays are listed first. */
  start: string | null;
  onReplay: (address: ReplayAddress) => void;
}

export function Picker({ chosen, start, onReplay }: Props) {
  const [run, setRun] = useState(start);
  const runs = useResource("runs", (signal) => api.runs({ limit: 200 }, signal));
  const sample = useResource("sample", () => sampleRun());
  useNews((news) => {
    if (news.kind === "run") runs.set((page) => ({ ...page, runs: mergeRun(page.runs, news.run) }));
    if (news.kind === "reset") runs.reload();
    if (news.kind === "gone") {
      runs.set((page) => ({
        ...page,
        runs: page.runs.filter((one) => one.run_id !== news.run_id),
      }));
    }
  });
  const all = [...(runs.value?.runs ?? []), ...(sample.value ? [sample.value] : [])];
  return (
    <div className="picker">
      <section aria-label="Runs">
        <h3>Runs</h3>
        {runs.loading && !runs.value && <Loading what="runs" />}
        {runs.error !== null && !runs.value && <Failed error={runs.error} retry={runs.reload} />}
        {runs.stale && <Stale error={runs.error} retry={runs.reload} />}
        <ul className="choices">
          {all.map((one) => (
            <li key={one.run_id}>
              <RunChoice
                run={one}
                chosen={one.run_id === run}
                onChoose={() => setRun(one.run_id)}
              />
            </li>
          ))}
        </ul>
      </section>
      <section aria-label="Replays of the run">
        <h3>Replays</h3>
        {run ? (
          <Replays key={run} run={run} chosen={chosen} onReplay={onReplay} />
        ) : (
          <Empty title="Choose a run." />
        )}
      </section>
    </div>
  );
}

function RunChoice({ run, chosen, onChoose }: { run: Run; chosen: boolean; onChoose: () => void }) {
  return (
    <button type="button" className="choice" aria-pressed={chosen} onClick={onChoose}>
      <span className="choice-title" title={run.run_id}>
        {run.run_id === SAMPLE_RUN ? "Bundled sample" : shortRun(run.run_id)}
      </span>
      <span className={`badge badge-${run.status}`}>{run.status}</span>
      <span className="muted small choice-note">
        {run.problem ??
          `${runWorld(run)} · seed ${run.seed ?? "–"} · ${counted(run.replay_count, "replay")} · ${ago(run.updated_at)}`}
      </span>
    </button>
  );
}

interface ReplaysProps {
  run: string;
  chosen: ReplayAddress | null;
  onReplay: (address: ReplayAddress) => void;
}

function Replays({ run, chosen, onReplay }: ReplaysProps) {
  const replays = useResource(`replays ${run}`, (signal) =>
    api.replays(run, { limit: 500 }, signal),
  );
  const [tag, setTag] = useState<string | null>(null);
  const [window, setWindow] = useState("");
  useNews((news) => {
    if (news.kind !== "replay" || news.run_id !== run) return;
    replays.set((held) => [
      news.replay,
      ...held.filter((one) => one.replay_id !== news.replay.replay_id),
    ]);
  });
  const tags = useMemo(() => tagCounts(replays.value ?? []), [replays.value]);
  if (replays.loading && !replays.value) return <Loading what="replays" />;
  if (!replays.value) return <Failed error={replays.error} retry={replays.reload} />;
  if (replays.value.length === 0) {
    return (
      <Empty title="No replay yet. One is kept with each checkpoint, so the first comes soon." />
    );
  }
  const windows = [...new Set(replays.value.map((one) => one.window_id))];
  const shown = replays.value.filter(
    (one) =>
      (tag === null || one.tags.includes(tag)) &&
      (window === "" || one.window_id === Number(window)),
  );
  return (
    <>
      <div className="chips" role="group" aria-label="Filter by tag">
        {tags.map(([name, count]) => (
          <button
            key={name}
            type="button"
            aria-pressed={name === tag}
            onClick={() => setTag(name === tag ? null : name)}
          >
            {tagText(name)} <span className="muted">{count}</span>
          </button>
        ))}
      </div>
      {windows.length > 1 && (
        <label className="field-inline">
          <span className="visually-hidden">Window</span>
          <select value={window} onChange={(event) => setWindow(event.target.value)}>
            <option value="">All {windows.length} windows</option>
            {windows.map((id) => (
              <option key={id} value={id}>
                Window {id}
              </option>
            ))}
          </select>
        </label>
      )}
      <ul className="choices">
        {shown.length === 0 && <li className="muted">No replay has both.</li>}
        {shown.map((one) => (
          <li key={one.replay_id}>
            <ReplayChoice
              replay={one}
              chosen={one.replay_id === chosen?.replay && run === chosen.run}
              onChoose={() => onReplay({ run, replay: one.replay_id })}
            />
          </li>
        ))}
      </ul>
    </>
  );
}

function ReplayChoice(props: { replay: ReplayEntry; chosen: boolean; onChoose: () => void }) {
  const { replay, chosen, onChoose } = props;
  return (
    <button type="button" className="choice" aria-pressed={chosen} onClick={onChoose}>
      <span className="choice-title">Window {replay.window_id}</span>
      {replay.tags.includes("best_so_far") && <span className="badge badge-gold">best so far</span>}
      {replay.tags.includes("human") && <span className="badge">human</span>}
      <span className="muted small choice-note">
        return {figure(replay.return_total)} · {counted(replay.steps, "step")}
        {replay.profit === null ? "" : ` · profit ${figure(replay.profit)}`} ·{" "}
        {ago(replay.created_at)}
      </span>
    </button>
  );
}

function tagCounts(replays: readonly ReplayEntry[]): [string, number][] {
  const counts = new Map<string, number>();
  for (const replay of replays) {
    for (const tag of replay.tags) counts.set(tag, (counts.get(tag) ?? 0) + 1);
  }
  return [...counts];
}
