/** Written on the picture itself, in pixels: time, both sides, the sea, and the scale. */

import type { Battle } from "./battle";
import { card, FONT } from "../map/pen";
import { teamInk } from "./inks";
import { roundLength, type Plot } from "./plot";
import { capital, clock, distance, endingWords } from "./words";

const ROW = 17;

export function paintHud(plot: Plot, battle: Battle, side: string | null): void {
  paintTeams(plot, battle);
  paintScale(plot);
  paintWind(plot, battle);
  const words = endingWords(battle);
  const knew = side === null || battle.seen_by !== null ? null : `What ${side} knew`;
  const banner = words ?? knew;
  if (banner !== null) paintBanner(plot, banner, words === null);
}

/** The clock, and what is left of each side's value; no bar where nobody knows. */
function paintTeams(plot: Plot, battle: Battle): void {
  const { pen, inks } = plot;
  const wide = Math.min(232, plot.room.width - 20);
  card(pen, inks.card, 10, 10, wide, 31 + battle.teams.length * ROW);
  pen.textBaseline = "middle";
  pen.textAlign = "left";
  pen.fillStyle = inks.text;
  pen.font = `600 15px ${FONT}`;
  const now = clock(battle.tick);
  pen.fillText(now, 20, 26);
  const after = 27 + pen.measureText(now).width;
  pen.font = `12px ${FONT}`;
  pen.fillStyle = inks.muted;
  const left = battle.time_limit > 0 ? `of ${clock(battle.time_limit)}` : "";
  pen.fillText(left, after, 26.5);
  pen.textAlign = "right";
  pen.fillText(`sea ${Math.round(battle.sky.sea_state)}`, wide, 26.5);
  battle.teams.forEach((team, i) => {
    const y = 46 + i * ROW;
    const ink = teamInk(inks, battle.teams, team.name);
    pen.textAlign = "left";
    pen.font = `600 12px ${FONT}`;
    pen.fillStyle = ink;
    pen.fillText(capital(team.name), 20, y, 62);
    if (team.share !== null) paintShare(pen, 88, y, wide - 128, team.share);
    pen.textAlign = "right";
    pen.font = `12px ${FONT}`;
    pen.fillStyle = inks.muted;
    pen.fillText(team.ships_left === null ? "?" : String(team.ships_left), wide, y);
  });
}

function paintShare(
  pen: CanvasRenderingContext2D,
  x: number,
  y: number,
  length: number,
  share: number,
): void {
  pen.globalAlpha = 0.25;
  pen.fillRect(x, y - 3, length, 6);
  pen.globalAlpha = 1;
  pen.fillRect(x, y - 3, length * Math.min(1, Math.max(0, share)), 6);
}

function paintBanner(plot: Plot, words: string, calm: boolean): void {
  const { pen, inks, room } = plot;
  pen.font = `600 13.5px ${FONT}`;
  const wide = Math.min(room.width - 20, pen.measureText(words).width + 26);
  // Below the card of the sides where both would not fit beside each other.
  const beside = room.width > wide + 2 * 252;
  const [x, y] = [beside ? (room.width - wide) / 2 : 10, beside ? 10 : 82];
  card(pen, inks.card, x, y, wide, 28);
  pen.textAlign = "center";
  pen.textBaseline = "middle";
  pen.fillStyle = calm ? inks.gold : inks.text;
  pen.fillText(words, x + wide / 2, y + 14.5, wide - 14);
}

function paintScale(plot: Plot): void {
  const { pen, inks, room } = plot;
  const metres = roundLength(plot.scale, 130);
  const length = metres * plot.scale;
  const [x, y] = [room.width - length - 18, room.height - 16];
  pen.strokeStyle = inks.label;
  pen.globalAlpha = 0.85;
  pen.lineWidth = 1.4;
  pen.beginPath();
  pen.moveTo(x, y - 5);
  pen.lineTo(x, y);
  pen.lineTo(x + length, y);
  pen.lineTo(x + length, y - 5);
  pen.stroke();
  pen.font = `11px ${FONT}`;
  pen.textAlign = "center";
  pen.textBaseline = "alphabetic";
  pen.fillStyle = inks.label;
  pen.fillText(distance(metres), x + length / 2, y - 5);
  pen.globalAlpha = 1;
}

/** An arrow downwind, longer the harder it blows. */
function paintWind(plot: Plot, battle: Battle): void {
  const { pen, inks, room } = plot;
  const [wx, wy] = battle.sky.wind;
  const speed = Math.hypot(wx, wy);
  const [x, y] = [room.width - 32, 34];
  pen.globalAlpha = 0.85;
  pen.strokeStyle = pen.fillStyle = inks.label;
  pen.lineWidth = 1.1;
  pen.beginPath();
  pen.arc(x, y, 15, 0, Math.PI * 2);
  pen.stroke();
  pen.font = `600 10px ${FONT}`;
  pen.textAlign = "center";
  pen.textBaseline = "middle";
  pen.fillText("N", x, y - 22);
  if (speed > 0.2) {
    const reach = Math.min(13, 4 + speed * 0.6);
    const [dx, dy] = [(wx / speed) * reach, (wy / speed) * reach];
    pen.beginPath();
    pen.moveTo(x - dx, y - dy);
    pen.lineTo(x + dx, y + dy);
    pen.moveTo(x + dx - (dx + dy) * 0.4, y + dy - (dy - dx) * 0.4);
    pen.lineTo(x + dx, y + dy);
    pen.lineTo(x + dx - (dx - dy) * 0.4, y + dy - (dy + dx) * 0.4);
    pen.stroke();
    pen.font = `10px ${FONT}`;
    pen.fillText(`${speed.toFixed(0)} m/s`, x, y + 24);
  }
  pen.globalAlpha = 1;
}
