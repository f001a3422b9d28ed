/** Every slot in figures, and the accuracies with and without its seed. */

import type { Matrix, SeedSeen, SlotPlace } from "../../api/growth";
import { figure, percent } from "../../shell/figures";
import { TableScroll } from "../../shell/TableScroll";
import type { Moment } from "./episode";
import { isFelt, lookOf } from "./stages";
import { accuracy, gain, points, spaced } from "./words";

interface Props {
  moment: Moment | null;
  slots: readonly SlotPlace[];
}

export function SeedsPanel({ moment, slots }: Props) {
  if (!moment) return <p className="muted">No epoch yet.</p>;
  return (
    <div className="stack">
      <ul className="seed-cards">
        {slots.map((slot) => (
          <li key={slot.slot_id}>
            <SeedCard slot={slot} seed={moment.seeds.get(slot.slot_id) ?? null} />
          </li>
        ))}
      </ul>
      {moment.matrix && <WithAndWithout matrix={moment.matrix} />}
    </div>
  );
}

function SeedCard({ slot, seed }: { slot: SlotPlace; seed: SeedSeen | null }) {
  const look = lookOf(seed?.stage ?? "DORMANT");
  return (
    <article className={`seed-card stage-${look.key}`}>
      <p className="seed-card-head">
        <span className="stage-chip" aria-hidden="true">
          {look.letter}
        </span>
        <b>{seed ? spaced(seed.blueprint) : "empty"}</b>
        <span className="muted small">{slot.slot_id}</span>
        {seed && <span className="small">{look.name}</span>}
      </p>
      {seed && (
        <dl className="facts">
          {factsOf(seed).map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      )}
    </article>
  );
}

function factsOf(seed: SeedSeen): [string, string][] {
  const facts: [string, string][] = [
    ["In stage", `${seed.epochs_in_stage} of ${seed.age_epochs} epochs`],
  ];
  if (isFelt(seed.stage)) {
    facts.push(["Alpha", `${seed.alpha.toFixed(2)} → ${seed.alpha_target.toFixed(2)}`]);
    facts.push(["Blend", spaced(seed.blend.toLowerCase())]);
  }
  if (seed.params > 0) facts.push(["Parameters", figure(seed.params)]);
  if (seed.contribution !== null) facts.push(["Worth", points(seed.contribution)]);
  if (seed.accuracy_without !== null) facts.push(["Without it", accuracy(seed.accuracy_without)]);
  if (seed.gradient_health !== null) facts.push(["Gradients", percent(seed.gradient_health)]);
  if (seed.isolation_violations > 0) {
    facts.push(["Isolation broken", `${seed.isolation_violations} times`]);
  }
  return facts;
}

const ROWS_MAX = 32;

function WithAndWithout({ matrix }: { matrix: Matrix }) {
  const whole = matrix.accuracies[0] ?? 0;
  const rows = matrix.configs.slice(0, ROWS_MAX);
  return (
    <section className="stack-tight">
      <h3>With and without</h3>
      <TableScroll label="Accuracies with some seeds off">
        <table className="terms">
          <thead>
            <tr>
              {matrix.slot_ids.map((slot) => (
                <th key={slot} scope="col">
                  {slot}
                </th>
              ))}
              <th scope="col" className="number">
                Accuracy
              </th>
              <th scope="col" className="number">
                To all
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map((config, i) => {
              const value = matrix.accuracies[i] ?? 0;
              return (
                <tr key={i}>
                  {config.map((on, j) => (
                    <td key={j} className={on ? undefined : "muted"}>
                      {on ? "on" : "off"}
                    </td>
                  ))}
                  <td className="number">{accuracy(value)}</td>
                  <td className="number">{i === 0 ? "" : gain(value - whole)}</td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </TableScroll>
    </section>
  );
}
