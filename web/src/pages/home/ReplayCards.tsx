import type { ReplayEntry, Run } from "../../api/types";
import { ago, counted, figure, percent } from "../../shell/figures";
import { watchLink } from "../../shell/route";
import { useWorlds, worldTitle } from "../../shell/worlds";

interface Props {
  title: string;
  replays: ReplayEntry[];
  runs: readonly Run[];
}

export function ReplayCards({ title, replays, runs }: Props) {
  const worlds = useWorlds();
  if (replays.length === 0) return null;
  return (
    <section className="shelf">
      <h2>{title}</h2>
      <ul>
        {replays.map((replay) => {
          const run = runs.find((one) => one.run_id === replay.run_id);
          return (
            <li key={`${replay.run_id} ${replay.replay_id}`}>
              <a className="panel replay-tile" href={watchLink(replay.run_id, replay.replay_id)}>
                <span className="tile-figure">{figure(replay.return_total)}</span>
                <span className="muted small">return</span>
                <span className="tile-title">
                  {worldTitle(worlds, run?.world)}
                  <span className="muted"> · window {replay.window_id}</span>
                </span>
                <span className="muted small">
                  {counted(replay.steps, "step")}
                  {replay.survival === null ? "" : ` · survival ${percent(replay.survival)}`} ·{" "}
                  {ago(replay.created_at)}
                </span>
                <span className="tags">
                  {replay.tags.includes("best_so_far") && (
                    <span className="badge badge-gold">best so far</span>
                  )}
                  {replay.tags.includes("human") && <span className="badge">human</span>}
                </span>
              </a>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
