/** A ship's card: how she is, what she carries, what she knows and what befell her. */

import { percent } from "../../shell/figures";
import { EventLines } from "../panel/EventLines";
import { lastEvents } from "../panel/last_events";
import { Meter } from "../panel/Meter";
import { Curve } from "../panel/Curve";
import type { PanelProps } from "../scene";
import { shipOf, type Battle, type Ship } from "./battle";
import { Contacts } from "./Contacts";
import { concerns } from "./event_words";
import { eventLines } from "./event_lines";
import { Fleet } from "./Fleet";
import { toneOfShare } from "./gauges";
import { hpOver } from "./history";
import { journalOf } from "./journal";
import { BattleViewBar, TeamDot } from "./Parts";
import { reachesOf } from "./paint_reach";
import { useShownBattle, useView } from "./view";
import { capital, courseWords, distance, fateWords, layerWords, plain, troublesOf } from "./words";

const EVENTS_SHOWN = 8;

export function ShipPanel(props: PanelProps) {
  const battle = useShownBattle(props.frame);
  const { followed } = useView();
  if (!battle) return <p className="muted">This frame shows no battle.</p>;
  const ship = shipOf(battle, followed);
  return (
    <div className="stack">
      <BattleViewBar battle={battle} />
      {ship ? (
        <Card {...props} battle={battle} ship={ship} />
      ) : (
        <>
          <p className="muted small">
            Choose a ship, here or on the plot. <kbd>,</kbd> and <kbd>.</kbd> go from one to the
            next, <kbd>s</kbd> changes between the truth and what each side knew.
          </p>
          <Fleet battle={battle} />
        </>
      )}
    </div>
  );
}

interface CardProps extends PanelProps {
  battle: Battle;
  ship: Ship;
}

function Card({ frame, frames, onSeek, battle, ship }: CardProps) {
  const at = frame.frame_index;
  const journal = journalOf(frames, useView().side);
  const last = lastEvents(journal.happenings, at, EVENTS_SHOWN, ({ event }) =>
    concerns(event, ship.id),
  );
  return (
    <article className="stack" aria-label={ship.name}>
      <header className="ship-head">
        <TeamDot battle={battle} team={ship.team} />
        <div className="grow">
          <h2>{ship.name}</h2>
          <p className="muted">
            {capital(plain(ship.hull))}, {courseWords(ship)}
          </p>
        </div>
        <span className="badge badge-gold">{ship.team}</span>
      </header>
      <Alerts ship={ship} />
      <Condition ship={ship} past={hpOver(frames, at, ship.id)} />
      <Facts ship={ship} />
      {Object.keys(ship.parts).length > 0 && <PartsList ship={ship} />}
      <Weapons ship={ship} />
      <Contacts battle={battle} team={ship.team} from={ship} />
      <section className="stack-tight">
        <h3>What befell her</h3>
        <EventLines
          lines={eventLines(last, journal)}
          at={at}
          onSeek={onSeek}
          none="Nothing so far."
        />
      </section>
    </article>
  );
}

function Alerts({ ship }: { ship: Ship }) {
  const alerts = [...(ship.fate === null ? [] : [fateWords(ship.fate)]), ...troublesOf(ship)];
  if (alerts.length === 0) return null;
  return (
    <div className="tags">
      {[...new Set(alerts)].map((alert) => (
        <span key={alert} className="badge badge-bad">
          {alert}
        </span>
      ))}
    </div>
  );
}

function Condition({ ship, past }: { ship: Ship; past: (number | null)[] }) {
  const rows: [string, number][] = [
    ["Hull", ship.hp],
    ["Morale", ship.morale],
    ["Fuel", ship.fuel],
  ];
  return (
    <ul className="ship-meters">
      {rows.map(([label, value]) => (
        <li key={label}>
          <span>{label}</span>
          <Meter value={value} tone={toneOfShare(value)} />
          {label === "Hull" ? (
            <Curve values={past} top={1} tone={toneOfShare(value)} label="The hull so far" />
          ) : (
            <span />
          )}
          <span className="number">{percent(value)}</span>
        </li>
      ))}
    </ul>
  );
}

function Facts({ ship }: { ship: Ship }) {
  const rows: [string, string][] = [
    ["Depth", layerWords(ship)],
    ["Emission", plain(ship.emission)],
    ["Own noise", `${Math.round(ship.level_db)} dB`],
    ["Crew fit", String(ship.crew)],
    ...(ship.decoys === null ? [] : [["Decoys", String(ship.decoys)] as [string, string]]),
    ...(ship.doctrine === null ? [] : [["Doctrine", ship.doctrine] as [string, string]]),
    ...(ship.order === null ? [] : [["Orders", ship.order] as [string, string]]),
  ];
  return (
    <dl className="facts">
      {rows.map(([label, text]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{text}</dd>
        </div>
      ))}
    </dl>
  );
}

function PartsList({ ship }: { ship: Ship }) {
  return (
    <section className="stack-tight">
      <h3>Parts</h3>
      <ul className="ship-parts">
        {Object.entries(ship.parts).map(([part, health]) => (
          <li key={part}>
            <span>{capital(plain(part))}</span>
            <Meter value={health} tone={toneOfShare(health)} />
            <span className="number">{percent(health)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Weapons({ ship }: { ship: Ship }) {
  const reaches = reachesOf(ship.mounts);
  if (reaches.length === 0) return null;
  return (
    <section className="stack-tight">
      <h3>Weapons</h3>
      <ul className="ship-weapons">
        {reaches.map(({ weapon, range, rounds, ready }) => (
          <li key={weapon}>
            <span>{capital(plain(weapon))}</span>
            <span className="muted">{distance(range)}</span>
            <span className="number">{rounds}</span>
            <span className={`badge badge-${rounds === 0 ? "bad" : ready ? "good" : "plain"}`}>
              {rounds === 0 ? "empty" : ready ? "ready" : "loading"}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
