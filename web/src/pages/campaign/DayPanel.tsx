/** What happened on the shown day. */

import type { ToldWar, WarDay, WarSummary } from "../../api/wars";
import { watchLink } from "../../shell/route";
import { signed } from "../../shell/figures";
import { factionOf } from "./war";

interface Props {
  war: WarSummary;
  day: WarDay;
  replays: ToldWar["replays"];
}

export function DayPanel({ war, day, replays }: Props) {
  return (
    <div className="stack">
      <dl className="facts">
        <div>
          <dt>Day</dt>
          <dd>{day.day}</dd>
        </div>
        <div>
          <dt>Between the factions</dt>
          <dd>
            {day.at_war ? "war" : "peace"}, disposition {signed(day.disposition)}
          </dd>
        </div>
      </dl>
      {day.events.length === 0 ? (
        <p className="muted">A quiet day.</p>
      ) : (
        <ol className="war-events">
          {day.events.map((event, i) => {
            const replay = event.battle === undefined ? undefined : replays[event.battle];
            const faction = factionOf(war, event.faction);
            return (
              <li key={i}>
                <span
                  className="swatch"
                  style={faction ? { background: faction.colour } : undefined}
                  aria-hidden="true"
                />
                <span className="grow">{event.text}</span>
                {replay && <a href={watchLink(replay.run_id, replay.replay_id)}>Watch</a>}
              </li>
            );
          })}
        </ol>
      )}
    </div>
  );
}
