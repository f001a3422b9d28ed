/** Where a replay comes from, and how its run went. */

import { tagText } from "../../api/catalogue";
import { api } from "../../api/client";
import { Sparkline } from "../../charts/Sparkline";
import { clockTime, figure, metricTitle, playerName } from "../../shell/figures";
import { useResource } from "../../shell/resource";
import { formatRoute } from "../../shell/route";
import { Loading } from "../../shell/states";
import { useWorlds, worldById } from "../../shell/worlds";
import type { LoadedReplay } from "./replay";

const CURVES = ["reward_mean", "profit_mean", "survival_rate"];
const LINKS = { wandb_run_url: "W&B", constellation_url: "Constellation" } as const;

export function AboutPanel({ replay }: { replay: LoadedReplay }) {
  const { run } = replay.address;
  const detail = useResource(`run ${run}`, (signal) => api.run(run, signal));
  const windows = useResource(`windows ${run}`, (signal) => api.windows(run, signal, 500));
  const worlds = useWorlds();
  const entry = replay.entry.value;
  const header = replay.timeline.value?.header;
  if (!entry) return <Loading what="the replay's card" />;
  const facts: [string, string][] = [
    ["Replay", entry.replay_id],
    ["Run", run],
    ["World", header?.world ?? "–"],
    ["Seed", header ? String(header.seed) : "–"],
    ["Window", String(entry.window_id)],
    ["Ticks learnt before", figure(entry.checkpoint_env_steps_total)],
    ["Kept", clockTime(entry.created_at)],
    ["Player", playerName(entry.trainer_backend)],
  ];
  const rows = windows.value ?? [];
  return (
    <div className="stack">
      <dl className="facts">
        {facts.map(([label, text]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
      <div className="tags">
        {entry.tags.map((tag) => (
          <span key={tag} className="badge">
            {tagText(tag)}
          </span>
        ))}
      </div>
      {rows.length > 0 &&
        CURVES.filter((metric) => rows.some((row) => typeof row[metric] === "number")).map(
          (metric) => (
            <div key={metric}>
              <p className="small muted">{metricTitle(metric)} by window</p>
              <Sparkline
                values={rows.map((row) => (typeof row[metric] === "number" ? row[metric] : null))}
                label={`${metricTitle(metric)} by window`}
              />
            </div>
          ),
        )}
      <p className="row">
        <a href={formatRoute("analyse", { runs: run })}>All curves of the run</a>
        {header && worldById(worlds, header.world)?.playable && (
          <a href={formatRoute("play", { world: header.world, seed: header.seed })}>
            Play this seed yourself
          </a>
        )}
        {Object.entries(LINKS).map(([field, title]) => {
          const url = detail.value?.metadata[field];
          return typeof url === "string" && /^https?:/.test(url) ? (
            <a key={field} href={url} rel="noreferrer">
              {title}
            </a>
          ) : null;
        })}
      </p>
    </div>
  );
}
