/** People: a coat of their own colour, a face, what they are up to and how far it has come. */

import { COAT_INK, coatOf, type Inks } from "./inks";
import { iconOfOption, strokeIcon, type IconName } from "./icons";
import type { Standing } from "./motion";
import { rounded } from "./paint_ground";
import { wellBeing, type Citizen, type Town } from "./town";
import { initialOf, isNumbered, nameOf, progressOf } from "./words";

export interface People {
  standing: readonly Standing[];
  followed: string | null;
  names: boolean;
  /** Seconds, for the sway of a walk; constant where nothing should move by itself. */
  time: number;
  /** Share of a tick that has gone by, for progress between ticks. */
  share: number;
}

/** More than these would hide each other behind bubbles and names. */
const CROWD = 16;

/** Small people on a small map are drawn larger than their tile, so that they can be told apart. */
function sizeOf(scale: number, count: number): number {
  return count > CROWD ? Math.max(1.05, 16 / scale) : Math.max(1.15, 25 / scale);
}

export function paintCitizens(
  pen: CanvasRenderingContext2D,
  town: Town,
  people: People,
  inks: Inks,
  scale: number,
): void {
  const size = sizeOf(scale, people.standing.length);
  const crowded = people.standing.length > CROWD && scale < 20;
  for (const one of people.standing) {
    pen.save();
    const sway = one.walking ? Math.abs(Math.sin(people.time * 9 + one.citizen.serial)) * 0.09 : 0;
    pen.translate(one.x + 0.5, one.y + 0.62 - sway * size);
    pen.scale(size, size);
    // Who is in hospital is not really there.
    pen.globalAlpha = one.presence * (one.citizen.hospital ? 0.45 : 1);
    paintOne(pen, one.citizen, town, people, inks);
    pen.restore();
  }
  for (const one of people.standing) {
    pen.save();
    pen.translate(one.x + 0.5, one.y + 0.62);
    pen.scale(size, size);
    pen.globalAlpha = one.presence;
    const followed = one.citizen.id === people.followed;
    if (!crowded || followed || one.citizen.hospital || one.citizen.argues_with)
      paintThought(pen, one.citizen, inks);
    pen.restore();
  }
  paintNames(pen, people, inks, scale, size);
}

/** Names under people, the followed one's first; a name that would cover another is left out. */
function paintNames(
  pen: CanvasRenderingContext2D,
  people: People,
  inks: Inks,
  scale: number,
  size: number,
): void {
  const taken: Box[] = [];
  // From far away, or in a crowd, the number on a face says as much as "Resident 12" below it.
  const roomy = scale >= 20 && people.standing.length <= CROWD;
  const first = (one: Standing) => Number(one.citizen.id === people.followed);
  for (const one of people.standing.toSorted((a, b) => first(b) - first(a))) {
    const followed = first(one) === 1;
    const text = nameOf(one.citizen.id);
    const told = followed || (people.names && (roomy || !isNumbered(one.citizen.id)));
    if (!told) continue;
    const height = Math.max(0.42 * size, 10.5 / scale);
    pen.font = `${followed ? 700 : 500} ${height}px system-ui, sans-serif`;
    const width = pen.measureText(text).width;
    const [x, y] = [one.x + 0.5, one.y + 0.62 + 0.46 * size];
    const box = { left: x - width / 2, right: x + width / 2, top: y, bottom: y + height };
    if (taken.some((other) => overlap(box, other))) continue;
    taken.push(box);
    pen.globalAlpha = one.presence;
    pen.textAlign = "center";
    pen.textBaseline = "top";
    pen.lineJoin = "round";
    pen.lineWidth = height * 0.26;
    pen.strokeStyle = inks.labelHalo;
    pen.strokeText(text, x, y);
    pen.fillStyle = followed ? inks.gold : inks.label;
    pen.fillText(text, x, y);
  }
  pen.globalAlpha = 1;
}

