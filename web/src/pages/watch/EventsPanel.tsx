/** What happened, when, with a jump to it. */

import { useMemo, useState } from "react";
import type { Timeline } from "../../api/types";
import { toneOf } from "../../player/keyframes";
import { spoken } from "../../player/reading";

interface Props {
  timeline: Timeline | null;
  at: number;
  onSeek: (frame: number) => void;
}

export function EventsPanel({ timeline, at, onSeek }: Props) {
  const [only, setOnly] = useState<string | null>(null);
  const counts = useMemo(() => {
    const found = new Map<string, number>();
    for (const event of timeline?.events ?? []) {
      found.set(event.name, (found.get(event.name) ?? 0) + 1);
    }
    return [...found];
  }, [timeline]);
  if (!timeline) return <p className="muted">The timeline is on its way.</p>;
  if (timeline.events.length === 0) return <p className="muted">Nothing eventful happened here.</p>;
  const shown = timeline.events.filter((event) => only === null || event.name === only);
  return (
    <div className="stack">
      <div className="chips" role="group" aria-label="Show only">
        {counts.map(([name, count]) => (
          <button
            key={name}
            type="button"
            aria-pressed={only === name}
            onClick={() => setOnly(only === name ? null : name)}
          >
            {spoken(name)} <span className="muted">{count}</span>
          </button>
        ))}
      </div>
      <ol className="events">
        {shown.map((event, i) => (
          <li key={i}>
            <button
              type="button"
              className={event.frame <= at ? "past" : undefined}
              aria-current={event.frame === at ? "step" : undefined}
              onClick={() => onSeek(event.frame)}
            >
              <span className={`event-dot mark-${toneOf(event.name)}`} aria-hidden="true" />
              <span className="grow">{spoken(event.name)}</span>
              <span className="muted">frame {event.frame + 1}</span>
            </button>
          </li>
        ))}
      </ol>
    </div>
  );
}
