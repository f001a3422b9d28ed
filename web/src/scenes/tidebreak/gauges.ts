/** The dials and facts of a battle. Pure. */

import type { Fact, Gauge } from "../scene";
import { isLost, type Battle, type Ship } from "./battle";
import { capital, clock, courseWords, endingWords, layerWords } from "./words";

export function toneOfShare(share: number): Gauge["tone"] {
  return share > 0.6 ? "good" : share > 0.3 ? "warn" : "bad";
}

/** Who plays sees the own ship's state; who watches sees how the sides stand, as far as is known. */
export function gauges(battle: Battle): Gauge[] {
  const own = ownShip(battle);
  return own ? shipGauges(own) : battle.teams.map((team) => teamGauge(team));
}

function teamGauge({ name, share }: Battle["teams"][number]): Gauge {
  const label = capital(name);
  if (share === null) return { label, value: 0, tone: "plain", text: "not known" };
  const text = `${Math.round(share * 100)} % of value`;
  return { label, value: share, tone: toneOfShare(share), text };
}

export function shipGauges(ship: Ship): Gauge[] {
  const share = (label: string, value: number): Gauge => ({
    label,
    value,
    tone: toneOfShare(value),
    text: `${Math.round(value * 100)} %`,
  });
  return [share("Hull", ship.hp), share("Morale", ship.morale), share("Fuel", ship.fuel)];
}

/** The ship of a player who is shown no other side. */
export function ownShip(battle: Battle): Ship | null {
  if (battle.seen_by === null) return null;
  const own = battle.ships.filter((ship) => ship.team === battle.seen_by);
  return own.find((ship) => !isLost(ship)) ?? own[0] ?? null;
}

/** Of a battle that only one side's knowledge is left of, what that side would call its own. */
export function facts(battle: Battle, side: string | null): Fact[] {
  const own = ownShip(battle);
  const ending = endingWords(battle);
  return [
    { label: "Time", text: `${clock(battle.tick)} of ${clock(battle.time_limit)}` },
    { label: "Sea state", text: String(Math.round(battle.sky.sea_state)) },
    { label: "Visibility", text: `${battle.sky.visibility_km.toFixed(0)} km` },
    ...(own
      ? [
          { label: "Course", text: courseWords(own) },
          { label: "Depth", text: layerWords(own) },
          { label: "Own noise", text: `${Math.round(own.level_db)} dB` },
        ]
      : [
          {
            label: side === null ? "Ships" : "Own ships",
            text: String(battle.ships.filter((ship) => !isLost(ship)).length),
          },
        ]),
    ...(side === null
      ? []
      : [{ label: "Contacts", text: String((battle.knowledge[side] ?? []).length) }]),
    ...(ending === null ? [] : [{ label: "End", text: ending }]),
  ];
}
