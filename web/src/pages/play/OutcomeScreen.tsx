/** How it went, beside the bots and the best policy on the same seed. */

import { play } from "../../api/client";
import type { Outcome, OutcomeTable, Session, World } from "../../api/types";
import { spoken } from "../../player/reading";
import { counted, figure, metricTitle, percent } from "../../shell/figures";
import { Dialog } from "../../shell/Dialog";
import { useResource } from "../../shell/resource";
import { Failed, Loading } from "../../shell/states";
import { TableScroll } from "../../shell/TableScroll";
import { SaveButton } from "./PlayTools";
import { ranking, type Place } from "./ranking";

interface Props {
  open: boolean;
  session: Session;
  world: World;
  onAgain: () => void;
  onNew: () => void;
  onClose: () => void;
}

export function OutcomeScreen({ open, session, world, onAgain, onNew, onClose }: Props) {
  const table = useResource(
    open ? `outcome ${session.session_id} ${session.seed} ${session.steps}` : null,
    (signal) => play.outcome(session.session_id, signal),
  );
  return (
    <Dialog title={endingOf(session)} open={open} onClose={onClose}>
      <div className="outcome">
        <p className="muted">
          {world.title}, seed {session.seed}: return <b>{figure(session.return_total)}</b> in{" "}
          {counted(session.steps, "step")}.
        </p>
        {table.loading && <Loading what="how the bots fare on this seed" />}
        {table.error !== null && <Failed error={table.error} retry={table.reload} />}
        {table.value && <Ranking table={table.value} />}
        <footer className="row">
          <button type="button" className="primary" onClick={onAgain}>
            Same seed again
          </button>
          <button type="button" onClick={onNew}>
            Another seed
          </button>
          <SaveButton session={session} />
        </footer>
      </div>
    </Dialog>
  );
}

/** Worlds tell an end by an event of its own beside the plain one. */
function endingOf({ frame, truncated }: Session): string {
  if (truncated) return "Time is up";
  const event = frame?.events.findLast((name) => name !== "terminated");
  return event ? `The episode is over: ${spoken(event).toLowerCase()}` : "The episode is over";
}

const KIND: Record<Place["kind"], string> = {
  you: "",
  bot: "bot",
  oracle: "sees what is hidden",
  policy: "learnt",
};

function Ranking({ table }: { table: OutcomeTable }) {
  const places = ranking(table);
  const stats = comparable(places.map((place) => place.outcome));
  return (
    <TableScroll label="Ranking">
      <table>
        <thead>
          <tr>
            <th scope="col">Player</th>
            <th scope="col" className="number">
              Return
            </th>
            <th scope="col" className="number">
              Steps
            </th>
            {stats.map((name) => (
              <th key={name} scope="col" className="number wide-only">
                {metricTitle(name)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {places.map((place) => (
            <tr key={place.name} className={place.kind === "you" ? "you" : undefined}>
              <th scope="row">
                {place.kind === "policy" ? place.name : spoken(place.name)}{" "}
                <span className="muted small">{KIND[place.kind]}</span>
                <span className="outcome-bar" aria-hidden="true">
                  <span style={{ width: `${place.share * 100}%` }} />
                </span>
              </th>
              <td className="number">{figure(place.outcome.return_total)}</td>
              <td className="number">{figure(place.outcome.steps)}</td>
              {stats.map((name) => (
                <td key={name} className="number wide-only">
                  {name === "survival"
                    ? percent(place.outcome.stats[name])
                    : figure(place.outcome.stats[name])}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </TableScroll>
  );
}

const STATS_SHOWN = 2;
const TELLING = ["net_profit", "survival", "credits"];

/** Figures everybody has, the telling ones first. */
function comparable(outcomes: readonly Outcome[]): string[] {
  const [first, ...rest] = outcomes;
  if (!first) return [];
  const shared = Object.keys(first.stats).filter((name) => rest.every((one) => name in one.stats));
  const rank = (name: string) => (TELLING.includes(name) ? TELLING.indexOf(name) : TELLING.length);
  return shared.sort((a, b) => rank(a) - rank(b)).slice(0, STATS_SHOWN);
}
