// Words that float up from the ship: what was dug, earned or lost in a step.

import { BitmapText, Container } from "pixi.js";
import type { Field, Tick } from "./field";
import { clamp, smooth } from "./motion";
import { COMMODITY_LABELS, type Sight } from "./reading";

const POOL = 8;
const LIFE_S = 1.5;
const LINE_PX = 20;
const LINES_MAX = 3;

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
  if (Math.abs(hull) >= 2) notes.push({ text: `${signed(hull)} hull`, color: hull > 0 ? GAIN : LOSS });
  const sold = credits > 0;
  after.ship.cargoUnits.forEach((units, commodity) => {
    const change = units - (before.ship.cargoUnits[commodity] ?? 0);
    // What was sold shows as money already.
    if (Math.abs(change) < 0.5 || (sold && change < 0)) return;
    const name = COMMODITY_LABELS[commodity] ?? "";
    notes.push({
      text: `${signed(Math.round(change * 10) / 10)} ${name.toLowerCase()}`,
      color: change > 0 ? (colors[commodity] ?? GAIN) : LOSS,
    });
  });
  return notes;
}

function signed(value: number): string {
  return value > 0 ? `+${value}` : `−${Math.abs(value)}`;
}

export class Popups {
  readonly view = new Container();
  private readonly lines: BitmapText[] = [];
  private readonly age_s = new Float32Array(POOL).fill(LIFE_S);
  private readonly row = new Float32Array(POOL);
  private next = 0;

  constructor() {
    for (let i = 0; i < POOL; i += 1) {
      const line = new BitmapText({
        text: "",
        style: { fontFamily: "system-ui, sans-serif", fontSize: 16, fontWeight: "700", fill: 0xffffff },
      });
      line.anchor.set(0.5);
      line.visible = false;
      this.lines.push(line);
      this.view.addChild(line);
    }
  }

  add(notes: readonly Note[]): void {
    notes.slice(0, LINES_MAX).forEach((note, row) => {
      const i = this.next;
      this.next = (i + 1) % POOL;
      const line = this.lines[i];
      if (!line) return;
      line.text = note.text;
      line.tint = note.color;
      this.age_s[i] = 0;
      this.row[i] = row;
    });
  }

  update(tick: Tick, field: Field, x: number, y: number): void {
    for (let i = 0; i < POOL; i += 1) {
      const line = this.lines[i];
      if (!line) continue;
      const age = (this.age_s[i] ?? LIFE_S) + (tick.still ? 0 : tick.elapsed_s);
      this.age_s[i] = age;
      line.visible = age < LIFE_S;
      if (!line.visible) continue;
      const phase = age / LIFE_S;
      const scale = Math.max(0.8, field.unit);
      line.position.set(x, y + (70 + (this.row[i] ?? 0) * LINE_PX) * scale - smooth(phase) * 16);
      line.scale.set(scale);
      line.alpha = clamp((1 - phase) * 2.4);
    }
  }

  clear(): void {
    this.age_s.fill(LIFE_S);
  }

  destroy(): void {
    this.view.destroy({ children: true });
  }
}
