/** Hulls, their wakes and courses, and what ails them. */

import { isLost, type Battle, type Layer, type Ship } from "./battle";
import { FONT } from "../map/pen";
import { halfLength, outlineOf } from "./hulls";
import { teamInk } from "./inks";
import type { Ways } from "./motion";
import { written, type Plot } from "./plot";
import { burns, fateWords, floods } from "./words";

/** The deeper, the dimmer. */
export const DEPTH_ALPHA: Record<Layer, number> = { surface: 1, submerged: 0.62, abyssal: 0.4 };
/** A vector shows where a ship is in this many seconds. */
const VECTOR_S = 60;

export interface Looks {
  names: boolean;
  vectors: boolean;
  followed: string | null;
}

export function paintWakes(plot: Plot, battle: Battle, ways: Ways): void {
  const { pen, inks } = plot;
  pen.lineCap = "round";
  for (const ship of battle.ships) {
    const way = ways.get(ship.id);
    if (!way || way.length < 2 || isLost(ship)) continue;
    const wide =
      ship.layer === "surface" ? Math.max(1.6, halfLength(ship, plot.scale) * 0.28) : 1.4;
    const strength = ship.layer === "surface" ? 0.34 : 0.16;
    for (let i = 0; i + 1 < way.length; i++) {
      const [from, to] = [way[i], way[i + 1]];
      if (!from || !to) continue;
      const age = i / way.length;
      pen.strokeStyle = `rgb(${inks.wake} / ${strength * (1 - age) ** 1.5})`;
      pen.lineWidth = wide * (0.55 + 0.9 * age);
      pen.beginPath();
      pen.moveTo(plot.x(from[0]), plot.y(from[1]));
      pen.lineTo(plot.x(to[0]), plot.y(to[1]));
      pen.stroke();
    }
  }
}

export function paintShips(plot: Plot, battle: Battle, looks: Looks): void {
  // The deep ones first, the followed one last: what matters most lies on top.
  const order = (ship: Ship) =>
    (ship.id === looks.followed ? 9 : 0) + (isLost(ship) ? -4 : 0) + DEPTH_ALPHA[ship.layer];
  const sorted = battle.ships.toSorted((a, b) => order(a) - order(b));
  for (const ship of sorted) paintShip(plot, battle, ship, looks);
  if (!looks.names) return;
  const taken: Box[] = [];
  for (const ship of sorted.toReversed()) paintName(plot, battle, ship, looks, taken);
}

function paintShip(plot: Plot, battle: Battle, ship: Ship, looks: Looks): void {
  const { pen, inks } = plot;
  const ink = teamInk(inks, battle.teams, ship.team);
  const [x, y] = [plot.x(ship.x), plot.y(ship.y)];
  const half = halfLength(ship, plot.scale);
  if (ship.id === looks.followed) paintChosen(plot, x, y, half);
  if (isLost(ship)) return paintLost(plot, ship, x, y, half, ink);
  if (looks.vectors && ship.speed > 0.3) paintVector(plot, ship, x, y, half, ink);
  pen.save();
  pen.translate(x, y);
  pen.rotate(ship.heading);
  pen.scale(half, half);
  pen.globalAlpha = DEPTH_ALPHA[ship.layer] * (ship.fate === "disabled" ? 0.55 : 1);
  pen.fillStyle = ink;
  const outline = outlineOf(ship);
  pen.fill(outline);
  pen.lineWidth = 1.3 / half;
  pen.strokeStyle = ship.layer === "surface" ? inks.hullLine : ink;
  if (ship.layer !== "surface") {
    pen.globalAlpha = Math.min(1, DEPTH_ALPHA[ship.layer] + 0.3);
    pen.setLineDash([2.5 / half, 2.5 / half]);
  }
  pen.stroke(outline);
  pen.restore();
  if (ship.layer_next !== null) paintTransition(plot, ship, x, y, half);
  paintHealth(plot, ship, x, y, half);
  if (burns(ship)) paintFire(plot, x, y, half);
  if (floods(ship)) paintFlooding(plot, x, y, half);
}

