/** Everybody who lives here, with how they are at a glance. */

import { toneOfNeed } from "./gauges";
import { iconOfOption } from "./icons";
import { Face, NeedBar, Sign } from "./Parts";
import { NEEDS, type Town } from "./town";
import { follow, useView } from "./view";
import { capital, doingWords, money, nameOf } from "./words";

export function Residents({ town }: { town: Town }) {
  const { followed } = useView();
  return (
    <ul className="residents">
      {town.agents.map((citizen) => (
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
                {NEEDS.map((need) => `${need} ${Math.round(citizen.needs[need] * 100)} %`).join(
                  ", ",
                )}
              </span>
              {NEEDS.map((need) => (
                <NeedBar
                  key={need}
                  value={citizen.needs[need]}
                  tone={toneOfNeed(citizen.needs[need])}
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
