/** Events as lines that lead to their frames. */

import type { EventTone } from "../../player/keyframes";

export interface EventLine {
  key: number;
  frame: number;
  tone: EventTone;
  text: string;
  /** When it happened, in the world's own words. */
  time: string;
}

interface Props {
  lines: readonly EventLine[];
  at: number;
  onSeek: (frame: number) => void;
  none: string;
  /** Where a line can be looked into: what was chosen, and how to choose another. */
  chosen?: number | null;
  onChoose?: (key: number) => void;
}

export function EventLines({ lines, at, onSeek, none, chosen, onChoose }: Props) {
  if (lines.length === 0) return <p className="muted small">{none}</p>;
  return (
    <ol className="event-lines">
      {lines.map(({ key, frame, tone, text, time }) => (
        <li key={key}>
          <button
            type="button"
            aria-current={frame === at ? "step" : undefined}
            aria-pressed={onChoose ? key === chosen : undefined}
            onClick={() => {
              onChoose?.(key);
              onSeek(frame);
            }}
          >
            <span className={`event-dot mark-${tone}`} aria-hidden="true" />
            <span className="grow">{text}</span>
            <span className="muted">{time}</span>
          </button>
        </li>
      ))}
    </ol>
  );
}
