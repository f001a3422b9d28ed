/** The HTTP API as typed calls. */

import { ApiError, faultOfStatus } from "./errors";
import { SAMPLE_RUN, sampleReply } from "./sample";
import type {
  Completeness,
  FramePage,
  OutcomeTable,
  ReplayEntry,
  ReportRow,
  Run,
  RunDetail,
  RunPage,
  Session,
  Timeline,
  WandbIteration,
  WandbRun,
  WandbStatus,
  WindowRow,
  World,
} from "./types";

declare global {
  interface Window {
    ASTRARIUM_API?: string;
  }
}

const TOKEN_KEY = "astrarium.token";

export function apiBase(): string {
  return (window.ASTRARIUM_API ?? window.location.origin).replace(/\/+$/, "");
}

export function apiUrl(path: string): string {
  return `${apiBase()}/api/v1${path}`;
}

export function socketUrl(path: string): string {
  return apiUrl(path).replace(/^http/, "ws");
}

/** Kept for the tab only, so that a shared computer forgets it. */
export function token(): string | null {
  return sessionStorage.getItem(TOKEN_KEY);
}

export function setToken(value: string): void {
  if (value) sessionStorage.setItem(TOKEN_KEY, value);
  else sessionStorage.removeItem(TOKEN_KEY);
}

export function authHeaders(): Record<string, string> {
  const held = token();
  return held ? { Authorization: `Bearer ${held}` } : {};
}

interface CallOptions {
  method?: "GET" | "POST" | "DELETE";
  body?: unknown;
  signal?: AbortSignal | undefined;
}

export async function call<T>(path: string, options: CallOptions = {}): Promise<T> {
  const headers: Record<string, string> = authHeaders();
  if (options.body !== undefined) headers["Content-Type"] = "application/json";
  let reply: Response;
  try {
    reply = await fetch(apiUrl(path), {
      method: options.method ?? "GET",
      headers,
      cache: "no-store",
      // What is deleted on leaving a page must outlive it.
      keepalive: options.method === "DELETE",
      ...(options.body === undefined ? {} : { body: JSON.stringify(options.body) }),
      ...(options.signal ? { signal: options.signal } : {}),
    });
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") throw error;
    throw new ApiError("offline", `No answer from ${apiBase()}.`);
  }
  if (!reply.ok) throw await failure(reply);
  return decoded<T>(reply, path);
}

async function decoded<T>(reply: Response, path: string): Promise<T> {
  try {
    return (await reply.json()) as T;
  } catch {
    throw new ApiError("malformed", `The answer to ${path} is not JSON.`, reply.status);
  }
}

async function failure(reply: Response): Promise<ApiError> {
  let detail = reply.statusText || "no reason given";
  try {
    const body = (await reply.json()) as { detail?: unknown };
    if (typeof body.detail === "string") detail = body.detail;
    else if (body.detail !== undefined) detail = JSON.stringify(body.detail);
  } catch {
    // A proxy's page instead of our JSON: the status alone must do.
  }
  return new ApiError(faultOfStatus(reply.status), `${reply.status}: ${detail}`, reply.status);
}

export function query(values: Record<string, string | number | null | undefined>): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) {
    if (value !== null && value !== undefined && value !== "") params.set(name, String(value));
  }
  const text = params.toString();
  return text ? `?${text}` : "";
}

const enc = encodeURIComponent;

/** A GET, answered from the bundled files where it asks for the sample run. */
function get<T>(path: string, signal?: AbortSignal): Promise<T> {
  const [run] = path.slice("/runs/".length).split(/[/?]/);
  if (run === SAMPLE_RUN) return sampleReply<T>(path);
  return call<T>(path, { signal });
}

export interface RunFilter {
  limit?: number;
  offset?: number;
  world?: string;
  status?: string;
}

export interface ReplayFilter {
  tag?: string;
  window_id?: number;
  limit?: number;
}

