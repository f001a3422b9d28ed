/** The sea of a war: nodes, the ways between them, who holds what, and where the fleets are. */

import type { WarDay, WarNode, WarSummary } from "../../api/wars";
import { counted } from "../../shell/figures";
import { battlePlace, factionOf, fleetsOf, frameOf, placeOf, type PlacedFleet } from "./war";

interface Props {
  war: WarSummary;
  day: WarDay;
  chosen: string | null;
  onChoose: (node: string) => void;
}

const NODE_KM = 23;

export function WarMap({ war, day, chosen, onChoose }: Props) {
  const frame = frameOf(war.nodes);
  const places = new Map(war.nodes.map((node) => [node.id, placeOf(node)]));
  return (
    <div className="panel war-sea">
      <svg
        className="war-map"
        viewBox={`${frame.x} ${frame.y} ${frame.width} ${frame.height}`}
        role="group"
        aria-label={`Map of the war on day ${day.day}`}
      >
        {war.links.map(({ a, b, days }) => {
          const [from, to] = [places.get(a), places.get(b)];
          if (!from || !to) return null;
          return (
            <g key={`${a}-${b}`}>
              <line className="war-link" x1={from.x} y1={from.y} x2={to.x} y2={to.y} />
              <text
                className="war-days"
                x={(from.x + to.x) / 2}
                y={(from.y + to.y) / 2 - 5}
                aria-hidden="true"
              >
                {days} d
              </text>
            </g>
          );
        })}
        <Battles war={war} day={day} />
        {war.nodes.map((node) => (
          <NodeSign
            key={node.id}
            war={war}
            node={node}
            day={day}
            chosen={chosen === node.id}
            onChoose={() => onChoose(node.id)}
          />
        ))}
        {fleetsOf(day, war.nodes).map((placed) => (
          <FleetSign key={placed.id} placed={placed} war={war} />
        ))}
      </svg>
      <p className="war-state muted small">
        Day {day.day} · {day.at_war ? "at war" : "at peace"}
        {day.treaties.length > 0 && ` · ${day.treaties.join(", ")}`}
      </p>
    </div>
  );
}

interface NodeProps {
  war: WarSummary;
  node: WarNode;
  day: WarDay;
  chosen: boolean;
  onChoose: () => void;
}

function NodeSign({ war, node, day, chosen, onChoose }: NodeProps) {
  const { x, y } = placeOf(node);
  const state = day.nodes[node.id];
  const holder = factionOf(war, state?.holder);
  const seat = war.factions.find((faction) => faction.seat === node.id);
  const words = [
    node.name,
    holder ? `held by ${holder.name}` : "held by nobody",
    ...(state?.siege ? ["under siege"] : []),
    ...(state?.blockaded ? ["blockaded"] : []),
  ].join(", ");
  return (
    <g
      className={chosen ? "war-node chosen" : "war-node"}
      role="button"
      tabIndex={0}
      aria-label={words}
      aria-pressed={chosen}
      onClick={onChoose}
      onKeyDown={(event) => {
        if (event.key !== "Enter" && event.key !== " ") return;
        event.preventDefault();
        onChoose();
      }}
    >
      {seat && <circle className="war-seat" cx={x} cy={y} r={NODE_KM + 7} stroke={seat.colour} />}
      <circle
        className="war-hold"
        cx={x}
        cy={y}
        r={NODE_KM}
        style={holder ? { fill: holder.colour } : undefined}
      />
      {node.wreck && <path className="war-wreck" d={`M${x - 8} ${y + 5}l5-10 4 6 7-7-3 11z`} />}
      {state?.siege && (
        <circle
          className="war-siege"
          cx={x}
          cy={y}
          r={NODE_KM + 4}
          pathLength={1}
          strokeDasharray={`${state.siege.control} 1`}
          stroke={factionOf(war, state.siege.by)?.colour}
        />
      )}
      {state?.blockaded && (
        <path
          className="war-block"
          d={`M${x - NODE_KM} ${y}a${NODE_KM} ${NODE_KM} 0 0 0 ${2 * NODE_KM} 0`}
        />
      )}
      <text className="war-name" x={x} y={y + NODE_KM + 31}>
        {node.name}
      </text>
    </g>
  );
}

/** A hull for a battle fleet, a box for a convoy, with the number of its ships. */
function FleetSign({ placed, war }: { placed: PlacedFleet; war: WarSummary }) {
  const { id, fleet, x, y } = placed;
  const faction = factionOf(war, fleet.faction);
  const convoy = fleet.kind === "convoy";
  const words = `${id}: ${fleet.kind} fleet of ${faction?.name ?? fleet.faction}, ${counted(fleet.ships, "ship")}${fleet.mission ? `, ${fleet.mission}` : ""}`;
  return (
    <g className="war-fleet" transform={`translate(${x} ${y})`}>
      <title>{words}</title>
      <path
        d={convoy ? "M-17-12h34v24h-34z" : "M-21-12h26l19 12-19 12h-26z"}
        style={{ fill: faction?.colour }}
      />
      <text y={7}>{fleet.ships}</text>
    </g>
  );
}

/** Where it was fought on the shown day. */
function Battles({ war, day }: { war: WarSummary; day: WarDay }) {
  return war.battles
    .filter((battle) => battle.day === day.day)
    .map((battle) => {
      const place = battlePlace(battle, war.nodes);
      return (
        place && (
          <g key={battle.id} className="war-battle" transform={`translate(${place.x} ${place.y})`}>
            <title>{`A battle of ${battle.kind}`}</title>
            <circle r={34} />
            <path d="M-22-22 22 22M22-22-22 22" />
          </g>
        )
      );
    });
}
