// The sixteen rocks of a node: where they lie, how big, what they seem to hold.

import { BitmapText, Container, Graphics, Sprite } from "pixi.js";
import type { Assets } from "../../assets/assets";
import { rockSpot, type Field, type Spot, type Tick } from "./field";
import { approach, chanceOf, clamp, colorNumber, lerp, mixColors, smooth } from "./motion";
import { COMMODITIES, ROCK_COUNT, type Rock, type Sight } from "./reading";
import { textureOf, type Textures } from "./textures";

// Sprite by depletion, and how much of its picture the rock fills.
const SIZES = [
  { upTo: 0.33, name: "large", fill: 168 / 192 },
  { upTo: 0.66, name: "medium", fill: 128 / 160 },
  { upTo: Infinity, name: "small", fill: 88 / 128 },
] as const;
const VARIANTS = ["", ".1", ".2"];

const FRESH_PX = 78;
const SPENT_PX = 30;
const STONE = 0xb4b8c4;
const SPENT = 0x5d616d;
const APPEAR_S = 0.45;

export interface Aim {
  exists: boolean;
  x: number;
  y: number;
  size: number;
  color: number;
}

interface Lump {
  view: Container;
  stone: Sprite;
  veins: Sprite;
  cracks: Sprite;
  number: BitmapText;
  x: number;
  y: number;
  size: number;
  alpha: number;
  appeared_s: number;
}

export class Belt {
  readonly view = new Container();
  readonly colors: number[];
  /** The selected rock as it is drawn now; effects follow it. */
  readonly aim: Aim = { exists: false, x: 0, y: 0, size: 0, color: 0xffffff };
  private readonly lumps: Lump[] = [];
  private readonly mark = new Container();
  private readonly numbers = new Container();
  private readonly shares = new Graphics();
  private readonly ring: Sprite;
  private readonly goal: Spot = { x: 0, y: 0 };
  private sight: Sight | null = null;
  private before: Sight | null = null;
  private progress = 1;
  private node = -1;

  constructor(
    private readonly textures: Textures,
    assets: Assets,
    /** A person chooses rocks by number; a viewer needs only the chosen one's. */
    private readonly numbered: boolean,
  ) {
    this.colors = COMMODITIES.map((name) => colorNumber(assets.color(name)));
    for (let slot = 0; slot < ROCK_COUNT; slot += 1) this.lumps.push(this.lump(slot));
    this.ring = centred(this.textures, "vfx.selection.ring");
    this.mark.addChild(this.shares, this.ring);
    this.mark.visible = false;
    this.view.addChild(this.mark, this.numbers);
  }

  private lump(slot: number): Lump {
    const view = new Container();
    const stone = centred(this.textures, "entity.asteroid.large");
    const veins = centred(this.textures, "entity.asteroid.veins");
    const cracks = centred(this.textures, "entity.asteroid.cracks");
    veins.blendMode = "add";
    view.addChild(stone, veins, cracks);
    view.visible = false;
    veins.rotation = slot * 1.3;
    cracks.rotation = slot * 2.1;
    const number = new BitmapText({
      text: String(slot + 1),
      style: {
        fontFamily: "system-ui, sans-serif",
        fontSize: 13,
        fontWeight: "700",
        fill: 0xffffff,
      },
    });
    number.anchor.set(0.5);
    number.visible = false;
    this.view.addChild(view);
    this.numbers.addChild(number);
    return { view, stone, veins, cracks, number, x: 0, y: 0, size: 0, alpha: 0, appeared_s: 0 };
  }

  /** What to show now; `before` where the same node's rocks change from one sight to the next. */
  show(sight: Sight, before: Sight | null, progress: number): void {
    const arrived = sight.place.index !== this.node;
    this.node = sight.place.index;
    this.before = before && before.place.index === this.node ? before : null;
    this.progress = progress;
    if (this.sight === sight && !arrived) return;
    this.sight = sight;
    sight.rocks.forEach((rock, slot) => this.dress(rock, slot, arrived));
    this.drawShares(sight);
  }

  private dress(rock: Rock, slot: number, arrived: boolean): void {
    const lump = this.lumps[slot];
    if (!lump) return;
    if (arrived || !rock.exists) {
      lump.appeared_s = -0.02 * slot;
      lump.alpha = 0;
      lump.size = 0;
    }
    const size = SIZES.find(({ upTo }) => rock.depletion <= upTo) ?? SIZES[2];
    const variant =
      VARIANTS[Math.floor(chanceOf(this.node * 16 + slot, 30) * VARIANTS.length)] ?? "";
    lump.stone.texture = textureOf(this.textures, `entity.asteroid.${size.name}${variant}`);
    const spent = rock.depletion >= 0.999;
    const known = 0.72 + 0.28 * rock.confidence;
    lump.stone.tint = spent ? SPENT : mixColors(STONE, this.believed(rock), known);
    lump.veins.tint = this.colors[rock.dominant] ?? 0xffffff;
    const richest = rock.composition[rock.dominant] ?? 0;
    lump.veins.alpha = spent ? 0 : clamp((richest - 0.12) * 1.9) * (0.45 + 0.55 * rock.confidence);
    lump.cracks.alpha = spent
      ? 0
      : clamp((0.55 - rock.stability) * 2.2) * clamp(rock.confidence * 1.4);
  }

