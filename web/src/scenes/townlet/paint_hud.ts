/** The town's clock and the followed citizen, written on the picture itself, in pixels. */

import { COAT_INK, coatOf, type Inks } from "./inks";
import { strokeIcon } from "./icons";
import { daylight } from "./light";
import type { Room } from "../map/camera";
import { card, FONT } from "../map/pen";
import { feltBy, needOf, type Citizen, type Town } from "./town";
import {
  capital,
  cityWords,
  clockOf,
  doingWords,
  initialOf,
  money,
  nameOf,
  weatherWords,
} from "./words";

const CLOCK_FONT = `600 15px ${FONT}`;

function clockText(town: Town): string {
  const sky = weatherWords(town);
  const time = clockOf(town.tod, town.ticks_per_day);
  return `Day ${town.day + 1}  ${time}${sky ? `  ${sky}` : ""}`;
}

/** The corner that the clock takes up, from the upper left. */
export function clockRoom(pen: CanvasRenderingContext2D, town: Town): Room {
  pen.font = CLOCK_FONT;
  return { width: 10 + pen.measureText(clockText(town)).width + 46, height: 10 + 34 };
}

export function paintClock(pen: CanvasRenderingContext2D, town: Town, inks: Inks): void {
  const day = daylight(town.tod, town.ticks_per_day) > 0.5;
  const faults = [
    ...(town.utilities.power ? [] : ["No power"]),
    ...(town.utilities.water ? [] : ["No water"]),
    ...town.perturbations.map(cityWords),
  ];
  const text = clockText(town);
  const { width, height } = clockRoom(pen, town);
  card(pen, inks.card, 10, 10, width - 10, height - 10);
  pen.strokeStyle = inks.gold;
  strokeIcon(pen, day ? "sun" : "moon", 18, 18, 18);
  pen.fillStyle = inks.text;
  pen.textAlign = "left";
  pen.textBaseline = "middle";
  pen.fillText(text, 42, 27.5);
  if (faults.length === 0) return;
  pen.font = `600 12.5px ${FONT}`;
  [...new Set(faults)].forEach((fault, i) => {
    const y = 50 + i * 32;
    card(pen, inks.card, 10, y, pen.measureText(fault).width + 38, 28);
    pen.strokeStyle = inks.bad;
    strokeIcon(pen, "trouble", 16, y + 6, 16);
    pen.fillStyle = inks.bad;
    pen.fillText(fault, 38, y + 14.5);
  });
}

const NEED_ROW = 13;

/** Who is followed, what they do, and how they are. */
export function paintFollowed(
  pen: CanvasRenderingContext2D,
  citizen: Citizen,
  town: Town,
  inks: Inks,
  room: Room,
): void {
  const words = capital(doingWords(citizen, town));
  pen.font = `13px ${FONT}`;
  const width = Math.min(room.width - 20, Math.max(190, pen.measureText(words).width + 66));
  const felt = feltBy(citizen);
  const height = 53 + felt.length * NEED_ROW;
  const [x, y] = [10, room.height - height - 10];
  card(pen, inks.card, x, y, width, height);
  pen.beginPath();
  pen.arc(x + 25, y + 24, 15, 0, Math.PI * 2);
  pen.fillStyle = coatOf(citizen.serial);
  pen.fill();
  pen.fillStyle = COAT_INK;
  pen.font = `700 16px ${FONT}`;
  pen.textAlign = "center";
  pen.textBaseline = "middle";
  pen.fillText(initialOf(citizen.id), x + 25, y + 25);
  pen.textAlign = "left";
  pen.fillStyle = inks.text;
  pen.font = `600 14px ${FONT}`;
  pen.fillText(`${nameOf(citizen.id)}  ·  ${money(citizen.wallet)}`, x + 48, y + 16, width - 56);
  pen.fillStyle = inks.muted;
  pen.font = `13px ${FONT}`;
  pen.fillText(words, x + 48, y + 34, width - 56);
  felt.forEach((need, i) =>
    paintNeed(pen, inks, need, needOf(citizen, need), x, y + 54 + i * NEED_ROW, width),
  );
}

function paintNeed(
  pen: CanvasRenderingContext2D,
  inks: Inks,
  need: string,
  value: number,
  x: number,
  y: number,
  width: number,
): void {
  pen.fillStyle = inks.muted;
  pen.font = `11px ${FONT}`;
  pen.fillText(need, x + 12, y);
  const [left, length] = [x + 62, width - 74];
  pen.globalAlpha = 0.25;
  pen.fillStyle = inks.muted;
  pen.fillRect(left, y - 3, length, 6);
  pen.globalAlpha = 1;
  pen.fillStyle = value > 0.5 ? inks.good : value > 0.2 ? inks.warn : inks.bad;
  pen.fillRect(left, y - 3, length * Math.min(1, Math.max(0, value)), 6);
}
