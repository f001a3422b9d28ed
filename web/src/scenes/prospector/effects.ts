// Runs effects: each plays its recipe once, at the ship, on the rock or at the station.

import { Container, Sprite, type Texture } from "pixi.js";
import type { Aim } from "./belt";
import type { Field, Tick } from "./field";
import { clamp, smooth } from "./motion";
import type { Particles, Throw } from "./particles";
import { recipeOf, type Anchor, type Recipe } from "./recipes";
import type { Ship } from "./ship";
import { textureOf, type Textures } from "./textures";

const POOL = 14;
/** Where an effect is held when nothing may move: full, before it fades. */
const STILL_PHASE = 0.4;
const BEAM_FULL = 0.18;

interface Running {
  vfx: string;
  recipe: Recipe | null;
  sprite: Sprite;
  glow: Sprite;
  age_s: number;
  life_s: number;
  x: number;
  y: number;
}

/** What effects are drawn on; kept up to date by the stage. */
export interface Bearings {
  ship: Ship;
  aim: Aim;
  stationX: number;
  stationY: number;
}

export class Effects {
  readonly view = new Container();
  /** How hard the camera trembles now; fades by itself. */
  shake = 0;
  private readonly running: Running[] = [];
  private textures: Textures;
  private readonly thrown: Throw = {
    x: 0,
    y: 0,
    velocityX: 0,
    velocityY: 0,
    life_s: 1,
    size: 4,
    color: 0xffffff,
    drag: 1,
  };

  constructor(
    textures: Textures,
    spot: Texture,
    private readonly particles: Particles,
  ) {
    this.textures = textures;
    for (let i = 0; i < POOL; i += 1) {
      const sprite = new Sprite();
      const glow = new Sprite(spot);
      sprite.anchor.set(0.5);
      glow.anchor.set(0.5);
      glow.blendMode = "add";
      sprite.visible = glow.visible = false;
      this.view.addChild(glow, sprite);
      this.running.push({ vfx: "", recipe: null, sprite, glow, age_s: 0, life_s: 1, x: 0, y: 0 });
    }
  }

  /** `pace` shortens effects when frames follow each other quickly; `at` overrules the recipe. */
  start(
    vfx: string,
    bearings: Bearings,
    field: Field,
    pace: number,
    still: boolean,
    at?: Anchor,
  ): void {
    const known = recipeOf(vfx);
    const recipe = known && at ? { ...known, at } : known;
    if (!recipe || (recipe.at === "rock" && !bearings.aim.exists)) return;
    const same = this.running.find((one) => one.recipe && one.vfx === vfx);
    if (same?.recipe?.motion === "beam") {
      // Digging goes on: the beam stays lit instead of flickering once a frame.
      same.age_s = Math.min(same.age_s, BEAM_FULL * same.life_s);
    } else if (!same || same.age_s > same.life_s * 0.3) {
      this.begin(vfx, recipe, bearings, pace);
    }
    if (still) return;
    this.shake = Math.max(this.shake, recipe.shake);
    this.spray(recipe, bearings, field, pace);
  }

  private begin(vfx: string, recipe: Recipe, bearings: Bearings, pace: number): void {
    const free = this.running.find((one) => !one.recipe);
    const one =
      free ?? this.running.reduce((oldest, each) => (each.age_s > oldest.age_s ? each : oldest));
    one.vfx = vfx;
    one.recipe = recipe;
    one.age_s = 0;
    one.life_s = recipe.life_s / pace;
    one.sprite.texture = textureOf(this.textures, vfx);
    one.sprite.rotation = 0;
    one.x = anchorX(recipe, bearings);
    one.y = anchorY(recipe, bearings);
  }

  /** Chips fly to the ship when it digs; everything else flies apart. */
  private spray(recipe: Recipe, bearings: Bearings, field: Field, pace: number): void {
    const { thrown } = this;
    const { ship, aim } = bearings;
    const count = Math.ceil(recipe.sparks / Math.max(1, pace * 0.7));
    for (let i = 0; i < count; i += 1) {
      const angle = Math.random() * 2 * Math.PI;
      const digging = recipe.motion === "beam";
      thrown.color = recipe.sparkColor ?? aim.color;
      thrown.x = anchorX(recipe, bearings);
      thrown.y = anchorY(recipe, bearings);
      if (digging) {
        thrown.x += Math.cos(angle) * aim.size * 0.3;
        thrown.y += Math.sin(angle) * aim.size * 0.3;
        thrown.life_s = 0.5 + Math.random() * 0.35;
        thrown.velocityX = (ship.x - thrown.x) / thrown.life_s;
        thrown.velocityY = (ship.y - thrown.y) / thrown.life_s;
        thrown.drag = 0;
        thrown.size = (7 + Math.random() * 8) * field.unit;
      } else {
        const speed = (30 + Math.random() * recipe.size) * field.unit;
        thrown.velocityX = Math.cos(angle) * speed;
        thrown.velocityY = Math.sin(angle) * speed;
        thrown.life_s = recipe.life_s * (0.4 + Math.random() * 0.6);
        thrown.drag = 1.4;
        thrown.size = (5 + Math.random() * 10) * field.unit;
      }
      this.particles.add(thrown);
    }
  }

