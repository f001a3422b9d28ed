/** Where somebody's reward came from, in this tick and over the day so far. */

import type { Frame } from "../../api/types";
import { rewardOf, termsOf } from "../../player/reading";
import type { Citizen, Town } from "./town";
import { capital, TERM_WORDS } from "./words";

interface Props {
  frames: readonly Frame[];
  at: number;
  citizen: Citizen;
  town: Town;
}

export function Earnings({ frames, at, citizen, town }: Props) {
  const frame = frames[at];
  if (!frame) return null;
  const { seat } = citizen;
  // Whoever sat there before earned it for themselves.
  const today = termsOfDay(frames, at, seat, Math.min(town.tod, town.tick - citizen.since));
  const now = termsOf(frame)[seat] ?? {};
  const most = Math.max(1e-9, ...Object.values(today).map(Math.abs));
  const total = Object.values(today).reduce((a, b) => a + b, 0);
  return (
    <section className="stack-tight">
      <h3>Reward</h3>
      <p>
        <b>{gain(total)}</b> today, <b>{gain(rewardOf(frame, seat), 4)}</b> in this tick
      </p>
      <ul className="breakdown">
        {Object.entries(today).map(([name, value]) => (
          <li key={name} title={`${gain(now[name] ?? 0, 4)} in this tick`}>
            <span>{capital(TERM_WORDS[name] ?? name.replaceAll("_", " "))}</span>
            <span className="number">{gain(value)}</span>
            <span className={value < 0 ? "part minus" : "part"} aria-hidden="true">
              <span style={{ width: `${(Math.abs(value) / most) * 100}%` }} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Too small to be seen in two decimals. */
const NEGLIGIBLE = 0.005;

/** The terms of a seat over so many of the last ticks, largest first, without those that are next to nothing. */
export function termsOfDay(
  frames: readonly Frame[],
  at: number,
  seat: number,
  ticks: number,
): Record<string, number> {
  const sums: Record<string, number> = {};
  for (let i = Math.max(0, at - ticks + 1); i <= at; i++) {
    const frame = frames[i];
    if (!frame) continue;
    for (const [name, value] of Object.entries(termsOf(frame)[seat] ?? {})) {
      sums[name] = (sums[name] ?? 0) + value;
    }
  }
  const told = Object.entries(sums).filter(([, value]) => Math.abs(value) >= NEGLIGIBLE);
  return Object.fromEntries(told.sort(([, a], [, b]) => Math.abs(b) - Math.abs(a)));
}

function gain(value: number, digits = 2): string {
  const text = value.toFixed(digits);
  return value > 0 ? `+${text}` : text;
}
