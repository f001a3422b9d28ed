/** Every battle of a war, with a way to its day and to its replay. */

import { useState } from "react";
import type { ToldWar, WarBattle } from "../../api/wars";
import { watchLink } from "../../shell/route";
import { Command } from "../../shell/states";
import { BattleDetails } from "./BattleDetails";
import { battleWhere, factionOf } from "./war";

interface Props {
  told: ToldWar;
  /** The shown day; what comes later is dimmed. */
  until: number;
  onDay: (day: number) => void;
}

export function BattleList({ told, until, onDay }: Props) {
  const { war, replays } = told;
  const [open, setOpen] = useState<string | null>(null);
  if (war.battles.length === 0) return <p className="muted">Nobody has fought yet.</p>;
  const unrecorded = war.battles.find((battle) => !(battle.id in replays));
  return (
    <div className="stack">
      <ol className="war-battles">
        {war.battles.map((battle) => {
          const replay = replays[battle.id];
          return (
            <li key={battle.id} className={battle.day > until ? "later" : undefined}>
              <button type="button" onClick={() => onDay(battle.day)}>
                <b>
                  Day {battle.day}, {battleWhere(battle, war.nodes)}
                </b>
                <span className="muted small">{battleWords(told, battle)}</span>
              </button>
              <button
                type="button"
                className="war-more"
                aria-expanded={open === battle.id}
                aria-label={`Ships of battle ${battle.id}`}
                onClick={() => setOpen(open === battle.id ? null : battle.id)}
              >
                Ships
              </button>
              {replay && (
                <a className="button" href={watchLink(replay.run_id, replay.replay_id)}>
                  Watch
                </a>
              )}
              {open === battle.id && <BattleDetails told={told} battle={battle.id} />}
            </li>
          );
        })}
      </ol>
      {unrecorded && (
        <div className="stack-tight">
          <p className="muted small">A battle can be watched once it was recorded:</p>
          <Command text={`astrarium campaign record wars/${told.war_id} ${unrecorded.id}`} />
          <p className="muted small">
            <code>--all</code> in place of its name records every one.
          </p>
        </div>
      )}
    </div>
  );
}

function battleWords({ war }: ToldWar, battle: WarBattle): string {
  const sides = Object.entries(battle.sides).map(([id, side]) => {
    const name = factionOf(war, id)?.name ?? id;
    const taken = side.captured > 0 ? `, ${side.captured} taken` : "";
    return `${name} ${side.ships} ships, ${side.lost} lost${taken}`;
  });
  const winner = factionOf(war, battle.winner);
  return `${battle.kind}; ${winner ? `${winner.name} wins` : "a draw"}. ${sides.join("; ")}`;
}
