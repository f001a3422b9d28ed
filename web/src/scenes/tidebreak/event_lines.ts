/** What happened in a battle, as lines of a feed. */

import type { EventLine } from "../panel/EventLines";
import { tell } from "./event_words";
import type { Happening, Journal } from "./journal";
import { clock } from "./words";

export function eventLines(happenings: readonly Happening[], journal: Journal): EventLine[] {
  return happenings.map(({ frame, event }) => {
    const { text, tone } = tell(event, journal.nameOf);
    return { key: event.id, frame, tone, text, time: clock(event.tick) };
  });
}
