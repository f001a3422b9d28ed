/** A citizen's day in words, as far as it has come. */

import type { Entry, EntryKind } from "./chronicle";
import type { Tone } from "./event_words";

export interface Line {
  kind: EntryKind;
  tone: Tone;
  frame: number;
  from: number;
  /** Null while it lasts. */
  until: number | null;
  text: string;
}

/** Talks with the same person within this time are one conversation. */
const CONVERSATION_TICKS = 120;

/** What was begun on a day and is known at a frame, in order. */
export function dayInWords(
  entries: readonly Entry[],
  dayStart: number,
  dayEnd: number,
  at: number,
): Line[] {
  const lines: Line[] = [];
  let talk: { line: Line; other: string; count: number; last: number } | null = null;
  const known = entries
    .filter(
      (one) => one.frame <= at && one.from < dayEnd && Math.max(one.from, one.until) >= dayStart,
    )
    .sort((a, b) => a.from - b.from || a.frame - b.frame);
  for (const entry of known) {
    const lasting = entry.endFrame > at;
    if (entry.kind === "talk" && entry.other !== undefined) {
      if (talk && talk.other === entry.other && entry.from - talk.last <= CONVERSATION_TICKS) {
        talk.count += 1;
        talk.last = entry.from;
        talk.line.until = entry.from;
        talk.line.text = `${entry.done}, ${talk.count} times`;
        continue;
      }
    }
    const line: Line = {
      kind: entry.kind,
      tone: lasting ? "plain" : entry.tone,
      frame: entry.frame,
      from: entry.from,
      until: lasting ? null : entry.until,
      text: lasting ? entry.doing : entry.done,
    };
    lines.push(line);
    if (entry.kind === "talk" && entry.other !== undefined) {
      talk = { line, other: entry.other, count: 1, last: entry.from };
    }
  }
  return lines;
}
