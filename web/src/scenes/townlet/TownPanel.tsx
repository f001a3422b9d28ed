/** The town as a whole: who lives here, who left, what things cost, what works. */

import { Curve } from "../panel/Curve";
import type { PanelProps } from "../scene";
import { chronicleOf } from "./chronicle";
import { wealth } from "./gauges";
import { history } from "./history";
import { TownViewBar } from "./Parts";
import { Residents } from "./Residents";
import { stockOf } from "./paint_things";
import { tileLegend } from "./paint_tiles";
import { townOf, type Town } from "./town";
import {
  capital,
  cityWords,
  lengthOf,
  money,
  nameOf,
  PRICE_WORDS,
  REASONS,
  thingName,
} from "./words";

const DEPARTURES_SHOWN = 8;

export function TownPanel({ frame, frames, onSeek }: PanelProps) {
  const town = townOf(frame);
  if (!town) return <p className="muted">This frame shows no town.</p>;
  const at = frame.frame_index;
  return (
    <div className="stack">
      <TownViewBar people={town.agents} />
      <Utilities town={town} />
      <Economy town={town} frames={frames} at={at} />
      <section className="stack-tight">
        <h3>{town.agents.length} live here</h3>
        <Residents town={town} />
      </section>
      <Departures frames={frames} at={at} onSeek={onSeek} />
      <Legend town={town} />
    </div>
  );
}

/** What the tiles mean, where a town has any. */
function Legend({ town }: { town: Town }) {
  const legend = tileLegend(town);
  if (legend.length === 0) return null;
  return (
    <details>
      <summary>What the tiles mean</summary>
      <dl className="facts legend">
        {legend.map(([look, meaning]) => (
          <div key={look}>
            <dt>{look}</dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}

function Utilities({ town }: { town: Town }) {
  const { power, water } = town.utilities;
  return (
    <section className="stack-tight">
      <h3>Utilities and events</h3>
      <div className="tags">
        <span className={`badge badge-${power ? "good" : "bad"}`}>
          power {power ? "on" : "off"}
        </span>
        <span className={`badge badge-${water ? "good" : "bad"}`}>
          water {water ? "on" : "off"}
        </span>
        {town.perturbations.map((one) => (
          <span key={one.id} className="badge badge-warn">
            {cityWords(one)}, for another{" "}
            {lengthOf(Math.max(0, one.ends - town.tick), town.ticks_per_day)}
          </span>
        ))}
      </div>
    </section>
  );
}

function Economy({ town, frames, at }: { town: Town; frames: PanelProps["frames"]; at: number }) {
  const all = history(frames, at, town.ticks_per_day, wealth);
  const stocked = town.objects.flatMap((thing) => {
    const stock = stockOf(thing);
    return stock === null ? [] : [{ thing, stock }];
  });
  return (
    <section className="stack-tight">
      <h3>Economy</h3>
      <p className="purse">
        <span>
          <b>{money(wealth(town))}</b> in all purses
        </span>
        <Curve
          values={all}
          top={Math.max(1, ...all.map((value) => value ?? 0))}
          label="Money in all purses over the last day"
          tone="gold"
        />
      </p>
      <dl className="facts">
        {Object.entries(town.prices).map(([key, price]) => (
          <div key={key}>
            <dt>{capital(PRICE_WORDS[key] ?? key.replaceAll("_", " "))}</dt>
            <dd>{money(price)}</dd>
          </div>
        ))}
        {stocked.map(({ thing, stock }) => (
          <div key={thing.id}>
            <dt>{capital(thingName(thing.id))}</dt>
            <dd className={stock === 0 ? "tone-bad" : undefined}>{stock} in stock</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

interface DeparturesProps {
  frames: PanelProps["frames"];
  at: number;
  onSeek: (frame: number) => void;
}

function Departures({ frames, at, onSeek }: DeparturesProps) {
  const gone = chronicleOf(frames).departures.filter((one) => one.frame <= at);
  return (
    <section className="stack-tight">
      <h3>{gone.length === 0 ? "Nobody left" : `${gone.length} left`}</h3>
      <ol className="event-lines">
        {gone
          .slice(-DEPARTURES_SHOWN)
          .reverse()
          .map((one) => (
            <li key={`${one.id} ${one.frame}`}>
              <button type="button" onClick={() => onSeek(one.frame)}>
                <span className="event-dot mark-bad" aria-hidden="true" />
                <span className="grow">
                  {nameOf(one.id)} {REASONS[one.reason] ?? "left"}
                </span>
                <span className="muted">{one.days.toFixed(1)} days here</span>
              </button>
            </li>
          ))}
      </ol>
    </section>
  );
}
