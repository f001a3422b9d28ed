/** Somebody who is followed and not here: gone, or not yet come. */

import type { PanelProps } from "../scene";
import { chronicleOf } from "./chronicle";
import { DayInWords } from "./DayInWords";
import type { Town } from "./town";
import { follow } from "./view";
import { capital, clockOf, nameOf, REASONS } from "./words";

interface Props extends PanelProps {
  town: Town;
  id: string;
}

export function Farewell({ frame, frames, onSeek, town, id }: Props) {
  const chronicle = chronicleOf(frames);
  const at = frame.frame_index;
  const gone = chronicle.departures.find((one) => one.id === id && one.frame <= at);
  if (!gone) {
    return <p role="status">{nameOf(id)} does not live here at this time.</p>;
  }
  const perDay = town.ticks_per_day;
  const day = Math.floor(gone.tick / perDay);
  const heir = heirOf(town, id);
  return (
    <article className="stack farewell" aria-label={nameOf(id)}>
      <div role="status" className="stack-tight">
        <h2>{nameOf(id)} left town</h2>
        <p>
          {capital(REASONS[gone.reason] ?? "left")} on day {day + 1} at{" "}
          {clockOf(gone.tick % perDay, perDay)}, after {gone.days.toFixed(1)} days here.
        </p>
      </div>
      <div className="row">
        <button type="button" onClick={() => onSeek(Math.max(0, gone.frame - 1))}>
          Go to the moment
        </button>
        {heir !== null && (
          <button type="button" onClick={() => follow(heir)}>
            Follow {nameOf(heir)}
          </button>
        )}
      </div>
      {day === town.day && (
        <section className="stack-tight">
          <h3>The last day in words</h3>
          <DayInWords entries={chronicle.entriesOf(id)} town={town} at={at} onSeek={onSeek} />
        </section>
      )}
    </article>
  );
}

/** Who lives under the same name now. */
export function heirOf(town: Town, id: string): string | null {
  const name = id.split("#")[0];
  return town.agents.find((one) => one.id.split("#")[0] === name && one.id !== id)?.id ?? null;
}