  update(tick: Tick, field: Field, bearings: Bearings): void {
    this.shake *= Math.exp(-tick.elapsed_s * 5);
    for (const one of this.running) {
      if (!one.recipe) continue;
      if (!tick.still) one.age_s += tick.elapsed_s;
      const phase = tick.still ? STILL_PHASE : one.age_s / one.life_s;
      if (phase >= 1) this.stop(one);
      else this.draw(one, one.recipe, phase, field, bearings);
    }
  }

  private draw(
    one: Running,
    recipe: Recipe,
    phase: number,
    field: Field,
    bearings: Bearings,
  ): void {
    const { sprite } = one;
    sprite.visible = true;
    one.glow.visible = false;
    const size = recipe.size * field.unit;
    const fade = 1 - smooth((phase - 0.55) / 0.45);
    sprite.anchor.set(0.5);
    sprite.alpha = fade;
    sprite.position.set(anchorX(recipe, bearings), anchorY(recipe, bearings));
    switch (recipe.motion) {
      case "pulse":
        sprite.setSize(size * (0.12 + 0.88 * smooth(phase ** 0.6)));
        sprite.alpha = (1 - phase) ** 0.8;
        break;
      case "flash":
        sprite.setSize(size * (0.45 + 0.55 * smooth(phase * 3)) * (1 + phase * 0.12));
        break;
      case "spin":
        sprite.setSize(size * (0.7 + 0.3 * smooth(phase * 4)));
        sprite.rotation = phase * 2;
        break;
      case "rise":
        sprite.y -= (20 + recipe.size * 0.42 + 42 * smooth(phase)) * field.unit;
        sprite.setSize(size * (0.6 + 0.4 * smooth(phase * 5)));
        break;
      case "toss":
        sprite.position.set(
          one.x + phase * 130 * field.unit,
          one.y + (phase * 90 - 30 * Math.sin(phase * Math.PI)) * field.unit,
        );
        sprite.rotation = phase * 2.4;
        sprite.setSize(size * (1 - 0.35 * phase));
        break;
      case "wake":
        this.drawWake(sprite, size, phase, bearings.ship);
        break;
      case "beam":
        this.drawBeam(one, size, phase, field, bearings);
        break;
    }
  }

  private drawWake(sprite: Sprite, size: number, phase: number, ship: Ship): void {
    sprite.anchor.set(0.9, 0.5);
    sprite.rotation = ship.heading;
    sprite.setSize(size * (0.7 + phase * 0.6), size * 0.5 * (1 - phase * 0.5));
    sprite.position.set(
      ship.view.x - Math.cos(ship.heading) * size * 0.16,
      ship.view.y - Math.sin(ship.heading) * size * 0.16,
    );
    sprite.alpha = clamp(phase * 8) * (1 - phase);
  }

  private drawBeam(
    one: Running,
    size: number,
    phase: number,
    field: Field,
    bearings: Bearings,
  ): void {
    const { ship, aim } = bearings;
    if (!aim.exists) {
      this.stop(one);
      return;
    }
    const x = ship.noseX(field);
    const y = ship.noseY(field);
    const lit = Math.min(smooth(phase / BEAM_FULL), 1 - smooth((phase - 0.7) / 0.3));
    const length = Math.max(1, Math.hypot(aim.x - x, aim.y - y) - aim.size * 0.22);
    const { sprite, glow } = one;
    sprite.anchor.set(0, 0.5);
    sprite.position.set(x, y);
    sprite.rotation = Math.atan2(aim.y - y, aim.x - x);
    sprite.setSize(length, size * (0.5 + 0.5 * lit));
    sprite.alpha = lit;
    glow.visible = true;
    glow.position.set(
      x + Math.cos(sprite.rotation) * length,
      y + Math.sin(sprite.rotation) * length,
    );
    glow.setSize(size * 1.7 * lit);
    glow.tint = 0xfff0d0;
    glow.alpha = lit * 0.9;
  }

  private stop(one: Running): void {
    one.recipe = null;
    one.sprite.visible = false;
    one.glow.visible = false;
  }

  clear(): void {
    for (const one of this.running) this.stop(one);
    this.shake = 0;
  }

  destroy(): void {
    this.view.destroy({ children: true });
  }
}

function anchorX(recipe: Recipe, { ship, aim, stationX }: Bearings): number {
  return recipe.at === "rock" ? aim.x : recipe.at === "station" ? stationX : ship.view.x;
}

function anchorY(recipe: Recipe, { ship, aim, stationY }: Bearings): number {
  return recipe.at === "rock" ? aim.y : recipe.at === "station" ? stationY : ship.view.y;
}