export const api = {
  worlds: (signal?: AbortSignal) =>
    call<{ worlds: World[] }>("/worlds", { signal }).then((reply) => reply.worlds),
  runs: (filter: RunFilter = {}, signal?: AbortSignal) =>
    call<RunPage>(`/runs${query({ ...filter })}`, { signal }),
  run: (id: string, signal?: AbortSignal) => get<RunDetail>(`/runs/${enc(id)}`, signal),
  config: (id: string, signal?: AbortSignal) =>
    get<{ config: Record<string, unknown> }>(`/runs/${enc(id)}/config`, signal).then(
      (reply) => reply.config,
    ),
  windows: (id: string, signal?: AbortSignal, limit = 5000) =>
    get<{ windows: WindowRow[]; total: number }>(
      `/runs/${enc(id)}/metrics/windows${query({ limit, order: "desc" })}`,
      signal,
    ).then((reply) => [...reply.windows].reverse()),
  replays: (id: string, filter: ReplayFilter = {}, signal?: AbortSignal) =>
    get<{ replays: ReplayEntry[] }>(`/runs/${enc(id)}/replays${query({ ...filter })}`, signal).then(
      (reply) => reply.replays,
    ),
  replay: (id: string, replay: string, signal?: AbortSignal) =>
    get<{ replay: ReplayEntry }>(`/runs/${enc(id)}/replays/${enc(replay)}`, signal).then(
      (reply) => reply.replay,
    ),
  timeline: (id: string, replay: string, signal?: AbortSignal) =>
    get<Timeline>(`/runs/${enc(id)}/replays/${enc(replay)}/timeline`, signal),
  frames: (id: string, replay: string, offset: number, limit: number, signal?: AbortSignal) =>
    get<FramePage>(
      `/runs/${enc(id)}/replays/${enc(replay)}/frames${query({ offset, limit })}`,
      signal,
    ),
  completeness: (id: string, signal?: AbortSignal) =>
    call<Completeness>(`/runs/${enc(id)}/analytics/completeness`, { signal }),
  wandbStatus: (signal?: AbortSignal) => call<WandbStatus>("/wandb/status", { signal }),
  wandbLatest: (signal?: AbortSignal) =>
    call<{ runs: WandbRun[] }>("/wandb/runs/latest?limit=10", { signal }).then(
      (reply) => reply.runs,
    ),
  wandbIteration: (id: string, signal?: AbortSignal) =>
    call<WandbIteration>(`/wandb/runs/${enc(id)}/iteration-view`, { signal }),
  reports: (signal?: AbortSignal) =>
    call<{ reports: ReportRow[] }>("/reports", { signal }).then((reply) => reply.reports),
  report: (name: string, signal?: AbortSignal) =>
    call<Record<string, unknown>>(`/reports/${enc(name)}`, { signal }),
};

export interface NewSession {
  world?: string;
  seed?: number;
  settings?: Record<string, unknown>;
}

const session = (id: string) => `/play/session/${enc(id)}`;

export const play = {
  create: (body: NewSession) => call<Session>("/play/session", { method: "POST", body }),
  read: (id: string, signal?: AbortSignal) => call<Session>(session(id), { signal }),
  reset: (id: string, seed?: number) =>
    call<Session>(`${session(id)}/reset`, {
      method: "POST",
      body: seed === undefined ? {} : { seed },
    }),
  step: (id: string, action: number | number[][]) =>
    call<Session>(`${session(id)}/step`, { method: "POST", body: { action } }),
  undo: (id: string) => call<Session>(`${session(id)}/undo`, { method: "POST", body: {} }),
  save: (id: string) =>
    call<{ run_id: string; replay_id: string }>(`${session(id)}/save`, {
      method: "POST",
      body: {},
    }),
  outcome: (id: string, signal?: AbortSignal) =>
    call<OutcomeTable>(`${session(id)}/outcome`, { signal }),
  end: (id: string) => call<unknown>(session(id), { method: "DELETE" }),
};

export type { Run };
