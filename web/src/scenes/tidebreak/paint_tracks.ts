/** What one side knows of the other: never a hull, always an estimate. */

import type { Track } from "./battle";
import { FONT } from "../map/pen";
import { written, type Plot } from "./plot";

/** Seconds after which an unseen track is given up. */
const FORGOTTEN_S = 90;
const VECTOR_S = 60;
const LEAST_PX = 5;
/** Better known is drawn firmer: a cue is dots, fire control a whole line. */
const DASHES: readonly (readonly number[])[] = [[1.5, 5], [5, 4], [], []];
const WIDTHS = [1, 1.2, 1.7, 2.3];

export function inkOfTrack(plot: Plot, track: Track): string {
  const { inks } = plot;
  if (track.iff === "hostile" || track.iff === "suspect") return inks.bad;
  if (track.iff === "authenticated" || track.iff === "assumed") return inks.good;
  return inks.unknown;
}

export function paintTracks(plot: Plot, tracks: readonly Track[], chosen: string | null): void {
  const { pen } = plot;
  for (const track of tracks) {
    const ink = inkOfTrack(plot, track);
    const [x, y] = [plot.x(track.x), plot.y(track.y)];
    const r = Math.max(LEAST_PX, track.sigma * plot.scale);
    const fade = Math.max(0.22, 1 - track.age / FORGOTTEN_S);
    // Wide cues overlap; they must not hide the sea.
    pen.globalAlpha = fade * (track.quality === 0 ? 0.035 : 0.12);
    pen.fillStyle = ink;
    pen.beginPath();
    pen.arc(x, y, r, 0, Math.PI * 2);
    pen.fill();
    pen.globalAlpha = fade;
    pen.strokeStyle = ink;
    pen.lineWidth = WIDTHS[track.quality] ?? 1;
    pen.setLineDash([...(DASHES[track.quality] ?? [])]);
    pen.stroke();
    pen.setLineDash([]);
    paintSymbol(plot, track, x, y, r, ink);
    if (track.key === chosen) {
      pen.globalAlpha = 1;
      pen.strokeStyle = plot.inks.gold;
      pen.lineWidth = 1.6;
      pen.beginPath();
      pen.arc(x, y, r + 6, 0, Math.PI * 2);
      pen.stroke();
    }
    pen.globalAlpha = 1;
  }
}

/** A diamond for a ship, a triangle for ordnance and craft; the line shows where it goes. */
function paintSymbol(plot: Plot, track: Track, x: number, y: number, r: number, ink: string): void {
  const { pen } = plot;
  const speed = Math.hypot(track.vx, track.vy);
  const small = track.size === "ordnance" || track.size === "craft";
  pen.lineWidth = 1.5;
  pen.beginPath();
  if (small) {
    pen.moveTo(x, y - 4);
    pen.lineTo(x + 4, y + 3);
    pen.lineTo(x - 4, y + 3);
  } else {
    pen.moveTo(x, y - 5);
    pen.lineTo(x + 5, y);
    pen.lineTo(x, y + 5);
    pen.lineTo(x - 5, y);
  }
  pen.closePath();
  pen.stroke();
  if (track.quality >= 2) {
    pen.fillStyle = ink;
    pen.fill();
  }
  if (track.quality >= 1 && speed > 0.5) {
    const far = VECTOR_S * plot.scale;
    pen.lineWidth = 1.1;
    pen.beginPath();
    pen.moveTo(x, y);
    pen.lineTo(x + track.vx * far, y + track.vy * far);
    pen.stroke();
  }
  const depth = track.layer === null || track.layer === "surface" ? "" : ` ${track.layer}`;
  const old = track.age >= 1 ? ` ${Math.round(track.age)} s` : "";
  pen.textAlign = "left";
  pen.textBaseline = "alphabetic";
  written(
    plot,
    `Q${track.quality}${depth}${old}`,
    x + Math.max(8, r * 0.75),
    y - Math.max(6, r * 0.75),
    ink,
    `10.5px ${FONT}`,
  );
}
