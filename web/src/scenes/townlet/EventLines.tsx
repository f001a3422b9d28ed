/** Events as lines that lead to their frames. */

import type { ToldEvent } from "./chronicle";
import { tell } from "./event_words";
import type { Town } from "./town";
import { clockOf } from "./words";

interface Props {
  events: readonly ToldEvent[];
  town: Town;
  at: number;
  onSeek: (frame: number) => void;
  none: string;
}

export function EventLines({ events, town, at, onSeek, none }: Props) {
  const perDay = town.ticks_per_day;
  if (events.length === 0) return <p className="muted small">{none}</p>;
  return (
    <ol className="town-events">
      {events.map(({ frame, event }) => {
        const { text, tone } = tell(event);
        const day = Math.floor(event.tick / perDay);
        return (
          <li key={event.seq}>
            <button
              type="button"
              aria-current={frame === at ? "step" : undefined}
              onClick={() => onSeek(frame)}
            >
              <span className={`event-dot mark-${tone}`} aria-hidden="true" />
              <span className="grow">{text}</span>
              <span className="muted">
                {day !== town.day && `day ${day + 1}, `}
                {clockOf(event.tick % perDay, perDay)}
              </span>
            </button>
          </li>
        );
      })}
    </ol>
  );
}
