// The ship: hull, flames, what lies in its hold, how hot and how hurt it is.

import { Container, Graphics, Sprite, type Texture } from "pixi.js";
import type { Field, Tick } from "./field";
import { approach, clamp, lerp, turnTowards } from "./motion";
import type { Sight } from "./reading";
import { textureOf, type Textures } from "./textures";

/** The picture is 192 wide; the hold is a recess in it, measured from the middle. */
const PICTURE = 192;
const SHOWN_PX = 118;
const HOLD = { x: -38.5, y: -14.5, width: 59, height: 29 };
const CARGO_UNITS_MAX = 200;
const NOZZLES = [-8, 8];
const DOCKED_TURN = -Math.PI / 2;

export class Ship {
  readonly view = new Container();
  x = 0;
  y = 0;
  heading = 0;
  private readonly body = new Container();
  private readonly hull: Sprite;
  private readonly glow: Sprite;
  private readonly flames: Sprite[] = [];
  private readonly hold = new Graphics();
  private readonly cargo: Float64Array;
  private goalX = 0;
  private goalY = 0;
  private heat = 0;
  private thrust = 0;
  private placed = false;

  constructor(
    textures: Textures,
    private readonly spot: Texture,
    private readonly colors: readonly number[],
    human: boolean,
  ) {
    this.cargo = new Float64Array(colors.length);
    this.glow = centred(spot);
    this.glow.blendMode = "add";
    const flameColor = human ? 0xff9a3c : 0x4fb8ff;
    for (const y of [...NOZZLES, -60, 60]) this.addFlame(y, flameColor);
    this.hull = centred(textureOf(textures, human ? "entity.ship.human" : "entity.ship.agent"));
    this.hull.setSize(PICTURE);
    this.body.addChild(this.hull, this.hold);
    this.view.addChild(this.glow, this.body);
  }

  private addFlame(y: number, color: number): void {
    const flame = centred(this.spot);
    flame.anchor.set(0.82, 0.5);
    flame.position.set(Math.abs(y) > 20 ? -58 : -74, y);
    flame.tint = color;
    flame.blendMode = "add";
    this.flames.push(flame);
    this.body.addChild(flame);
  }

  /** Numbers between two sights, and where to lie. */
  show(sight: Sight, before: Sight | null, progress: number, goalX: number, goalY: number): void {
    this.goalX = goalX;
    this.goalY = goalY;
    const from = before ?? sight;
    this.heat = lerp(from.ship.heat, sight.ship.heat, progress);
    const tint = lerp(from.ship.hull, sight.ship.hull, progress);
    // A battered hull darkens; it never goes so dark that the ship is lost against the sky.
    const shade = Math.round(lerp(150, 255, clamp(tint * 1.4)));
    this.hull.tint = (shade << 16) | (shade << 8) | shade;
    let changed = false;
    for (let c = 0; c < this.cargo.length; c += 1) {
      const units = lerp(from.ship.cargoUnits[c] ?? 0, sight.ship.cargoUnits[c] ?? 0, progress);
      if (Math.abs(units - (this.cargo[c] ?? 0)) > 0.2) {
        this.cargo[c] = units;
        changed = true;
      }
    }
    if (changed) this.drawHold();
  }

  private drawHold(): void {
    this.hold.clear();
    let x = HOLD.x;
    for (let c = 0; c < this.cargo.length; c += 1) {
      const wide = ((this.cargo[c] ?? 0) / CARGO_UNITS_MAX) * HOLD.width;
      if (wide < 0.3) continue;
      const color = this.colors[c] ?? 0xffffff;
      this.hold.rect(x, HOLD.y, wide, HOLD.height).fill({ color, alpha: 0.92 });
      this.hold.rect(x, HOLD.y, wide, HOLD.height * 0.3).fill({ color: 0xffffff, alpha: 0.28 });
      x += wide;
    }
    for (let rib = 1; rib < 6; rib += 1) {
      this.hold.rect(HOLD.x + (rib * HOLD.width) / 6 - 0.6, HOLD.y, 1.2, HOLD.height);
    }
    this.hold.fill({ color: 0x0b1022, alpha: 0.5 });
  }

  /** `facing` is where the nose should point; null keeps it. */
  update(tick: Tick, field: Field, facing: number | null, docked: boolean, warp: number): void {
    const settle = approach(tick.elapsed_s, tick.still || !this.placed ? 0 : 0.22);
    this.placed = true;
    this.x = lerp(this.x, this.goalX, settle);
    this.y = lerp(this.y, this.goalY, settle);
    const wanted = docked && warp < 0.2 ? DOCKED_TURN : (facing ?? this.heading);
    this.heading = turnTowards(
      this.heading,
      wanted,
      approach(tick.elapsed_s, tick.still ? 0 : 0.13),
    );
    const bob = tick.still ? 0 : Math.sin(tick.time_s * 1.3) * 2.4 * field.unit;
    this.view.position.set(this.x, this.y + bob);
    this.body.scale.set((SHOWN_PX * field.unit) / PICTURE);
    this.body.rotation = this.heading;
    this.burn(tick, docked, warp);
    const pulse = tick.still ? 1 : 0.9 + 0.1 * Math.sin(tick.time_s * 5);
    this.glow.tint = this.heat > 0.75 ? 0xff4a2a : 0xff9a3c;
    this.glow.alpha = clamp((this.heat - 0.18) * 1.15) * 0.85 * pulse;
    this.glow.setSize(SHOWN_PX * field.unit * (1.5 + this.heat));
  }

  private burn(tick: Tick, docked: boolean, warp: number): void {
    const wanted = Math.max(docked ? 0 : 0.32, warp);
    this.thrust += (wanted - this.thrust) * approach(tick.elapsed_s, tick.still ? 0 : 0.12);
    for (let i = 0; i < this.flames.length; i += 1) {
      const flame = this.flames[i];
      if (!flame) continue;
      const flicker = tick.still ? 1 : 0.85 + 0.15 * Math.sin(tick.time_s * 31 + i * 2.4);
      const small = i >= NOZZLES.length ? 0.55 : 1;
      flame.setSize(
        lerp(30, 190, this.thrust) * flicker * small,
        lerp(16, 34, this.thrust) * small,
      );
      flame.alpha = clamp(this.thrust * 1.6);
    }
  }

  /** Where a beam leaves the ship. */
  noseX(field: Field): number {
    return this.view.x + Math.cos(this.heading) * SHOWN_PX * 0.36 * field.unit;
  }

  noseY(field: Field): number {
    return this.view.y + Math.sin(this.heading) * SHOWN_PX * 0.36 * field.unit;
  }

  destroy(): void {
    this.view.destroy({ children: true });
  }
}

function centred(texture: Texture): Sprite {
  const sprite = new Sprite(texture);
  sprite.anchor.set(0.5);
  return sprite;
}
