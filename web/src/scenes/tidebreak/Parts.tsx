/** Small parts the battle's panels share. */

import { ViewBar } from "../map/ViewBar";
import { isLost, type Battle, type Ship } from "./battle";
import { sideOf } from "./seen";
import { battleView, useView, type Overlay } from "./view";
import { fateWords } from "./words";

const OVERLAYS: Record<Overlay, readonly [string, string]> = {
  surface: ["Surface", "1"],
  submerged: ["Submerged", "2"],
  abyssal: ["Abyssal", "3"],
  names: ["Names", "n"],
  vectors: ["Courses", "v"],
  wakes: ["Wakes", "w"],
  reach: ["Reach", "r"],
  noise: ["Noise", "o"],
  action: ["Only the action", "z"],
};

/** A team's place in the battle gives it its colour. */
export function TeamDot({ battle, team }: { battle: Battle; team: string }) {
  const at = battle.teams.findIndex((one) => one.name === team);
  return <span className={`team-dot team-${at < 0 ? "none" : at}`} aria-hidden="true" />;
}

export function BattleViewBar({ battle }: { battle: Battle }) {
  const view = useView();
  const side = sideOf(battle, view.side);
  return (
    <ViewBar
      view={battleView}
      noun="ship"
      nobody="No ship in particular"
      people={battle.ships.map((ship) => ({ id: ship.id, name: shipChoice(ship) }))}
      overlays={OVERLAYS}
    >
      {battle.seen_by === null && <Sides battle={battle} side={side} />}
    </ViewBar>
  );
}

function shipChoice(ship: Ship): string {
  return isLost(ship) && ship.fate !== null ? `${ship.name}, ${fateWords(ship.fate)}` : ship.name;
}

function Sides({ battle, side }: { battle: Battle; side: string | null }) {
  return (
    <div className="chips" role="group" aria-label="Shown">
      <button
        type="button"
        aria-pressed={side === null}
        onClick={() => battleView.change({ side: null })}
      >
        Truth <kbd>s</kbd>
      </button>
      {battle.teams.map(({ name }) => (
        <button
          key={name}
          type="button"
          aria-pressed={side === name}
          onClick={() => battleView.change({ side: name })}
        >
          <TeamDot battle={battle} team={name} /> What {name} knew
        </button>
      ))}
    </div>
  );
}
