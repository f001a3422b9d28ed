/** Everybody who lives here, with how they are at a glance. */

import { Meter } from "../panel/Meter";
import { useState } from "react";
import { toneOfNeed } from "./gauges";
import { iconOfOption } from "./icons";
import { Face, Sign } from "./Parts";
import { feltBy, needOf, wellBeing, type Citizen, type Town } from "./town";
import { follow, useView } from "./view";
import { capital, doingWords, money, nameOf } from "./words";

const ORDERS = { seat: "As seated", needy: "Worst off first", rich: "Richest first" } as const;
type Order = keyof typeof ORDERS;
/** With fewer, everybody is in sight anyway. */
const MANY = 9;

export function Residents({ town }: { town: Town }) {
  const [order, setOrder] = useState<Order>("seat");
  const [profile, setProfile] = useState("");
  const profiles = [...new Set(town.agents.map((one) => one.profile))].sort();
  const shown = sorted(town.agents, order).filter(
    (one) => profile === "" || one.profile === profile,
  );
  return (
    <div className="stack-tight">
      {town.agents.length >= MANY && (
        <div className="row sift">
          <label className="grow">
            <span className="visually-hidden">Order</span>
            <select value={order} onChange={(event) => setOrder(event.target.value as Order)}>
              {Object.entries(ORDERS).map(([key, title]) => (
                <option key={key} value={key}>
                  {title}
                </option>
              ))}
            </select>
          </label>
          <label className="grow">
            <span className="visually-hidden">Character</span>
            <select value={profile} onChange={(event) => setProfile(event.target.value)}>
              <option value="">Any character</option>
              {profiles.map((one) => (
                <option key={one} value={one}>
                  {capital(one)}
                </option>
              ))}
            </select>
          </label>
        </div>
      )}
      <Cards town={town} people={shown} />
    </div>
  );
}

export function sorted(people: readonly Citizen[], order: Order): Citizen[] {
  if (order === "needy") return people.toSorted((a, b) => wellBeing(a) - wellBeing(b));
  if (order === "rich") return people.toSorted((a, b) => b.wallet - a.wallet);
  return [...people];
}

function Cards({ town, people }: { town: Town; people: readonly Citizen[] }) {
  const { followed } = useView();
  return (
    <ul className="residents">
      {people.map((citizen) => (
        <li key={citizen.id}>
          <button
            type="button"
            aria-pressed={citizen.id === followed}
            onClick={() => follow(citizen.id)}
          >
            <Face citizen={citizen} />
            <span className="grow resident-words">
              <b>{nameOf(citizen.id)}</b>
              <span className="muted small">
                <Sign name={iconOfOption(citizen.option)} /> {capital(doingWords(citizen, town))}
              </span>
            </span>
            <span className="resident-needs">
              <span className="visually-hidden">
                {feltBy(citizen)
                  .map((need) => `${need} ${Math.round(needOf(citizen, need) * 100)} %`)
                  .join(", ")}
              </span>
              {feltBy(citizen).map((need) => (
                <Meter
                  key={need}
                  value={needOf(citizen, need)}
                  tone={toneOfNeed(needOf(citizen, need))}
                />
              ))}
            </span>
            <span className="number small">{money(citizen.wallet)}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}
