// Sparks, chips and smoke: one pool of sprites, one set of arrays, nothing made while it runs.

import { Container, Sprite, type Texture } from "pixi.js";
import type { Tick } from "./field";

const POOL = 220;

export interface Throw {
  x: number;
  y: number;
  velocityX: number;
  velocityY: number;
  life_s: number;
  size: number;
  color: number;
  /** Share of speed lost each second. */
  drag: number;
}

export class Particles {
  readonly view = new Container();
  private readonly sprites: Sprite[] = [];
  private readonly velocityX = new Float32Array(POOL);
  private readonly velocityY = new Float32Array(POOL);
  private readonly age_s = new Float32Array(POOL);
  private readonly life_s = new Float32Array(POOL);
  private readonly size = new Float32Array(POOL);
  private readonly drag = new Float32Array(POOL);
  private next = 0;
  private alive = 0;

  constructor(spot: Texture) {
    for (let i = 0; i < POOL; i += 1) {
      const sprite = new Sprite(spot);
      sprite.anchor.set(0.5);
      sprite.visible = false;
      sprite.blendMode = "add";
      this.sprites.push(sprite);
      this.view.addChild(sprite);
    }
  }

  /** The oldest gives way where the pool is full. */
  add(thrown: Throw): void {
    const i = this.next;
    this.next = (i + 1) % POOL;
    const sprite = this.sprites[i];
    if (!sprite) return;
    if (!sprite.visible) this.alive += 1;
    sprite.visible = true;
    sprite.position.set(thrown.x, thrown.y);
    sprite.tint = thrown.color;
    this.velocityX[i] = thrown.velocityX;
    this.velocityY[i] = thrown.velocityY;
    this.age_s[i] = 0;
    this.life_s[i] = thrown.life_s;
    this.size[i] = thrown.size;
    this.drag[i] = thrown.drag;
  }

  update(tick: Tick): void {
    if (this.alive === 0) return;
    for (let i = 0; i < POOL; i += 1) {
      const sprite = this.sprites[i];
      if (!sprite?.visible) continue;
      const age = (this.age_s[i] ?? 0) + tick.elapsed_s;
      const left = 1 - age / (this.life_s[i] ?? 1);
      this.age_s[i] = age;
      if (left <= 0) {
        sprite.visible = false;
        this.alive -= 1;
        continue;
      }
      const slower = Math.max(0, 1 - (this.drag[i] ?? 0) * tick.elapsed_s);
      this.velocityX[i] = (this.velocityX[i] ?? 0) * slower;
      this.velocityY[i] = (this.velocityY[i] ?? 0) * slower;
      sprite.x += (this.velocityX[i] ?? 0) * tick.elapsed_s;
      sprite.y += (this.velocityY[i] ?? 0) * tick.elapsed_s;
      sprite.setSize((this.size[i] ?? 1) * (0.5 + 0.5 * left));
      sprite.alpha = Math.min(1, left * 2);
    }
  }

  clear(): void {
    for (const sprite of this.sprites) sprite.visible = false;
    this.alive = 0;
  }

  destroy(): void {
    this.view.destroy({ children: true });
  }
}
