/** How both factions stand on the shown day. */

import type { DayFaction, WarDay, WarFaction, WarSummary } from "../../api/wars";
import { counted, figure, percent } from "../../shell/figures";

export function FactionsPanel({ war, day }: { war: WarSummary; day: WarDay }) {
  return (
    <div className="stack">
      {war.factions.map((faction) => {
        const state = day.factions[faction.id];
        return (
          state && (
            <Faction
              key={faction.id}
              faction={faction}
              state={state}
              doctrine={war.doctrines[faction.id]}
            />
          )
        );
      })}
    </div>
  );
}

interface Props {
  faction: WarFaction;
  state: DayFaction;
  doctrine: string | undefined;
}

function Faction({ faction, state, doctrine }: Props) {
  const rows: [string, string][] = [
    ["Government", state.government],
    ["Legitimacy", percent(state.legitimacy)],
    ["Prosperity", figure(state.prosperity)],
    ["Morale", percent(state.morale)],
    ["Nodes", String(state.nodes)],
    ["Ships", `${state.ships}, value ${figure(state.value)}`],
    ["People", figure(state.people)],
    ["Action points", figure(state.action_points)],
    ["Political capital", figure(state.capital)],
    ...(doctrine === undefined ? [] : [["Doctrine", doctrine] as [string, string]]),
  ];
  return (
    <section className="stack-tight" aria-label={faction.name}>
      <h3>
        <span className="swatch" style={{ background: faction.colour }} aria-hidden="true" />
        {faction.name}
      </h3>
      <dl className="facts">
        {rows.map(([label, text]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
      <p className="small muted">
        Supplies last:{" "}
        {Object.entries(state.supply_days)
          .map(([name, days]) => `${name} ${Math.round(days)} days`)
          .join(", ")}
      </p>
      <table className="small war-blocs" aria-label={`Blocs of ${faction.name}`}>
        <thead>
          <tr>
            <th scope="col">Bloc</th>
            <th scope="col">Content</th>
            <th scope="col">Radical</th>
          </tr>
        </thead>
        <tbody>
          {Object.entries(state.blocs).map(([bloc, { satisfaction, radicalisation }]) => (
            <tr key={bloc}>
              <th scope="row">{bloc}</th>
              <td>{percent(satisfaction)}</td>
              <td>{percent(radicalisation)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {state.queue.length > 0 && (
        <p className="small muted">
          {counted(state.queue.length, "decision")} under way:{" "}
          {state.queue
            .map(({ action, target, due }) => `${action}${target ? ` ${target}` : ""} (day ${due})`)
            .join(", ")}
        </p>
      )}
    </section>
  );
}
