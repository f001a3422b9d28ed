// Words that float up from the ship: what was dug, earned or lost in a step.

import { BitmapText, Container } from "pixi.js";
import type { Field, Tick } from "./field";
import { clamp, smooth } from "./motion";
import type { Note } from "./notes";

const POOL = 8;
const LIFE_S = 1.5;
const LINE_PX = 20;
const LINES_MAX = 3;

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
        style: {
          fontFamily: "system-ui, sans-serif",
          fontSize: 16,
          fontWeight: "700",
          fill: 0xffffff,
        },
      });
      line.anchor.set(0.5);
      line.visible = false;
      this.lines.push(line);
      this.view.addChild(line);
    }
  }

  /** New words take the place of older ones: two in one spot cannot be read. */
  add(notes: readonly Note[]): void {
    if (notes.length > 0) this.clear();
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
