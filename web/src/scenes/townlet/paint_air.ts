/** What lies over the ground: night, lamps, lines, names of places, and what just happened. */

import { daylight, twilight } from "./light";
import type { Inks } from "./inks";
import { strokeIcon } from "./icons";
import type { QueueLine, TieLine } from "./overlays";
import type { Place, Town } from "./town";
import type { Venue } from "./venues";

/** Darkens what is drawn so far; lamps shine where there is power. */
export function paintNight(
  pen: CanvasRenderingContext2D,
  town: Town,
  venues: readonly Venue[],
  inks: Inks,
): void {
  const perDay = town.ticks_per_day;
  const dark = 1 - daylight(town.tod, perDay);
  const [width, height] = town.size;
  const cover = (ink: string, alpha: number) => {
    if (alpha <= 0) return;
    pen.save();
    pen.globalCompositeOperation = "multiply";
    pen.globalAlpha = alpha;
    pen.fillStyle = ink;
    pen.fillRect(-0.2, -0.2, width + 0.4, height + 0.4);
    pen.restore();
  };
  cover(inks.dusk, twilight(town.tod, perDay) * 0.5);
  cover(inks.night, dark * 0.85);
  if (dark > 0.05 && town.utilities.power) paintLamps(pen, venues, inks, dark);
}

function paintLamps(
  pen: CanvasRenderingContext2D,
  venues: readonly Venue[],
  inks: Inks,
  dark: number,
): void {
  pen.save();
  pen.globalCompositeOperation = "screen";
  for (const venue of venues) {
    if (venue.name === "park") continue;
    const lamps = Math.max(1, Math.round(venue.width / 8));
    for (let i = 0; i < lamps; i++) {
      const x = venue.x + ((i + 0.5) / lamps) * venue.width;
      const y = venue.y + venue.height / 2;
      const reach = Math.min(7, Math.max(venue.width / lamps, venue.height) * 0.8);
      const glow = pen.createRadialGradient(x, y, 0, x, y, reach);
      glow.addColorStop(0, `rgb(${inks.lamp} / ${0.42 * dark})`);
      glow.addColorStop(1, `rgb(${inks.lamp} / 0)`);
      pen.fillStyle = glow;
      pen.fillRect(x - reach, y - reach, reach * 2, reach * 2);
    }
  }
  pen.restore();
}

/** The name of a venue; one under `corner`, the end of what is written in the upper left of the
 * picture, is moved aside. */
export function paintVenueNames(
  pen: CanvasRenderingContext2D,
  venues: readonly Venue[],
  corner: { x: number; y: number },
  inks: Inks,
  scale: number,
): void {
  const size = Math.max(0.5, 12 / scale);
  pen.font = `600 ${size}px system-ui, sans-serif`;
  pen.textAlign = "left";
  pen.textBaseline = "alphabetic";
  pen.lineJoin = "round";
  for (const venue of venues) {
    const above = venue.y > size * 1.4;
    const y = above ? venue.y - size * 0.3 : venue.y + venue.height + size * 1.05;
    const aside = y - size < corner.y && corner.x < venue.x + venue.width;
    const x = aside ? Math.max(venue.x, corner.x) : venue.x;
    pen.lineWidth = size * 0.28;
    pen.strokeStyle = inks.labelHalo;
    pen.strokeText(venue.title, x + 0.1, y);
    pen.fillStyle = inks.label;
    pen.fillText(venue.title, x + 0.1, y);
  }
}

export function paintTies(
  pen: CanvasRenderingContext2D,
  lines: readonly TieLine[],
  inks: Inks,
  scale: number,
): void {
  pen.save();
  pen.lineCap = "round";
  for (const line of lines) {
    const friends = line.warmth >= 0;
    pen.strokeStyle = friends ? inks.good : inks.bad;
    pen.globalAlpha = 0.45 + 0.5 * line.strength;
    pen.lineWidth = (1.2 + line.strength * 6) / scale;
    // Red and green must not be all that tells rivals from friends.
    pen.setLineDash(friends ? [] : [8 / scale, 6 / scale]);
    pen.beginPath();
    pen.moveTo(line.x1, line.y1);
    pen.lineTo(line.x2, line.y2);
    pen.stroke();
  }
  pen.restore();
}

export function paintQueues(
  pen: CanvasRenderingContext2D,
  queues: readonly QueueLine[],
  inks: Inks,
  scale: number,
): void {
  pen.save();
  for (const { points } of queues) {
    pen.strokeStyle = inks.gold;
    pen.lineWidth = 2 / scale;
    pen.setLineDash([3 / scale, 4 / scale]);
    pen.beginPath();
    points.forEach(({ x, y }, i) => (i === 0 ? pen.moveTo(x, y) : pen.lineTo(x, y)));
    pen.stroke();
  }
  pen.restore();
}

