/** What flies, runs, floats and bursts. */

import type { Battle, BattleEvent, Float, Round, Squadron } from "./battle";
import { FONT } from "../map/pen";
import { teamInk } from "./inks";
import { isMissile, isTorpedo, type Ways } from "./motion";
import { DEPTH_ALPHA } from "./paint_ships";
import { written, type Plot } from "./plot";

export function paintRounds(plot: Plot, battle: Battle, trails: Ways): void {
  const { pen, inks } = plot;
  for (const round of battle.rounds) {
    const ink = teamInk(inks, battle.teams, round.team);
    paintTrail(plot, round, trails.get(round.id) ?? [], ink);
    pen.globalAlpha = round.layer === "air" ? 1 : Math.max(0.75, DEPTH_ALPHA[round.layer]);
    if (isTorpedo(round)) paintTorpedo(plot, round, ink);
    else if (isMissile(round)) paintMissile(plot, round, ink);
    else paintShell(plot, round, ink);
    pen.globalAlpha = 1;
  }
  for (const decoy of battle.decoys)
    paintDecoy(plot, decoy, teamInk(inks, battle.teams, decoy.team));
  for (const mine of battle.mines) paintMine(plot, mine, teamInk(inks, battle.teams, mine.team));
  for (const one of battle.squadrons)
    paintSquadron(plot, one, teamInk(inks, battle.teams, one.team));
}

function paintTrail(
  plot: Plot,
  round: Round,
  way: readonly (readonly [number, number])[],
  ink: string,
) {
  const { pen, inks } = plot;
  for (let i = 0; i + 1 < way.length; i++) {
    const [from, to] = [way[i], way[i + 1]];
    if (!from || !to) continue;
    pen.globalAlpha = 0.6 * (1 - i / way.length);
    pen.strokeStyle = isMissile(round) ? `rgb(${inks.wake})` : ink;
    pen.lineWidth = isMissile(round) ? 1 : 1.5;
    pen.setLineDash(isTorpedo(round) ? [3, 2] : []);
    pen.beginPath();
    pen.moveTo(plot.x(from[0]), plot.y(from[1]));
    pen.lineTo(plot.x(to[0]), plot.y(to[1]));
    pen.stroke();
  }
  pen.setLineDash([]);
  pen.globalAlpha = 1;
}

function paintTorpedo(plot: Plot, round: Round, ink: string): void {
  const { pen } = plot;
  const [x, y] = [plot.x(round.x), plot.y(round.y)];
  const angle = Math.atan2(round.vy, round.vx);
  pen.save();
  pen.translate(x, y);
  pen.rotate(angle);
  pen.fillStyle = ink;
  pen.beginPath();
  pen.roundRect(-6, -1.8, 10, 3.6, 1.8);
  pen.fill();
  pen.beginPath();
  pen.moveTo(-7.5, -3.2);
  pen.lineTo(-4.5, 0);
  pen.lineTo(-7.5, 3.2);
  pen.strokeStyle = ink;
  pen.lineWidth = 1.2;
  pen.stroke();
  pen.restore();
}

function paintMissile(plot: Plot, round: Round, ink: string): void {
  const { pen } = plot;
  pen.save();
  pen.translate(plot.x(round.x), plot.y(round.y));
  pen.rotate(Math.atan2(round.vy, round.vx));
  pen.fillStyle = ink;
  pen.beginPath();
  pen.moveTo(7, 0);
  pen.lineTo(-5, -3.4);
  pen.lineTo(-2.5, 0);
  pen.lineTo(-5, 3.4);
  pen.closePath();
  pen.fill();
  pen.restore();
}

/** A streak as long as the shell flies in a fraction of a second. */
function paintShell(plot: Plot, round: Round, ink: string): void {
  const { pen, inks } = plot;
  const [x, y] = [plot.x(round.x), plot.y(round.y)];
  const speed = Math.hypot(round.vx, round.vy) || 1;
  const length = Math.min(22, Math.max(6, speed * 0.16 * plot.scale));
  const [dx, dy] = [(round.vx / speed) * length, (round.vy / speed) * length];
  pen.lineCap = "round";
  pen.strokeStyle = ink;
  pen.lineWidth = 1.2;
  pen.beginPath();
  pen.moveTo(x - dx, y - dy);
  pen.lineTo(x, y);
  pen.stroke();
  pen.fillStyle = `rgb(${inks.burst})`;
  pen.beginPath();
  pen.arc(x, y, 1.9, 0, Math.PI * 2);
  pen.fill();
}

