/** Frames of one replay, arriving in order by HTTP pages or a WebSocket.
 *
 * A stream that breaks is taken up again at the first frame that is missing, so nothing is loaded
 * twice and a reader can start with the first frames while the rest is on its way.
 */

import { api, query, socketUrl, token } from "./client";
import { ApiError, faultOfStatus, isAbort } from "./errors";
import { patched } from "./patches";
import { SAMPLE_RUN } from "./sample";
import type { Frame } from "./types";

export type Transport = "http" | "ws";

export class FrameBuffer {
  readonly frames: Frame[] = [];
  complete = false;
  #listeners = new Set<() => void>();

  get length(): number {
    return this.frames.length;
  }

  at(index: number): Frame | null {
    return this.frames[index] ?? null;
  }

  /** Frames that begin at `offset`. What is already held is skipped; a gap is refused. */
  append(offset: number, frames: readonly Frame[]): void {
    if (offset > this.frames.length) {
      throw new ApiError(
        "malformed",
        `Frames ${this.frames.length} to ${offset - 1} were skipped by the server.`,
      );
    }
    const fresh = frames.slice(this.frames.length - offset);
    if (fresh.length === 0) return;
    for (const frame of fresh) this.frames.push(whole(frame, this.frames.at(-1)));
    this.#tell();
  }

  finish(): void {
    this.complete = true;
    this.#tell();
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }
}

/** A frame that stands for itself, also where it was sent as changes to the one before. */
function whole(frame: Frame, before: Frame | undefined): Frame {
  const { since, ...told } = frame;
  if (since === undefined) return frame;
  if (before?.frame_index !== since) {
    throw new ApiError("malformed", `Frame ${frame.frame_index} builds on one that is not here.`);
  }
  return {
    ...told,
    render_state: patched(before.render_state, frame.render_state),
    info: patched(before.info ?? {}, frame.info ?? {}),
  };
}

export interface ReplayAddress {
  run: string;
  replay: string;
}

interface FillOptions {
  transport: Transport;
  signal: AbortSignal;
  /** Pause before the n-th attempt in a row that brought nothing, in milliseconds. */
  pause?: (attempt: number) => number;
}

/** Small first, so that the picture appears at once; then as large as is quick to decode. */
const FIRST_PAGE = 32;
const PAGE = 512;
const ATTEMPTS_MAX = 5;

/** Load a replay to its end, from wherever the buffer stands. */
export async function fill(
  buffer: FrameBuffer,
  from: ReplayAddress,
  options: FillOptions,
): Promise<void> {
  const pause = options.pause ?? ((attempt: number) => 250 * 2 ** attempt);
  let attempt = 0;
  while (!buffer.complete) {
    const before = buffer.length;
    try {
      const socket = options.transport === "ws" && from.run !== SAMPLE_RUN;
      await (socket ? overSocket : overPages)(buffer, from, options.signal);
    } catch (error) {
      if (isAbort(error) || options.signal.aborted) return;
      attempt = buffer.length > before ? 1 : attempt + 1;
      if (!worthAnotherTry(error) || attempt >= ATTEMPTS_MAX) throw error;
      await sleep(pause(attempt), options.signal);
    }
    if (options.signal.aborted) return;
  }
}

function worthAnotherTry(error: unknown): boolean {
  return error instanceof ApiError && (error.fault === "offline" || error.fault === "busy");
}

async function overPages(
  buffer: FrameBuffer,
  from: ReplayAddress,
  signal: AbortSignal,
): Promise<void> {
  for (;;) {
    const limit = buffer.length === 0 ? FIRST_PAGE : PAGE;
    const page = await api.frames(from.run, from.replay, buffer.length, limit, signal);
    if (signal.aborted) return;
    buffer.append(page.offset, page.frames);
    if (!page.has_more || page.count === 0) return buffer.finish();
  }
}

type SocketMessage =
  | { type: "frames"; offset: number; frames: Frame[] }
  | { type: "complete"; has_more: boolean }
  | { type: "error"; status_code: number; detail: string };

function overSocket(buffer: FrameBuffer, from: ReplayAddress, signal: AbortSignal): Promise<void> {
  const enc = encodeURIComponent;
  const path = `/ws/runs/${enc(from.run)}/replays/${enc(from.replay)}/frames`;
  const socket = new WebSocket(
    socketUrl(path) +
      // Browsers cannot send headers with a WebSocket, so the token travels in the address.
      query({ offset: buffer.length, limit: 50_000, batch_size: 256, access_token: token() }),
  );
  return new Promise((resolve, reject) => {
    let settled = false;
    const settle = (error?: unknown) => {
      if (settled) return;
      settled = true;
      signal.removeEventListener("abort", leave);
      socket.close();
      if (error) reject(error instanceof Error ? error : new Error("stream failed"));
      else resolve();
    };
    const leave = () => settle(new DOMException("left", "AbortError"));
    signal.addEventListener("abort", leave);
    socket.onmessage = (event: MessageEvent<string>) => {
      try {
        if (take(buffer, messageOf(event.data))) settle();
      } catch (error) {
        settle(error);
      }
    };
    socket.onclose = () =>
      settle(new ApiError("offline", "The WebSocket closed before the replay was complete."));
  });
}

function messageOf(text: string): SocketMessage {
  try {
    return JSON.parse(text) as SocketMessage;
  } catch {
    throw new ApiError("malformed", "The WebSocket sent something that is not JSON.");
  }
}

/** Whether the stream is over. */
export function take(buffer: FrameBuffer, message: SocketMessage): boolean {
  switch (message.type) {
    case "frames":
      buffer.append(message.offset, message.frames);
      return false;
    case "complete":
      if (!message.has_more) buffer.finish();
      return true;
    case "error":
      throw new ApiError(
        faultOfStatus(message.status_code),
        `WebSocket ${message.status_code}: ${message.detail}`,
        message.status_code,
      );
    default:
      throw new ApiError("malformed", "The WebSocket sent a message of an unknown type.");
  }
}

function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(done, ms);
    function done() {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      resolve();
    }
    signal.addEventListener("abort", done);
  });
}