function paintChosen(plot: Plot, x: number, y: number, half: number): void {
  const { pen, inks } = plot;
  pen.strokeStyle = inks.gold;
  pen.lineWidth = 1.6;
  pen.beginPath();
  pen.arc(x, y, half + 9, 0, Math.PI * 2);
  pen.stroke();
}

function paintVector(
  plot: Plot,
  ship: Ship,
  x: number,
  y: number,
  half: number,
  ink: string,
): void {
  const { pen } = plot;
  const reach = half + ship.speed * VECTOR_S * plot.scale;
  const [cos, sin] = [Math.cos(ship.heading), Math.sin(ship.heading)];
  pen.globalAlpha = 0.75 * DEPTH_ALPHA[ship.layer];
  pen.strokeStyle = ink;
  pen.lineWidth = 1.2;
  pen.beginPath();
  pen.moveTo(x + cos * half, y + sin * half);
  pen.lineTo(x + cos * reach, y + sin * reach);
  pen.moveTo(x + cos * reach - sin * 3, y + sin * reach + cos * 3);
  pen.lineTo(x + cos * reach + sin * 3, y + sin * reach - cos * 3);
  pen.stroke();
  pen.globalAlpha = 1;
}

/** A ring that closes while a hull changes its depth. */
function paintTransition(plot: Plot, ship: Ship, x: number, y: number, half: number): void {
  const { pen, inks } = plot;
  const r = half + 5;
  pen.lineWidth = 2.4;
  pen.strokeStyle = inks.water;
  pen.globalAlpha = 0.25;
  pen.beginPath();
  pen.arc(x, y, r, 0, Math.PI * 2);
  pen.stroke();
  pen.globalAlpha = 0.95;
  const top = -Math.PI / 2;
  pen.beginPath();
  pen.arc(x, y, r, top, top + Math.PI * 2 * Math.min(1, Math.max(0.02, ship.transition)));
  pen.stroke();
  const rising = ship.layer_next === "surface" || ship.layer === "abyssal";
  const [ax, ay, way] = [x + r + 6, y, rising ? -1 : 1];
  pen.beginPath();
  pen.moveTo(ax, ay - 4 * way);
  pen.lineTo(ax, ay + 4 * way);
  pen.moveTo(ax - 3, ay + 1 * way);
  pen.lineTo(ax, ay + 4 * way);
  pen.lineTo(ax + 3, ay + 1 * way);
  pen.stroke();
  pen.globalAlpha = 1;
}

/** Only where something is wrong: an unharmed fleet stays calm to look at. */
function paintHealth(plot: Plot, ship: Ship, x: number, y: number, half: number): void {
  if (ship.hp > 0.995) return;
  const { pen, inks } = plot;
  const [wide, top] = [Math.max(22, half * 1.3), y + half * 0.6 + 7];
  pen.fillStyle = inks.halo;
  pen.fillRect(x - wide / 2 - 1, top - 1, wide + 2, 5);
  pen.fillStyle = ship.hp > 0.6 ? inks.good : ship.hp > 0.3 ? inks.warn : inks.bad;
  pen.fillRect(x - wide / 2, top, wide * Math.max(0.02, ship.hp), 3);
}