function paintDecoy(plot: Plot, decoy: Float, ink: string): void {
  const { pen } = plot;
  const [x, y] = [plot.x(decoy.x), plot.y(decoy.y)];
  pen.strokeStyle = ink;
  pen.lineWidth = 1.2;
  pen.globalAlpha = 0.85;
  for (const r of [3, 6]) {
    pen.beginPath();
    pen.setLineDash(r === 6 ? [2, 2] : []);
    pen.arc(x, y, r, 0, Math.PI * 2);
    pen.stroke();
  }
  pen.setLineDash([]);
  pen.globalAlpha = 1;
}

function paintMine(plot: Plot, mine: Float, ink: string): void {
  const { pen } = plot;
  const [x, y] = [plot.x(mine.x), plot.y(mine.y)];
  pen.fillStyle = pen.strokeStyle = ink;
  pen.lineWidth = 1.2;
  pen.beginPath();
  pen.arc(x, y, 2.8, 0, Math.PI * 2);
  pen.fill();
  pen.beginPath();
  for (let i = 0; i < 8; i++) {
    const angle = (i * Math.PI) / 4;
    pen.moveTo(x + Math.cos(angle) * 2.8, y + Math.sin(angle) * 2.8);
    pen.lineTo(x + Math.cos(angle) * 5.2, y + Math.sin(angle) * 5.2);
  }
  pen.stroke();
}

function paintSquadron(plot: Plot, squadron: Squadron, ink: string): void {
  if (squadron.stage === "aboard" || squadron.stage === "gone") return;
  const { pen } = plot;
  const [x, y] = [plot.x(squadron.x), plot.y(squadron.y)];
  pen.fillStyle = ink;
  const shown = Math.min(5, Math.max(1, Math.round(squadron.craft / 2)));
  for (let i = 0; i < shown; i++) {
    const [dx, dy] = [(i - (shown - 1) / 2) * 6, Math.abs(i - (shown - 1) / 2) * 3.4];
    pen.beginPath();
    pen.moveTo(x + dx, y + dy - 4);
    pen.lineTo(x + dx + 2.6, y + dy + 3);
    pen.lineTo(x + dx - 2.6, y + dy + 3);
    pen.closePath();
    pen.fill();
  }
  pen.textAlign = "center";
  written(plot, String(squadron.craft), x, y + 17, ink, `10.5px ${FONT}`);
}

/** How long a burst is seen, seconds. */
export const BURST_S = 4;
const BURSTS: Record<string, number> = {
  hit: 11,
  intercepted: 8,
  destroyed: 30,
  scuttled: 24,
  missed: 6,
  lightning: 14,
  collided: 12,
  pinged: 40,
};

export interface Burst {
  event: BattleEvent;
  /** 0 just now to 1 gone. */
  age: number;
}

export function isBurst(event: BattleEvent): boolean {
  return event.kind in BURSTS;
}

export function paintBursts(plot: Plot, bursts: readonly Burst[]): void {
  const { pen, inks } = plot;
  for (const { event, age } of bursts) {
    const size = BURSTS[event.kind] ?? 8;
    const [x, y] = [plot.x(event.x), plot.y(event.y)];
    const r = size * (0.35 + 0.65 * Math.sqrt(age));
    if (event.kind === "pinged" || event.kind === "missed") {
      pen.strokeStyle = inks.water;
      pen.globalAlpha = 0.4 * (1 - age);
      pen.lineWidth = 1.1;
      pen.beginPath();
      pen.arc(x, y, r, 0, Math.PI * 2);
      pen.stroke();
    } else {
      const glow = pen.createRadialGradient(x, y, 0, x, y, r);
      glow.addColorStop(0, `rgb(${inks.burst} / ${0.95 * (1 - age)})`);
      glow.addColorStop(0.55, `rgb(${inks.burst} / ${0.5 * (1 - age)})`);
      glow.addColorStop(1, `rgb(${inks.burst} / 0)`);
      pen.fillStyle = glow;
      pen.fillRect(x - r, y - r, r * 2, r * 2);
    }
    pen.globalAlpha = 1;
  }
}
