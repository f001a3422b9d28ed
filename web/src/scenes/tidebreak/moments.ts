/** What is worth a mark on the scrubber, and who sits in an agent's place. */

import type { Frame } from "../../api/types";
import type { FrameEvent } from "../../player/keyframes";
import { battleOf } from "./reading";
import { isNotable, storyOf, tell } from "./event_words";
import { journalOf } from "./journal";

const MARKED = new Set(["losses", "depth", "battle"]);

/** Losses, depth and the battle's own turns; hits and fires only where they begin. Of a side, as
 * much of it as that side knew. */
export function moments(frames: readonly Frame[], side: string | null): FrameEvent[] {
  const journal = journalOf(frames, side);
  const first = new Set<string>();
  return journal.happenings.flatMap(({ frame, event }) => {
    const opening = `${event.kind} ${event.target ?? ""}`;
    const isFirst = isNotable(event) && !first.has(opening);
    first.add(opening);
    const marked = MARKED.has(storyOf(event)) || (isFirst && storyOf(event) !== "orders");
    if (!marked) return [];
    const { text, tone } = tell(event, journal.nameOf);
    return [{ frame, name: text, tone }];
  });
}

/** Agents are the controlled ships, in the order of their ids. */
export function agentName(frame: Frame, seat: number): string | null {
  return battleOf(frame)?.ships[seat]?.name ?? null;
}
