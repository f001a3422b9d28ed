/** Friends and rivals, warmest first. */

import { warmthOf } from "./overlays";
import { Face } from "./Parts";
import { citizenOf, type Citizen, type Town } from "./town";
import { follow } from "./view";
import { nameOf } from "./words";

export function Ties({ citizen, town }: { citizen: Citizen; town: Town }) {
  const ties = citizen.ties.toSorted((a, b) => warmthOf(b) - warmthOf(a));
  return (
    <section className="stack-tight">
      <h3>Ties</h3>
      {ties.length === 0 && <p className="muted small">Knows nobody well yet.</p>}
      <ul className="ties">
        {ties.map((tie) => {
          const warmth = warmthOf(tie);
          const other = citizenOf(town, tie.other);
          return (
            <li key={tie.other}>
              <button type="button" disabled={!other} onClick={() => follow(tie.other)}>
                {other && <Face citizen={other} />}
                <span className="grow">{nameOf(tie.other)}</span>
                <span className={warmth >= 0 ? "tone-good" : "tone-bad"}>{bond(warmth)}</span>
              </button>
              <span className="muted small">
                trust {tie.trust.toFixed(2)} · familiar {tie.familiarity.toFixed(2)} · rivalry{" "}
                {tie.rivalry.toFixed(2)}
              </span>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

export function bond(warmth: number): string {
  if (warmth >= 0.4) return "close friend";
  if (warmth >= 0.15) return "friend";
  if (warmth > -0.15) return "acquaintance";
  return warmth > -0.5 ? "rival" : "bitter rival";
}
