/** One node on the shown day: who holds it, who lives there, what it makes and who lies in port. */

import type { WarDay, WarSummary } from "../../api/wars";
import { counted, figure, percent } from "../../shell/figures";
import { factionOf } from "./war";

interface Props {
  war: WarSummary;
  day: WarDay;
  chosen: string | null;
  onChoose: (node: string) => void;
}

export function NodePanel({ war, day, chosen, onChoose }: Props) {
  const node = war.nodes.find((one) => one.id === chosen) ?? war.nodes[0];
  const state = node && day.nodes[node.id];
  if (!node || !state) return <p className="muted">This war has no nodes.</p>;
  const holder = factionOf(war, state.holder);
  const fleets = Object.entries(day.fleets).filter(([, fleet]) => fleet.at === node.id);
  const listed = (entries: Record<string, number>) =>
    Object.entries(entries)
      .map(([name, amount]) => `${name.replaceAll("_", " ")} ${figure(Math.round(amount))}`)
      .join(", ") || "none";
  const rows: [string, string][] = [
    ["Held by", holder?.name ?? "nobody"],
    ["Sea", node.sea + (node.wreck ? ", with wrecks" : "")],
    ["Population", figure(state.population)],
    ["Facilities", listed(state.facilities)],
    ["Stocks", listed(state.stocks)],
    [
      "In port",
      fleets.map(([id, fleet]) => `${id} (${counted(fleet.ships, "ship")})`).join(", ") || "nobody",
    ],
  ];
  return (
    <div className="stack">
      <label className="field">
        Node
        <select value={node.id} onChange={(event) => onChoose(event.target.value)}>
          {war.nodes.map((one) => (
            <option key={one.id} value={one.id}>
              {one.name}
            </option>
          ))}
        </select>
      </label>
      {state.siege && (
        <p className="badge badge-bad">
          Besieged by {factionOf(war, state.siege.by)?.name ?? state.siege.by}:{" "}
          {percent(state.siege.control)} control, {figure(state.siege.troops)} troops
        </p>
      )}
      {state.blockaded && <p className="badge badge-warn">Blockaded</p>}
      <dl className="facts">
        {rows.map(([label, text]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
