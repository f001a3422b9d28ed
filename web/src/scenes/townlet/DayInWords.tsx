/** What somebody did today, newest first; a line leads to its frame. */

import type { Entry } from "./chronicle";
import { dayInWords } from "./day";
import { Sign } from "./Parts";
import type { Town } from "./town";
import { clockOf, lengthOf } from "./words";

interface Props {
  entries: readonly Entry[];
  town: Town;
  at: number;
  onSeek: (frame: number) => void;
}

export function DayInWords({ entries, town, at, onSeek }: Props) {
  const perDay = town.ticks_per_day;
  const start = town.tick - town.tod;
  const lines = dayInWords(entries, start, start + perDay, at).reverse();
  if (lines.length === 0) return <p className="muted small">The day has only just begun.</p>;
  const clock = (tick: number) => clockOf((((tick - start) % perDay) + perDay) % perDay, perDay);
  return (
    <ol className="day-lines">
      {lines.map((line, i) => (
        <li key={`${line.frame} ${line.text} ${i}`} className={`tone-${line.tone}`}>
          <button
            type="button"
            className={line.until === null ? "lasting" : undefined}
            onClick={() => onSeek(line.frame)}
          >
            <span className="day-time">{clock(line.from)}</span>
            <Sign name={line.kind} />
            <span className="grow">{line.text}</span>
            <span className="muted">{lasted(line.from, line.until, town)}</span>
          </button>
        </li>
      ))}
    </ol>
  );
}

function lasted(from: number, until: number | null, town: Town): string {
  const ticks = (until ?? town.tick) - from;
  if (until === null) return `${lengthOf(Math.max(0, ticks), town.ticks_per_day)} so far`;
  return ticks > 1 ? lengthOf(ticks, town.ticks_per_day) : "";
}
