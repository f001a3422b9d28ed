/** News of runs as they happen, by server-sent events.
 *
 * Read with fetch, since the browser's own EventSource cannot send a token.
 */

import { apiUrl, authHeaders } from "./client";
import type { ReplayEntry, Run, WindowRow } from "./types";

export type LiveNews =
  | { kind: "run"; run: Run }
  | { kind: "window"; run_id: string; window: WindowRow }
  | { kind: "replay"; run_id: string; replay: ReplayEntry }
  | { kind: "growth"; run_id: string; bytes: number }
  | { kind: "gone"; run_id: string }
  | { kind: "reset" };

export type LiveState = "connecting" | "live" | "lost";

export interface SseMessage {
  id: string | null;
  event: string;
  data: string;
}

/** Cuts a text stream into messages; what is unfinished waits for the next piece. */
export class SseParser {
  #rest = "";

  feed(text: string): SseMessage[] {
    this.#rest += text.replaceAll("\r\n", "\n");
    const blocks = this.#rest.split("\n\n");
    this.#rest = blocks.pop() ?? "";
    return blocks.map(messageOfBlock).filter((message) => message !== null);
  }
}

function messageOfBlock(block: string): SseMessage | null {
  let id: string | null = null;
  let event = "message";
  const data: string[] = [];
  for (const line of block.split("\n")) {
    const colon = line.indexOf(":");
    if (colon === 0) continue;
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
    if (field === "id") id = value;
    else if (field === "event") event = value;
    else if (field === "data") data.push(value);
  }
  // An id alone says where the stream stands; a comment says nothing.
  if (data.length === 0 && event === "message" && id === null) return null;
  return { id, event, data: data.join("\n") };
}

export function newsOf(message: SseMessage): LiveNews | null {
  if (message.event === "reset") return { kind: "reset" };
  let body: unknown;
  try {
    body = JSON.parse(message.data);
  } catch {
    return null;
  }
  switch (message.event) {
    case "run":
      return { kind: "run", run: body as Run };
    case "window":
      return { kind: "window", ...(body as { run_id: string; window: WindowRow }) };
    case "replay":
      return { kind: "replay", ...(body as { run_id: string; replay: ReplayEntry }) };
    case "growth":
      return { kind: "growth", ...(body as { run_id: string; bytes: number }) };
    case "gone":
      return { kind: "gone", ...(body as { run_id: string }) };
    default:
      return null;
  }
}

interface FollowOptions {
  onNews: (news: LiveNews) => void;
  onState: (state: LiveState) => void;
  signal: AbortSignal;
}

const PAUSE_MIN_MS = 1_000;
const PAUSE_MAX_MS = 30_000;

/** Follow until aborted; a broken connection is taken up again after the last message seen. */
export async function follow({ onNews, onState, signal }: FollowOptions): Promise<void> {
  let lastId: string | null = null;
  let pause = PAUSE_MIN_MS;
  while (!signal.aborted) {
    onState("connecting");
    try {
      const headers: Record<string, string> = { Accept: "text/event-stream", ...authHeaders() };
      if (lastId !== null) headers["Last-Event-ID"] = lastId;
      const reply = await fetch(apiUrl("/live"), { headers, signal, cache: "no-store" });
      if (!reply.ok || !reply.body) throw new Error(`live: ${reply.status}`);
      onState("live");
      pause = PAUSE_MIN_MS;
      await readAll(reply.body, (message) => {
        lastId = message.id ?? lastId;
        const news = newsOf(message);
        if (news) onNews(news);
      });
    } catch {
      // Whatever the reason, the answer is to try again later; pages keep what they have.
    }
    if (signal.aborted) return;
    onState("lost");
    await new Promise((resolve) => setTimeout(resolve, pause));
    pause = Math.min(pause * 2, PAUSE_MAX_MS);
  }
}

async function readAll(
  body: ReadableStream<Uint8Array>,
  onMessage: (message: SseMessage) => void,
): Promise<void> {
  const parser = new SseParser();
  const decoder = new TextDecoder();
  const reader = body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    for (const message of parser.feed(decoder.decode(value, { stream: true }))) onMessage(message);
  }
}
