/** Everything that happened in the episode, with a jump to it. */

import { useMemo, useState } from "react";
import type { Happening, Kinds } from "../../api/growth";
import { acted, type Episode, type Moment } from "./episode";
import { EventLine } from "./EventLine";
import { opLook } from "./stages";
import { decisionWords } from "./words";

interface Props {
  episode: Episode;
  moment: Moment | null;
  kinds: Kinds;
  damaged: number;
  onSeek: (moment: number) => void;
}

const DECISION = "Decision";

interface Entry {
  moment: number;
  epoch: number;
  label: string;
  event: Happening | null;
}

export function HappeningsPanel({ episode, moment, kinds, damaged, onSeek }: Props) {
  const [only, setOnly] = useState<string | null>(null);
  const entries = useMemo(() => entriesOf(episode, kinds), [episode, kinds]);
  const counts = useMemo(() => {
    const found = new Map<string, number>();
    for (const { label } of entries) found.set(label, (found.get(label) ?? 0) + 1);
    return [...found];
  }, [entries]);
  const shown = entries.filter((entry) => only === null || entry.label === only);
  return (
    <div className="stack">
      {damaged > 0 && <p className="stale">{damaged} events cannot be read and are left out.</p>}
      {entries.length === 0 && <p className="muted">Nothing but waiting so far.</p>}
      <div className="chips" role="group" aria-label="Show only">
        {counts.map(([label, count]) => (
          <button
            key={label}
            type="button"
            aria-pressed={only === label}
            onClick={() => setOnly(only === label ? null : label)}
          >
            {label} <span className="muted">{count}</span>
          </button>
        ))}
      </div>
      <ol className="events">
        {shown.map((entry, i) => (
          <li key={i}>
            <button
              type="button"
              aria-current={entry.epoch === moment?.epoch ? "step" : undefined}
              onClick={() => onSeek(entry.moment)}
            >
              <span className="muted small event-epoch">
                <span className="visually-hidden">epoch </span>
                {entry.epoch}
              </span>
              {entry.event ? (
                <EventLine event={entry.event} kinds={kinds} />
              ) : (
                <DecisionLine moment={episode.moments[entry.moment]} />
              )}
            </button>
          </li>
        ))}
      </ol>
    </div>
  );
}

function DecisionLine({ moment }: { moment: Moment | undefined }) {
  const decision = moment?.decision;
  if (!decision) return null;
  return (
    <>
      <svg className="icon event-icon" viewBox="0 0 24 24" aria-hidden="true">
        <path d={opLook(decision.op).path} />
      </svg>
      <span className="grow">
        <b>{DECISION}</b> <span className="muted small">{decisionWords(decision)}</span>
      </span>
    </>
  );
}

/** In the order they happened: what was decided stands before what came of it. */
function entriesOf(episode: Episode, kinds: Kinds): Entry[] {
  return episode.moments.flatMap((moment, i): Entry[] => {
    const { epoch } = moment;
    const decided = acted(moment) ? [{ moment: i, epoch, label: DECISION, event: null }] : [];
    const rest = moment.happenings.map((event) => ({
      ...{ moment: i, epoch, event },
      label: kinds[event.kind]?.label ?? event.kind,
    }));
    return [...decided, ...rest];
  });
}