  /** The colour of the mixture, with the leading commodity leading more than its share. */
  private believed(rock: Rock): number {
    let color = STONE;
    let total = 0;
    rock.composition.forEach((share, commodity) => {
      const weight = share ** 3;
      total += weight;
      if (total > 0) color = mixColors(color, this.colors[commodity] ?? STONE, weight / total);
    });
    return mixColors(color, 0xffffff, 0.2);
  }

  private drawShares(sight: Sight): void {
    const rock = sight.rocks[sight.selected];
    this.mark.visible = rock !== undefined;
    if (!rock) return;
    this.shares.clear();
    let angle = -Math.PI / 2;
    rock.composition.forEach((share, commodity) => {
      const sweep = share * 2 * Math.PI;
      if (sweep > 0.09) {
        this.shares
          .arc(0, 0, 50, angle + 0.03, angle + sweep - 0.03)
          .stroke({ width: 5, color: this.colors[commodity] ?? 0xffffff, alpha: 0.95 });
        // An arc begins where the last path ended unless the path is closed off first.
        this.shares.beginPath();
      }
      angle += sweep;
    });
  }

  update(tick: Tick, field: Field): void {
    const { sight } = this;
    if (!sight) return;
    const settle = approach(tick.elapsed_s, tick.still ? 0 : 0.1);
    for (let slot = 0; slot < ROCK_COUNT; slot += 1) {
      const lump = this.lumps[slot];
      const rock = sight.rocks[slot];
      if (lump && rock) this.move(lump, rock, slot, tick, field, settle);
    }
    const chosen = this.lumps[sight.selected];
    this.aim.exists = chosen !== undefined;
    if (!chosen) return;
    this.aim.x = chosen.x;
    this.aim.y = chosen.y;
    this.aim.size = chosen.size;
    this.aim.color = this.colors[sight.rocks[sight.selected]?.dominant ?? 0] ?? 0xffffff;
    this.mark.position.set(chosen.x, chosen.y);
    const scale = Math.max(chosen.size, 34 * field.unit) / 68;
    this.mark.scale.set(scale);
    this.mark.alpha = chosen.alpha;
    this.ring.setSize(136);
    if (!tick.still) this.ring.rotation = tick.time_s * 0.5;
  }

  private move(
    lump: Lump,
    rock: Rock,
    slot: number,
    tick: Tick,
    field: Field,
    settle: number,
  ): void {
    lump.view.visible = rock.exists;
    lump.number.visible = rock.exists && (this.numbered || rock.selected);
    if (!rock.exists) return;
    const before = this.before?.rocks[slot];
    const from = before?.exists ? before : rock;
    const confidence = lerp(from.confidence, rock.confidence, this.progress);
    const depletion = lerp(from.depletion, rock.depletion, this.progress);
    const { x, y } = rockSpot(field, slot, confidence, this.goal);
    const size =
      lerp(FRESH_PX, SPENT_PX, depletion) *
      field.unit *
      (0.88 + 0.24 * chanceOf(this.node * 16 + slot, 31));
    const fresh = lump.size === 0;
    lump.appeared_s += tick.elapsed_s;
    const here = tick.still ? 1 : smooth(lump.appeared_s / APPEAR_S);
    lump.x = fresh ? x : lerp(lump.x, x, settle);
    lump.y = fresh ? y : lerp(lump.y, y, settle);
    lump.size = fresh ? size : lerp(lump.size, size, settle);
    lump.alpha = here * (depletion >= 0.999 ? 0.55 : 0.86 + 0.14 * confidence);
    const sway = tick.still ? 0 : 2.2 * field.unit;
    lump.view.position.set(
      lump.x + Math.sin(tick.time_s * 0.5 + slot * 1.7) * sway,
      lump.y + Math.cos(tick.time_s * 0.42 + slot * 2.3) * sway,
    );
    lump.view.alpha = lump.alpha;
    lump.number.position.set(
      lump.x,
      lump.y + lump.size * (rock.selected ? 0.9 : 0.5) + 11 * field.unit,
    );
    lump.number.scale.set(Math.max(0.8, field.unit));
    lump.number.alpha = lump.alpha * (rock.depletion >= 0.999 ? 0.4 : 0.9);
    const fill = SIZES.find(({ upTo }) => rock.depletion <= upTo)?.fill ?? 1;
    lump.stone.setSize((lump.size / fill) * (0.6 + 0.4 * here));
    lump.veins.setSize(lump.size * 1.15);
    lump.cracks.setSize(lump.size * 1.25);
    // A slow rocking, not a spin: the painted light must keep coming from the upper left.
    if (!tick.still) lump.view.rotation = Math.sin(tick.time_s * 0.16 + slot) * 0.14;
  }

  destroy(): void {
    this.view.destroy({ children: true });
  }
}

function centred(textures: Textures, key: string): Sprite {
  const sprite = new Sprite(textureOf(textures, key));
  sprite.anchor.set(0.5);
  return sprite;
}
