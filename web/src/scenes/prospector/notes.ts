// What a step brought or cost, in a few words. Pure.

import { COMMODITY_WORDS, type Sight } from "./reading";

export interface Note {
  text: string;
  color: number;
}

const GAIN = 0x9ff0b8;
const LOSS = 0xff8a8a;
const MONEY = 0xffe08a;

/** What changed enough between two sights to be worth a word; most telling first. */
export function notesOf(before: Sight, after: Sight, colors: readonly number[]): Note[] {
  const notes: Note[] = [];
  const credits = Math.round(after.ship.credits - before.ship.credits);
  if (credits !== 0) {
    notes.push({ text: `${signed(credits)} cr`, color: credits > 0 ? MONEY : LOSS });
  }
  const hull = Math.round((after.ship.hull - before.ship.hull) * 100);
  if (Math.abs(hull) >= 2)
    notes.push({ text: `${signed(hull)} hull`, color: hull > 0 ? GAIN : LOSS });
  const sold = credits > 0;
  after.ship.cargoUnits.forEach((units, commodity) => {
    const change = units - (before.ship.cargoUnits[commodity] ?? 0);
    // What was sold shows as money already.
    if (Math.abs(change) < 0.5 || (sold && change < 0)) return;
    const name = COMMODITY_WORDS[commodity] ?? "";
    notes.push({
      text: `${signed(Math.round(change * 10) / 10)} ${name}`,
      color: change > 0 ? (colors[commodity] ?? GAIN) : LOSS,
    });
  });
  return notes;
}

function signed(value: number): string {
  return value > 0 ? `+${value}` : `−${Math.abs(value)}`;
}