/** Numbers on those who wait, drawn over them. */
export function paintQueueNumbers(
  pen: CanvasRenderingContext2D,
  queues: readonly QueueLine[],
  inks: Inks,
  scale: number,
): void {
  const r = Math.max(0.26, 6.5 / scale);
  const badge = (x: number, y: number, text: string) => {
    const wide = r * Math.max(1, 0.55 * text.length + 0.35);
    pen.beginPath();
    pen.roundRect(x - wide, y - r, wide * 2, r * 2, r);
    pen.fillStyle = inks.gold;
    pen.fill();
    pen.fillStyle = inks.card;
    pen.font = `700 ${r * 1.35}px system-ui, sans-serif`;
    pen.textAlign = "center";
    pen.textBaseline = "middle";
    pen.fillText(text, x, y + r * 0.06);
  };
  const aside = Math.max(1, r * 2.2);
  for (const { points } of queues) {
    const [head, ...waiters] = points;
    // A long queue is one number, not a heap of them; the cards tell everybody's place.
    if (head && waiters.length > QUEUE_SHORT) {
      badge(head.x - 0.3, head.y + aside, String(waiters.length));
    } else waiters.forEach(({ x, y }, i) => badge(x - 0.5 * aside, y - 0.4 * aside, String(i + 1)));
  }
}

const QUEUE_SHORT = 4;

/** The way somebody came, fading, and what they are after. */
export function paintWay(
  pen: CanvasRenderingContext2D,
  way: readonly Place[],
  aim: Place | null,
  at: { x: number; y: number },
  inks: Inks,
  scale: number,
): void {
  pen.save();
  pen.strokeStyle = inks.gold;
  pen.lineCap = "round";
  pen.lineWidth = 3 / scale;
  const points = [...way.map(([x, y]) => ({ x: x + 0.5, y: y + 0.5 })), at];
  points.slice(1).forEach((to, i) => {
    const from = points[i] ?? to;
    pen.globalAlpha = (0.55 * (i + 1)) / points.length;
    pen.beginPath();
    pen.moveTo(from.x, from.y);
    pen.lineTo(to.x, to.y);
    pen.stroke();
  });
  if (aim) {
    pen.globalAlpha = 0.85;
    pen.lineWidth = 1.6 / scale;
    pen.setLineDash([2 / scale, 6 / scale]);
    pen.beginPath();
    pen.moveTo(at.x, at.y);
    pen.lineTo(aim[0] + 0.5, aim[1] + 0.5);
    pen.stroke();
    pen.setLineDash([]);
    pen.beginPath();
    pen.roundRect(aim[0] - 0.15, aim[1] - 0.15, 1.3, 1.3, 0.3);
    pen.stroke();
  }
  pen.restore();
}

/** A note that rises from a place and fades: a talk, a quarrel, an arrival, a farewell. */
export interface Note {
  x: number;
  y: number;
  text: string;
  tone: "good" | "warn" | "bad" | "plain";
  /** 0 new to 1 gone. */
  age: number;
}

export function paintNotes(
  pen: CanvasRenderingContext2D,
  notes: readonly Note[],
  inks: Inks,
  scale: number,
): void {
  const size = Math.max(0.5, 11.5 / scale);
  pen.save();
  pen.font = `600 ${size}px system-ui, sans-serif`;
  pen.textAlign = "left";
  pen.textBaseline = "middle";
  for (const note of notes) {
    const width = pen.measureText(note.text).width + size * 2.1;
    const [x, y] = [note.x - width / 2, note.y - 1.5 - size - note.age * 1.2];
    pen.globalAlpha = Math.min(1, (1 - note.age) * 2);
    pen.beginPath();
    pen.roundRect(x, y - size * 0.85, width, size * 1.7, size * 0.6);
    pen.fillStyle = inks.card;
    pen.fill();
    const ink = note.tone === "plain" ? inks.text : inks[note.tone];
    pen.strokeStyle = ink;
    strokeIcon(pen, NOTE_ICONS[note.tone], x + size * 0.35, y - size * 0.55, size * 1.1);
    pen.fillStyle = ink;
    pen.fillText(note.text, x + size * 1.7, y + size * 0.05);
  }
  pen.restore();
}

const NOTE_ICONS = { good: "talk", warn: "trouble", bad: "trouble", plain: "life" } as const;
