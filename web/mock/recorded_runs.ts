/** A stand-in for the server in development: answers from run folders, and deals recorded frames
 * as if they were being played. It never ships. */

import { readdirSync, readFileSync, existsSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import type { Plugin } from "vite";
import type { Frame, ReplayEntry, ReplayHeader, WindowRow } from "../src/api/types";
import { replayOfLines, timelineOf } from "../src/api/sample";
import { BATTLE_RUNS, battleEntry, battleMetadata, battleReplay, battleWorld } from "./battle/run";
import { MockGame, mockWorld } from "./game";
import { TOWN_RUN, townEntry, townMetadata, townReplay, townWorld } from "./town/run";

type Json = Record<string, unknown>;

const read = (path: string): Json => JSON.parse(readFileSync(path, "utf8")) as Json;

const isBattle = (id: string) => (BATTLE_RUNS as readonly string[]).includes(id);

class Runs {
  #replays = new Map<string, { header: ReplayHeader; frames: Frame[] }>();

  constructor(private readonly root: string) {}

  ids(): string[] {
    return readdirSync(this.root)
      .filter((id) => existsSync(join(this.root, id, "run_metadata.json")))
      .sort()
      .reverse()
      .concat(TOWN_RUN, BATTLE_RUNS);
  }

  metadata(id: string): Json {
    if (isBattle(id)) return battleMetadata(id);
    return id === TOWN_RUN ? townMetadata() : read(join(this.root, id, "run_metadata.json"));
  }

  config(id: string): Json {
    return id === TOWN_RUN || isBattle(id) ? {} : read(join(this.root, id, "config.json"));
  }

  replays(id: string): ReplayEntry[] {
    if (id === TOWN_RUN) return [townEntry()];
    if (isBattle(id)) return [battleEntry(id)];
    const path = join(this.root, id, "replay_index.json");
    return existsSync(path) ? (read(path)["entries"] as ReplayEntry[]).toReversed() : [];
  }

  windows(id: string): WindowRow[] {
    const path = join(this.root, id, "metrics", "windows.jsonl");
    if (!existsSync(path)) return [];
    const lines = readFileSync(path, "utf8").split("\n").filter(Boolean);
    return lines.map((line) => JSON.parse(line) as WindowRow);
  }

  row(id: string): Json {
    const metadata = this.metadata(id);
    const replays = this.replays(id);
    const best = replays.toSorted((a, b) => b.return_total - a.return_total)[0] ?? null;
    const run = (this.config(id)["run"] ?? {}) as Json;
    return {
      ...metadata,
      seed: run["seed"] ?? null,
      best_replay: best,
      replay_count: replays.length,
      problem: null,
    };
  }

  replay(id: string, replay: string) {
    if (id === TOWN_RUN) return townReplay();
    if (isBattle(id)) return battleReplay(id);
    const path = join(this.root, id, "replays", `${replay}.jsonl.gz`);
    const held =
      this.#replays.get(path) ?? replayOfLines(gunzipSync(readFileSync(path)).toString("utf8"));
    this.#replays.set(path, held);
    return held;
  }
}

export function recordedRuns(root: string): Plugin {
  const runs = new Runs(root);
  let game: MockGame | null = null;
  const newGame = () => {
    const id = runs.ids()[0] ?? "";
    const first = runs.replays(id)[0]?.replay_id ?? "";
    return new MockGame(runs.replay(id, first));
  };
  const handle = (request: IncomingMessage, response: ServerResponse, next: () => void) => {
    const url = new URL(request.url ?? "", "http://mock");
    if (!url.pathname.startsWith("/api/v1/")) return next();
    const parts = url.pathname.slice("/api/v1/".length).split("/").map(decodeURIComponent);
    if (parts[0] === "live") return live(response, runs);
    if (parts[0] === "play") {
      if (parts.length === 2 || !game) game = newGame();
      return send(response, game.answer(request.method ?? "GET", parts[3] ?? ""));
    }
    const reply = answer(runs, parts, url.searchParams);
    send(response, reply ?? { detail: `the stand-in has no ${url.pathname}` }, reply ? 200 : 404);
  };
  return {
    name: "recorded-runs",
    configureServer: (server) => void server.middlewares.use(handle),
    configurePreviewServer: (server) => void server.middlewares.use(handle),
  };
}

function send(response: ServerResponse, body: unknown, status = 200): void {
  response.writeHead(status, { "Content-Type": "application/json" });
  response.end(JSON.stringify(body));
}

function live(response: ServerResponse, runs: Runs): void {
  response.writeHead(200, { "Content-Type": "text/event-stream", "Cache-Control": "no-store" });
  const first = runs.ids()[0];
  if (first) response.write(`id: 1\nevent: run\ndata: ${JSON.stringify(runs.row(first))}\n\n`);
}

function answer(runs: Runs, parts: string[], params: URLSearchParams): unknown {
  const [head, id = "", part, replay = "", leaf] = parts;
  if (head === "worlds") {
    const run = runs.ids()[0] ?? "";
    const { header } = runs.replay(run, runs.replays(run)[0]?.replay_id ?? "");
    const town = townWorld();
    const made = [town, battleWorld()];
    return { worlds: header.world === town.id ? made : [mockWorld(header), ...made] };
  }
  if (head === "reports") return reports(id);
  if (head !== "runs") return null;
  if (id === "") {
    const rows = runs.ids().map((one) => runs.row(one));
    return { runs: rows, count: rows.length, total: rows.length };
  }
  if (!runs.ids().includes(id)) return null;
  if (part === undefined) return { run_id: id, metadata: runs.metadata(id) };
  if (part === "config") return { config: runs.config(id) };
  if (part === "metrics") return { windows: runs.windows(id).reverse() };
  if (part !== "replays") return null;
  if (replay === "") return { replays: runs.replays(id) };
  const entry = runs.replays(id).find((one) => one.replay_id === replay);
  if (!entry) return null;
  if (leaf === undefined) return { replay: entry };
  const held = runs.replay(id, replay);
  if (leaf === "timeline") return timelineOf(held, id, replay);
  const offset = Number(params.get("offset") ?? 0);
  const frames = held.frames.slice(offset, offset + Number(params.get("limit") ?? 256));
  const next = offset + frames.length;
  return {
    offset,
    next_offset: next,
    count: frames.length,
    has_more: next < held.frames.length,
    frames,
  };
}

/** Reports lie in the folder named by ASTRARIUM_REPORTS. */
function reports(name: string): unknown {
  const folder = process.env["ASTRARIUM_REPORTS"];
  if (!folder) return { reports: [] };
  if (name) return read(join(folder, name));
  const files = readdirSync(folder).filter((file) => file.endsWith(".json"));
  return {
    reports: files.map((file) => {
      const report = read(join(folder, file));
      const summary = report["summary"] as { pass?: boolean } | undefined;
      const machine = report["machine"] as { commit?: string } | undefined;
      return {
        name: file,
        kind: report["kind"] ?? null,
        generated_at: report["generated_at"] ?? null,
        passed: summary?.pass ?? null,
        commit: machine?.commit ?? null,
      };
    }),
  };
}