interface Box {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

function overlap(a: Box, b: Box): boolean {
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}

function paintOne(
  pen: CanvasRenderingContext2D,
  citizen: Citizen,
  town: Town,
  people: People,
  inks: Inks,
): void {
  const coat = coatOf(citizen.serial);
  ellipse(pen, "rgb(0 0 0 / 28%)", 0, 0.3, 0.34, 0.12);
  if (citizen.id === people.followed) {
    pen.strokeStyle = inks.gold;
    pen.lineWidth = 0.1;
    pen.beginPath();
    pen.arc(0, -0.06, 0.62, 0, Math.PI * 2);
    pen.stroke();
  }
  pen.lineWidth = 0.06;
  pen.strokeStyle = COAT_INK;
  rounded(pen, -0.29, -0.08, 0.58, 0.42, 0.18);
  pen.fillStyle = coat;
  pen.fill();
  pen.stroke();
  pen.beginPath();
  pen.arc(0, -0.2, 0.33, 0, Math.PI * 2);
  pen.fill();
  pen.stroke();
  paintFace(pen, citizen);
  paintRing(pen, citizen, town.tick - 1 + people.share, inks);
}

/** The initial, with a mouth that tells how they are. */
function paintFace(pen: CanvasRenderingContext2D, citizen: Citizen): void {
  pen.fillStyle = COAT_INK;
  const sign = initialOf(citizen.id);
  pen.font = `700 ${sign.length > 1 ? 0.3 : 0.38}px system-ui, sans-serif`;
  pen.textAlign = "center";
  pen.textBaseline = "middle";
  pen.fillText(sign, 0, -0.22);
  const mood = wellBeing(citizen);
  const bend = mood > 0.5 ? 0.08 : mood > 0.25 ? 0 : -0.08;
  pen.strokeStyle = COAT_INK;
  pen.lineWidth = 0.06;
  pen.lineCap = "round";
  pen.beginPath();
  pen.moveTo(-0.14, 0.12);
  pen.quadraticCurveTo(0, 0.12 + bend * 2, 0.14, 0.12);
  pen.stroke();
}

function paintRing(
  pen: CanvasRenderingContext2D,
  citizen: Citizen,
  tick: number,
  inks: Inks,
): void {
  const progress = progressOf(citizen, tick);
  if (progress === null) return;
  const start = -Math.PI / 2;
  pen.lineWidth = 0.1;
  pen.lineCap = "butt";
  pen.strokeStyle = inks.card;
  pen.beginPath();
  pen.arc(0, -0.06, 0.52, 0, Math.PI * 2);
  pen.stroke();
  pen.strokeStyle = inks.good;
  pen.beginPath();
  pen.arc(0, -0.06, 0.52, start, start + progress * Math.PI * 2);
  pen.stroke();
}

/** The bubble above: what they are after. */
function paintThought(pen: CanvasRenderingContext2D, citizen: Citizen, inks: Inks): void {
  const quarrels = citizen.argues_with !== null;
  const calm: IconName = citizen.hospital ? "hospital" : iconOfOption(citizen.option);
  ellipse(pen, inks.card, 0.34, -0.72, 0.3, 0.3);
  pen.strokeStyle = citizen.hospital || quarrels ? inks.bad : inks.text;
  strokeIcon(pen, quarrels ? "trouble" : calm, 0.34 - 0.2, -0.72 - 0.2, 0.4);
  const need = wellBeing(citizen);
  if (need < 0.2) ellipse(pen, inks.bad, 0.6, -0.94, 0.1, 0.1);
}

function ellipse(
  pen: CanvasRenderingContext2D,
  fill: string,
  x: number,
  y: number,
  rx: number,
  ry: number,
): void {
  pen.beginPath();
  pen.ellipse(x, y, rx, ry, 0, 0, Math.PI * 2);
  pen.fillStyle = fill;
  pen.fill();
}
