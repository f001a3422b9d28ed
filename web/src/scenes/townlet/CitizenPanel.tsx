/** Somebody's card: how they are, what they do, whom they know, and their day so far. */

import { useEffect } from "react";
import { counted, percent } from "../../shell/figures";
import { Curve } from "../panel/Curve";
import { EventLines } from "../panel/EventLines";
import { lastEvents } from "../panel/last_events";
import { Meter } from "../panel/Meter";
import type { PanelProps } from "../scene";
import { chronicleOf } from "./chronicle";
import { DayInWords } from "./DayInWords";
import { Earnings } from "./Earnings";
import { eventLines } from "./event_lines";
import { concerns, isNews } from "./event_words";
import { Farewell } from "./Farewell";
import { toneOfNeed } from "./gauges";
import { historyOf } from "./history";
import { iconOfOption } from "./icons";
import { Face, Sign, TownViewBar } from "./Parts";
import { Residents } from "./Residents";
import { Ties } from "./Ties";
import { citizenOf, feltBy, needOf, townOf, type Citizen, type Town } from "./town";
import { useView } from "./view";
import { capital, clockOf, doingWords, itemWords, money, nameOf, REASONS, SHIFTS } from "./words";

const EVENTS_SHOWN = 6;

export function CitizenPanel(props: PanelProps) {
  const { frame, onAgent } = props;
  const town = townOf(frame);
  const { followed } = useView();
  const citizen = citizenOf(town, followed);
  const seat = citizen?.seat;
  useEffect(() => {
    if (seat !== undefined) onAgent(seat);
  }, [seat, onAgent]);
  if (!town) return <p className="muted">This frame shows no town.</p>;
  return (
    <div className="stack">
      <TownViewBar people={town.agents} />
      {citizen ? (
        <Card {...props} town={town} citizen={citizen} />
      ) : (
        <>
          {followed !== null && <Farewell {...props} town={town} id={followed} />}
          <p className="muted small">
            Choose somebody to follow, here or on the map. <kbd>,</kbd> and <kbd>.</kbd> go from one
            to the next.
          </p>
          <Residents town={town} />
        </>
      )}
    </div>
  );
}

interface CardProps extends PanelProps {
  town: Town;
  citizen: Citizen;
}

function Card({ frame, frames, onSeek, town, citizen }: CardProps) {
  const at = frame.frame_index;
  const chronicle = chronicleOf(frames);
  const perDay = town.ticks_per_day;
  const last = lastEvents(
    chronicle.events,
    at,
    EVENTS_SHOWN,
    ({ event }) => isNews(event) && concerns(event, citizen.id),
  );
  return (
    <article className="stack" aria-label={nameOf(citizen.id)}>
      <header className="citizen-head">
        <Face citizen={citizen} />
        <div className="grow">
          <h2>{nameOf(citizen.id)}</h2>
          <p className="citizen-doing">
            <Sign name={iconOfOption(citizen.option)} /> {capital(doingWords(citizen, town))}
          </p>
        </div>
        <span className="badge badge-gold">{citizen.profile}</span>
      </header>
      <Alerts citizen={citizen} />
      <Needs citizen={citizen} frames={frames} at={at} perDay={perDay} />
      <section className="stack-tight">
        <h3>The day in words</h3>
        <DayInWords entries={chronicle.entriesOf(citizen.id)} town={town} at={at} onSeek={onSeek} />
      </section>
      <Standing citizen={citizen} town={town} frames={frames} at={at} perDay={perDay} />
      <Ties citizen={citizen} town={town} />
      <Earnings frames={frames} at={at} citizen={citizen} town={town} />
      <section className="stack-tight">
        <h3>Last events</h3>
        <EventLines lines={eventLines(last, town)} at={at} onSeek={onSeek} none="Nothing yet." />
      </section>
    </article>
  );
}

function Alerts({ citizen }: { citizen: Citizen }) {
  const alerts = [
    ...feltBy(citizen)
      .filter((need) => needOf(citizen, need) < 0.2)
      .map((need) => `${need} is low`),
    ...(citizen.hospital ? ["in hospital"] : []),
    ...(citizen.possessed ? ["steered by an operator"] : []),
    ...(citizen.job.exit_pending ? ["may lose the job"] : []),
    ...(citizen.leaving
      ? [`is about to leave: ${REASONS[citizen.leaving] ?? citizen.leaving}`]
      : []),
  ];
  if (alerts.length === 0) return null;
  return (
    <div className="tags">
      {alerts.map((alert) => (
        <span key={alert} className="badge badge-bad">
          {alert}
        </span>
      ))}
    </div>
  );
}

/** "Grocer, 08:19 to 12:38". */
function jobWords({ job }: Citizen, town: Town): string {
  if (job.job_id === null) return "none";
  const place = town.jobs[job.job_id];
  const hours = place && [place.start, place.end].map((tod) => clockOf(tod, town.ticks_per_day));
  return capital(job.job_id) + (hours ? `, ${hours.join(" to ")}` : "");
}

interface PastProps {
  citizen: Citizen;
  frames: PanelProps["frames"];
  at: number;
  perDay: number;
}

export function Needs({ citizen, frames, at, perDay }: PastProps) {
  return (
    <ul className="needs">
      {feltBy(citizen).map((need) => {
        const value = needOf(citizen, need);
        const tone = toneOfNeed(value);
        return (
          <li key={need}>
            <span>{capital(need)}</span>
            <Meter value={value} tone={tone} />
            <Curve
              values={historyOf(frames, at, perDay, citizen.id, (one) => needOf(one, need))}
              top={1}
              tone={tone}
              label={`${capital(need)} over the last day`}
            />
            <span className="number">{percent(value)}</span>
          </li>
        );
      })}
    </ul>
  );
}

/** Of whoever has no job. */
const NONE = "–";

export function Standing({ citizen, town, frames, at, perDay }: PastProps & { town: Town }) {
  const { job } = citizen;
  const purse = historyOf(frames, at, perDay, citizen.id, (one) => one.wallet);
  const top = Math.max(1, ...purse.map((value) => value ?? 0));
  const carried = Object.entries(citizen.inventory).filter(([, count]) => count > 0);
  const rows: [string, string][] = [
    ["Job", jobWords(citizen, town)],
    ["Shift", job.job_id === null ? NONE : (SHIFTS[job.shift_state] ?? job.shift_state)],
    ["Attendance", job.job_id === null ? NONE : percent(job.attendance_ratio)],
    ["Late", job.lateness_counter === 0 ? "never" : counted(job.lateness_counter, "time")],
    ["Absent in 7 days", String(job.absent_shifts_7d)],
    ["Wages", `${money(job.wages_earned)}, ${money(job.wages_withheld)} withheld`],
    [
      "Carries",
      carried.length === 0
        ? "nothing"
        : carried.map(([item, count]) => itemWords(item, count)).join(", "),
    ],
  ];
  return (
    <section className="stack-tight">
      <h3>Money and work</h3>
      <p className="purse">
        <span>
          <b>{money(citizen.wallet)}</b> in the purse
        </span>
        <Curve values={purse} top={top} label="The purse over the last day" tone="gold" />
      </p>
      <dl className="facts">
        {rows.map(([label, text]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
