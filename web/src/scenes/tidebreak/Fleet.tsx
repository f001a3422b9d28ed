/** Both sides, ship by ship. */

import { Meter } from "../panel/Meter";
import { isLost, type Battle, type Ship } from "./battle";
import { toneOfShare } from "./gauges";
import { TeamDot } from "./Parts";
import { sideOf } from "./seen";
import { battleView, useView } from "./view";
import { capital, fateWords, layerWords, plain, troublesOf } from "./words";

export function Fleet({ battle }: { battle: Battle }) {
  const { side } = useView();
  const shown = sideOf(battle, side);
  return (
    <div className="stack">
      {battle.teams.map((team) => {
        const ships = battle.ships.filter((ship) => ship.team === team.name);
        return (
          <section key={team.name} className="stack-tight" aria-label={team.name}>
            <header className="team-head">
              <TeamDot battle={battle} team={team.name} />
              <h3 className="grow">{capital(team.name)}</h3>
              {team.share !== null && (
                <span className="muted small">
                  {Math.round(team.share * 100)} % of value, {team.ships_left} afloat
                </span>
              )}
            </header>
            {team.share !== null && <Meter value={team.share} tone={toneOfShare(team.share)} />}
            {shown === null || shown === team.name ? (
              <ul className="fleet">
                {ships.map((ship) => (
                  <li key={ship.id}>
                    <ShipRow ship={ship} />
                  </li>
                ))}
              </ul>
            ) : (
              <p className="muted small">Known only by what {shown} detects.</p>
            )}
          </section>
        );
      })}
    </div>
  );
}

function ShipRow({ ship }: { ship: Ship }) {
  const troubles = troublesOf(ship).join(", ");
  const state = ship.fate === null ? troubles || layerWords(ship) : fateWords(ship.fate);
  return (
    <button
      type="button"
      className={isLost(ship) ? "lost" : undefined}
      onClick={() => battleView.follow(ship.id)}
    >
      <span className="grow">
        <b>{ship.name}</b>
        <span className="muted small">
          {capital(plain(ship.hull))}, {state.toLowerCase()}
        </span>
      </span>
      <span className="fleet-hp">
        <Meter value={ship.hp} tone={toneOfShare(ship.hp)} />
      </span>
    </button>
  );
}
