/** What was decided after the shown epoch, what came of it, and what it earned. */

import { useMemo } from "react";
import type { Decision, Kinds } from "../../api/growth";
import { figure, percent, signed } from "../../shell/figures";
import { termsOf, wasRefused, type Episode, type Moment } from "./episode";
import { EventLine } from "./EventLine";
import { termColor } from "./RewardTrack";
import { opLook } from "./stages";
import { decisionWords, spaced } from "./words";

interface Props {
  moment: Moment | null;
  episode: Episode;
  kinds: Kinds;
  /** Who decides in this run, where nobody overrules it. */
  controller: string;
}

export function DecisionPanel({ moment, episode, kinds, controller }: Props) {
  const terms = useMemo(() => termsOf(episode.moments), [episode.moments]);
  if (!moment) return <p className="muted">No epoch yet.</p>;
  const { decision, happenings } = moment;
  return (
    <div className="stack">
      {decision ? (
        <Made decision={decision} controller={controller} />
      ) : (
        <p className="muted">Nothing decided yet.</p>
      )}
      {decision && <Earned decision={decision} terms={terms} />}
      {happenings.length > 0 && (
        <section className="stack-tight">
          <h3>In this epoch</h3>
          <ul className="events">
            {happenings.map((event, i) => (
              <li key={i} className="event-line">
                <EventLine event={event} kinds={kinds} />
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}

function Made({ decision, controller }: { decision: Decision; controller: string }) {
  const refused = wasRefused(decision);
  const by = decision.initiator === "policy" ? controller : decision.initiator;
  const choices = [
    ["Style", decision.style],
    ["Tempo", decision.tempo],
    ["Target", decision.alpha_target],
    ["Speed", decision.alpha_speed],
    ["Curve", decision.alpha_curve],
  ].filter((one): one is [string, string] => one[1] !== null);
  return (
    <section className="stack-tight">
      <p className="choice-made decision-made">
        <svg className="icon" viewBox="0 0 24 24" aria-hidden="true">
          <path d={opLook(decision.op).path} />
        </svg>
        <span>{decisionWords({ ...decision, success: true })}</span>
        {decision.op !== "WAIT" && (
          <span className={refused ? "badge badge-warn" : "badge badge-good"}>
            {refused ? "refused" : "done"}
          </span>
        )}
      </p>
      {refused && (
        <p className="tone-warn small">
          {spaced(decision.reason) || "It was refused without a reason."}
        </p>
      )}
      <dl className="facts">
        <Fact name="Decided by" value={spaced(by)} />
        {choices.map(([name, value]) => (
          <Fact key={name} name={name} value={spaced(value.toLowerCase())} />
        ))}
        {decision.probability !== null && (
          <Fact name="Probability" value={percent(decision.probability, 1)} />
        )}
        {decision.value !== null && <Fact name="Expected" value={figure(decision.value)} />}
      </dl>
      <p className="small muted">
        Could also have been:{" "}
        {decision.legal_ops
          .filter((op) => op !== decision.op)
          .map((op) => opLook(op).name)
          .join(", ") || "nothing else"}
        .
        {decision.forced_heads.length > 0 &&
          ` Without a choice: ${decision.forced_heads.map(spaced).join(", ")}.`}
      </p>
    </section>
  );
}

function Fact({ name, value }: { name: string; value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}

function Earned({ decision, terms }: { decision: Decision; terms: readonly string[] }) {
  const parts = terms.flatMap((name, i) => {
    const value = decision.components[name];
    return value === undefined ? [] : [{ name, value, color: termColor(i) }];
  });
  return (
    <section className="stack-tight">
      <h3>Reward</h3>
      <p>
        <b>{signed(decision.reward)}</b>{" "}
        <span className="muted small">of {figure(decision.reward_total)} so far</span>
      </p>
      {parts.length > 0 && (
        <table className="terms">
          <thead className="visually-hidden">
            <tr>
              <th scope="col">Term</th>
              <th scope="col">Value</th>
            </tr>
          </thead>
          <tbody>
            {parts.map((part) => (
              <tr key={part.name}>
                <th scope="row">
                  <span className="swatch" style={{ background: part.color }} aria-hidden="true" />
                  {spaced(part.name)}
                </th>
                <td className="number">{signed(part.value)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}
