// Makes public/sample from a run folder: node scripts/make-sample.mjs RUN_FOLDER [FRAMES]
// The best replay is kept, cut to its first frames so that the page stays light.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";

const [folder, frames = "400"] = process.argv.slice(2);
if (!folder) {
  console.error("usage: node scripts/make-sample.mjs RUN_FOLDER [FRAMES]");
  process.exit(1);
}
const json = (name) => JSON.parse(readFileSync(join(folder, name), "utf8"));
const metadata = json("run_metadata.json");
const config = json("config.json");
const entries = json("replay_index.json").entries;
const best = entries.reduce((a, b) => (b.return_total > a.return_total ? b : a));

const lines = gunzipSync(readFileSync(join(folder, best.replay_path)))
  .toString("utf8")
  .split("\n")
  .filter(Boolean)
  .slice(0, Number(frames) + 1);
const [header, ...steps] = lines;
const title = JSON.parse(header);
title.policy = { ...title.policy, name: "sample", run_id: "sample" };
const reward = steps.reduce((sum, line) => sum + JSON.parse(line).reward, 0);
const last = JSON.parse(steps.at(-1));

const replay = {
  ...best,
  run_id: "sample",
  steps: steps.length,
  return_total: reward,
  profit: last.info?.net_profit ?? null,
  survival: last.info?.survival ?? null,
  terminated: last.terminated,
  truncated: last.truncated,
  tags: ["every_window", "best_so_far"],
};
const run = {
  run_id: "sample",
  status: "completed",
  world: metadata.world,
  seed: config.run.seed,
  trainer_backend: metadata.trainer_backend,
  env_steps_total: metadata.env_steps_total,
  windows_emitted: metadata.windows_emitted,
  checkpoints_written: metadata.checkpoints_written,
  latest_replay: replay,
  best_replay: replay,
  replay_count: 1,
  updated_at: metadata.updated_at,
  started_at: metadata.started_at,
  finished_at: metadata.finished_at,
  problem: null,
};
const windows = readFileSync(join(folder, "metrics/windows.jsonl"), "utf8")
  .split("\n")
  .filter(Boolean)
  .map((line) => ({ ...JSON.parse(line), run_id: "sample" }));
config.run.root = "runs";

const target = new URL("../public/sample/", import.meta.url);
mkdirSync(target, { recursive: true });
writeFileSync(
  new URL("run.json", target),
  JSON.stringify({ run, config, windows, replays: [replay] }),
);
writeFileSync(
  new URL("replay.jsonl.gz", target),
  gzipSync([JSON.stringify(title), ...steps].join("\n") + "\n", { level: 9 }),
);