function paintFire(plot: Plot, x: number, y: number, half: number): void {
  const { pen, inks } = plot;
  const breath = 1 + 0.12 * Math.sin(plot.time * 7);
  const [fx, fy, r] = [x - half * 0.2, y, Math.max(4.5, half * 0.3) * breath];
  const glow = pen.createRadialGradient(fx, fy, 0, fx, fy, r * 2.6);
  glow.addColorStop(0, `rgb(${inks.burst} / 0.75)`);
  glow.addColorStop(1, `rgb(${inks.burst} / 0)`);
  pen.fillStyle = glow;
  pen.fillRect(fx - r * 3, fy - r * 3, r * 6, r * 6);
  pen.fillStyle = inks.fire;
  pen.beginPath();
  pen.moveTo(fx, fy - r * 1.3);
  pen.quadraticCurveTo(fx + r, fy - r * 0.1, fx + r * 0.6, fy + r * 0.6);
  pen.quadraticCurveTo(fx, fy + r * 1.1, fx - r * 0.6, fy + r * 0.6);
  pen.quadraticCurveTo(fx - r, fy - r * 0.1, fx, fy - r * 1.3);
  pen.fill();
}

function paintFlooding(plot: Plot, x: number, y: number, half: number): void {
  const { pen, inks } = plot;
  const [left, level] = [x + half * 0.35, y - half * 0.45 - 5];
  pen.strokeStyle = inks.water;
  pen.lineWidth = 1.7;
  for (const row of [0, 4]) {
    pen.beginPath();
    pen.moveTo(left, level + row);
    pen.bezierCurveTo(left + 3, level + row - 3, left + 4, level + row + 3, left + 7, level + row);
    pen.bezierCurveTo(
      left + 10,
      level + row - 3,
      left + 11,
      level + row + 3,
      left + 14,
      level + row,
    );
    pen.stroke();
  }
}

/** Where a hull was lost, or was given up. */
function paintLost(plot: Plot, ship: Ship, x: number, y: number, half: number, ink: string): void {
  const { pen } = plot;
  if (ship.fate === "exited") return;
  pen.globalAlpha = 0.5;
  pen.strokeStyle = ink;
  pen.lineWidth = 1.6;
  pen.beginPath();
  if (ship.fate === "destroyed" || ship.fate === "scuttled") {
    const arm = Math.min(9, half * 0.7);
    pen.moveTo(x - arm, y - arm);
    pen.lineTo(x + arm, y + arm);
    pen.moveTo(x + arm, y - arm);
    pen.lineTo(x - arm, y + arm);
  } else {
    // A flag that was struck.
    pen.arc(x, y, half * 0.8, 0, Math.PI * 2);
    pen.moveTo(x - 4, y + 6);
    pen.lineTo(x - 4, y - 6);
    pen.lineTo(x + 5, y - 3);
    pen.lineTo(x - 4, y);
  }
  pen.stroke();
  pen.globalAlpha = 1;
}

interface Box {
  x: number;
  y: number;
  width: number;
}

const LINE_PX = 13;

/** Below a hull, unless another name is there already. */
function paintName(plot: Plot, battle: Battle, ship: Ship, looks: Looks, taken: Box[]): void {
  if (isLost(ship) && ship.id !== looks.followed) return;
  const { pen, inks } = plot;
  const chosen = ship.id === looks.followed;
  const half = halfLength(ship, plot.scale);
  const text = ship.fate === null ? ship.name : `${ship.name}, ${fateWords(ship.fate)}`;
  const font = `${chosen ? 650 : 500} 11.5px ${FONT}`;
  pen.font = font;
  const width = pen.measureText(text).width;
  const [x, y] = [
    plot.x(ship.x) - width / 2,
    plot.y(ship.y) + half * 0.6 + (ship.hp > 0.995 ? 17 : 24),
  ];
  const blocked = taken.some(
    (one) => Math.abs(one.y - y) < LINE_PX && x < one.x + one.width + 4 && one.x < x + width + 4,
  );
  if (blocked && !chosen) return;
  taken.push({ x, y, width });
  pen.textAlign = "left";
  pen.textBaseline = "alphabetic";
  pen.globalAlpha = chosen ? 1 : 0.55 + 0.45 * DEPTH_ALPHA[ship.layer];
  written(plot, text, x, y, chosen ? inks.gold : teamInk(inks, battle.teams, ship.team), font);
  pen.globalAlpha = 1;
}
