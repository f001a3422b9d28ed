/** What became of every ship of a battle, side by side with who commanded it. */

import { wars, type BattleShip, type ToldWar } from "../../api/wars";
import { counted, figure } from "../../shell/figures";
import { useResource } from "../../shell/resource";
import { Failed, Loading } from "../../shell/states";
import { TableScroll } from "../../shell/TableScroll";
import { dead, factionOf, fatesOf } from "./war";

interface Props {
  told: ToldWar;
  battle: string;
}

export function BattleDetails({ told, battle }: Props) {
  const { war_id, war } = told;
  const asked = useResource(`battle ${war_id} ${battle}`, (signal) =>
    wars.battle(war_id, battle, signal),
  );
  if (asked.error !== null) return <Failed error={asked.error} retry={asked.reload} />;
  if (!asked.value) return <Loading what="the battle" />;
  const { controllers, result } = asked.value;
  return (
    <div className="stack-tight war-battle-details">
      {Object.entries(controllers).map(([side, captain]) => {
        const ships = result.ships.filter((ship) => ship.team_id_initial === side);
        return (
          <section key={side} className="stack-tight">
            <h3>{factionOf(war, side)?.name ?? side}</h3>
            <p className="small muted">
              {counted(ships.length, "ship")} under {captain}: {fatesOf(ships)}
            </p>
            <Ships name={factionOf(war, side)?.name ?? side} ships={ships} />
          </section>
        );
      })}
    </div>
  );
}

function Ships({ name, ships }: { name: string; ships: readonly BattleShip[] }) {
  return (
    <TableScroll label={`Ships of ${name}`}>
      <table className="small">
        <thead>
          <tr>
            <th scope="col">Ship</th>
            <th scope="col">Fate</th>
            <th scope="col">Hit points left</th>
            <th scope="col">Damage dealt</th>
            <th scope="col">Dead</th>
          </tr>
        </thead>
        <tbody>
          {ships.map((ship) => (
            <tr key={ship.ship_id}>
              <th scope="row">{ship.ship_id}</th>
              <td>{ship.fate.toLowerCase()}</td>
              <td>{figure(Math.round(ship.final_state.hp))}</td>
              <td>{figure(Math.round(ship.damage.dealt))}</td>
              <td>{dead(ship)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </TableScroll>
  );
}
