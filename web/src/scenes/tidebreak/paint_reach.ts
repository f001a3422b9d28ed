/** How far the chosen ship's weapons reach, what she aims at, and where seekers look. */

import type { Battle, Mount, Ship } from "./battle";
import { FONT } from "../map/pen";
import { shipOf } from "./battle";
import { teamInk } from "./inks";
import { written, type Plot } from "./plot";
import { distance, plain } from "./words";

export interface Reach {
  weapon: string;
  range: number;
  rounds: number;
  ready: boolean;
}

/** One for each kind of weapon: ready if any mount of it is. */
export function reachesOf(mounts: readonly Mount[]): Reach[] {
  const found = new Map<string, Reach>();
  for (const { weapon, range, rounds, ready } of mounts) {
    if (range <= 0) continue;
    const held = found.get(weapon);
    found.set(weapon, {
      weapon,
      range: Math.max(range, held?.range ?? 0),
      rounds: rounds + (held?.rounds ?? 0),
      ready: (ready && rounds > 0) || (held?.ready ?? false),
    });
  }
  return [...found.values()].sort((a, b) => b.range - a.range);
}

export function paintReach(plot: Plot, battle: Battle, ship: Ship): void {
  const { pen, inks } = plot;
  const [x, y] = [plot.x(ship.x), plot.y(ship.y)];
  reachesOf(ship.mounts).forEach((reach, i) => {
    const r = reach.range * plot.scale;
    pen.strokeStyle = reach.rounds === 0 ? inks.bad : reach.ready ? inks.gold : inks.muted;
    pen.globalAlpha = reach.rounds === 0 ? 0.35 : reach.ready ? 0.75 : 0.45;
    pen.lineWidth = 1.1;
    pen.setLineDash(reach.ready ? [] : [4, 4]);
    pen.beginPath();
    pen.arc(x, y, r, 0, Math.PI * 2);
    pen.stroke();
    pen.setLineDash([]);
    pen.globalAlpha = 0.95;
    // Names stand on their circles, each at another angle, so that none covers another.
    const angle = -Math.PI / 2 + 0.42 * (i + 1);
    const [lx, ly] = [x + Math.cos(angle) * r, y + Math.sin(angle) * r];
    const inside = lx > 0 && ly > 10 && lx < plot.room.width - 60 && ly < plot.room.height;
    pen.textAlign = "left";
    pen.textBaseline = "alphabetic";
    if (inside && r > 24) {
      const words = `${plain(reach.weapon)} ${distance(reach.range)}`;
      written(plot, words, lx + 4, ly, pen.strokeStyle, `10.5px ${FONT}`);
    }
    pen.globalAlpha = 1;
  });
  const aim = shipOf(battle, ship.target);
  if (aim) paintAim(plot, x, y, plot.x(aim.x), plot.y(aim.y));
}

function paintAim(plot: Plot, x: number, y: number, tx: number, ty: number): void {
  const { pen, inks } = plot;
  pen.strokeStyle = inks.gold;
  pen.globalAlpha = 0.7;
  pen.lineWidth = 1;
  pen.setLineDash([2, 5]);
  pen.beginPath();
  pen.moveTo(x, y);
  pen.lineTo(tx, ty);
  pen.stroke();
  pen.setLineDash([]);
  pen.beginPath();
  for (const [dx, dy] of [
    [1, 0],
    [-1, 0],
    [0, 1],
    [0, -1],
  ] as const) {
    pen.moveTo(tx + dx * 12, ty + dy * 12);
    pen.lineTo(tx + dx * 18, ty + dy * 18);
  }
  pen.stroke();
  pen.globalAlpha = 1;
}

/** The cones in which torpedoes and missiles look for somebody: whoever is in one is hunted. */
export function paintSeekers(plot: Plot, battle: Battle): void {
  const { pen, inks } = plot;
  for (const { x, y, vx, vy, team, seeker } of battle.rounds) {
    if (!seeker) continue;
    const ahead = Math.atan2(vy, vx);
    pen.fillStyle = pen.strokeStyle = teamInk(inks, battle.teams, team);
    pen.lineWidth = 0.8;
    pen.beginPath();
    pen.moveTo(plot.x(x), plot.y(y));
    pen.arc(
      plot.x(x),
      plot.y(y),
      seeker.range * plot.scale,
      ahead - seeker.half,
      ahead + seeker.half,
    );
    pen.closePath();
    pen.globalAlpha = 0.07;
    pen.fill();
    pen.globalAlpha = 0.35;
    pen.stroke();
    pen.globalAlpha = 1;
  }
}
