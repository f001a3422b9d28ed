/** The run that comes with the page, so that there is something to see before the first training.
 *
 * Its files lie in `sample/` beside the page: the replay as training wrote it, and one JSON file
 * with the rest. It answers the same calls as a run of the server.
 */

import { ApiError } from "./errors";
import type {
  Frame,
  FramePage,
  ReplayEntry,
  ReplayHeader,
  Run,
  Timeline,
  WindowRow,
} from "./types";

export const SAMPLE_RUN = "sample";

interface SampleFile {
  run: Run;
  config: Record<string, unknown>;
  windows: WindowRow[];
  replays: ReplayEntry[];
}

interface SampleReplay {
  header: ReplayHeader;
  frames: Frame[];
}

let file: Promise<SampleFile> | null = null;
let replay: Promise<SampleReplay> | null = null;

export function sampleRun(): Promise<Run> {
  return sampleFile().then((sample) => sample.run);
}

function sampleFile(): Promise<SampleFile> {
  file ??= fetched("sample/run.json").then((reply) => reply.json() as Promise<SampleFile>);
  return file;
}

function sampleFrames(): Promise<SampleReplay> {
  replay ??= fetched("sample/replay.jsonl.gz").then(unpacked).then(replayOfLines);
  return replay;
}

async function fetched(path: string): Promise<Response> {
  const reply = await fetch(`./${path}`).catch(() => null);
  if (!reply?.ok) throw new ApiError("missing", `The bundled sample lacks ${path}.`);
  return reply;
}

/** Some hosts unpack `.gz` on the way and some do not, so the first bytes decide. */
async function unpacked(reply: Response): Promise<string> {
  const bytes = new Uint8Array(await reply.arrayBuffer());
  const packed = bytes[0] === 0x1f && bytes[1] === 0x8b;
  if (!packed) return new TextDecoder().decode(bytes);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).text();
}

export function replayOfLines(text: string): SampleReplay {
  const lines = text.split("\n").filter((line) => line !== "");
  const [first, ...rest] = lines;
  if (first === undefined) throw new ApiError("malformed", "The bundled replay is empty.");
  return {
    header: JSON.parse(first) as ReplayHeader,
    frames: rest.map((line) => JSON.parse(line) as Frame),
  };
}

export function timelineOf(replay: SampleReplay, runId: string, replayId: string): Timeline {
  const { header, frames } = replay;
  const sum = (value: number | number[]) =>
    Array.isArray(value) ? value.reduce((a, b) => a + b, 0) : value;
  const terms: Record<string, number> = {};
  for (const frame of frames) {
    for (const row of [frame.terms ?? {}].flat()) {
      for (const [name, value] of Object.entries(row)) terms[name] = (terms[name] ?? 0) + value;
    }
  }
  return {
    run_id: runId,
    replay_id: replayId,
    header,
    frames: frames.length,
    ticks: frames.at(-1)?.t ?? 0,
    events: frames.flatMap((frame) =>
      frame.events.map((name) => ({ frame: frame.frame_index, name })),
    ),
    reward: frames.map((frame) => sum(frame.reward)),
    stride: 1,
    terms,
  };
}

function pageOf(frames: Frame[], offset: number, limit: number): FramePage {
  const page = frames.slice(offset, offset + limit);
  const next = offset + page.length;
  return {
    offset,
    next_offset: next,
    count: page.length,
    has_more: next < frames.length,
    frames: page,
  };
}

export async function sampleReply<T>(path: string): Promise<T> {
  const url = new URL(path, "http://sample");
  const [, , ...rest] = url.pathname.split("/").filter((part) => part !== "");
  return (await answer(rest, url.searchParams, path)) as T;
}

async function answer(rest: string[], params: URLSearchParams, path: string): Promise<unknown> {
  const sample = await sampleFile();
  if (rest.length === 0) {
    return { run_id: SAMPLE_RUN, metadata: sample.run, replay_count: sample.replays.length };
  }
  if (rest[0] === "config") return { config: sample.config };
  if (rest[0] === "metrics") return { windows: [...sample.windows].reverse() };
  if (rest[0] === "replays") {
    const entry = sample.replays.find((one) => one.replay_id === rest[1]);
    if (rest.length === 1) return { replays: sample.replays };
    if (entry && rest.length === 2) return { replay: entry };
    if (entry && rest[2] === "timeline") {
      return timelineOf(await sampleFrames(), SAMPLE_RUN, entry.replay_id);
    }
    if (entry && rest[2] === "frames") {
      const limit = Number(params.get("limit") ?? 256);
      return pageOf((await sampleFrames()).frames, Number(params.get("offset") ?? 0), limit);
    }
  }
  throw new ApiError("missing", `The sample has no ${path}.`);
}
