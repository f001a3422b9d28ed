/** What happened in town, as lines of a feed. */

import type { EventLine } from "../panel/EventLines";
import type { ToldEvent } from "./chronicle";
import { tell } from "./event_words";
import type { Town } from "./town";
import { clockOf } from "./words";

/** The day is named where it is not the shown one. */
export function eventLines(events: readonly ToldEvent[], town: Town): EventLine[] {
  const perDay = town.ticks_per_day;
  return events.map(({ frame, event }) => {
    const day = Math.floor(event.tick / perDay);
    const clock = clockOf(event.tick % perDay, perDay);
    const time = day === town.day ? clock : `day ${day + 1}, ${clock}`;
    return { key: event.seq, frame, time, ...tell(event) };
  });
}
