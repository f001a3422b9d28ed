// What lies behind: a sky, clouds in the node's colour, two depths of stars, a planet, dust,
// and the streaks of a warp.

import { Container, Sprite, Texture, TilingSprite } from "pixi.js";
import type { Place } from "./reading";
import type { Field, Tick } from "./field";
import { approach, chanceOf, lerp } from "./motion";
import { gradient, textureOf, type Textures } from "./textures";

const STREAKS = 64;
const DUST = 36;
const DRIFT_PX_S = 5;
const WARP_PX_S = 1500;

const SKIES = {
  dark: ["#050817", "#0a1230", "#0b0d22"],
  light: ["#1a2550", "#33417e", "#5a4a7c"],
} as const;
const CLOUDS = [0x4a6cff, 0x2fa8c8, 0x8a4fd8, 0xc85a7a, 0x3f8f6a, 0xc88a4a];
const HAZE_HAZARD = 0xd8432f;
const HAZE_HOME = 0x3f8fd8;

export class Sky {
  readonly view = new Container();
  private readonly backdrop: Sprite;
  private readonly backdropTexture: Texture;
  private readonly clouds: Sprite;
  private readonly farCloud: Sprite;
  private readonly farStars: TilingSprite;
  private readonly nearStars: TilingSprite;
  private readonly planet: Sprite;
  private readonly streaks: Sprite[] = [];
  private readonly streakU = new Float32Array(STREAKS);
  private readonly streakV = new Float32Array(STREAKS);
  private readonly dust: Sprite[] = [];
  private node = -1;
  private field: Field | null = null;
  private readonly clouded: number;

  constructor(
    private readonly textures: Textures,
    spot: Texture,
    theme: "dark" | "light",
  ) {
    this.clouded = theme === "dark" ? 0.55 : 0.5;
    this.backdropTexture = gradient(SKIES[theme]);
    this.backdrop = new Sprite(this.backdropTexture);
    this.farCloud = centred(textureOf(textures, "bg.nebula.1"));
    this.clouds = centred(textureOf(textures, "bg.nebula.0"));
    this.clouds.blendMode = this.farCloud.blendMode = "add";
    this.farStars = new TilingSprite({ texture: textureOf(textures, "bg.starfield.0") });
    this.nearStars = new TilingSprite({ texture: textureOf(textures, "bg.starfield.1") });
    this.farStars.alpha = 0.75;
    this.planet = centred(textureOf(textures, "bg.planet.0"));
    // A little dimmer than what is near, so that rocks stand out before it.
    this.planet.tint = 0xc2c6d6;
    this.view.addChild(
      this.backdrop,
      this.farCloud,
      this.clouds,
      this.farStars,
      this.nearStars,
      this.planet,
    );
    this.addDust(spot);
    this.addStreaks();
  }

  private addDust(spot: Texture): void {
    for (let i = 0; i < DUST; i += 1) {
      const mote = centred(spot);
      mote.alpha = 0.08 + 0.22 * chanceOf(i, 3);
      mote.tint = 0xbcd0ff;
      this.dust.push(mote);
      this.view.addChild(mote);
    }
  }

  private addStreaks(): void {
    for (let i = 0; i < STREAKS; i += 1) {
      const streak = centred(Texture.WHITE);
      streak.tint = i % 3 ? 0xcfe6ff : 0x8fd0ff;
      streak.blendMode = "add";
      streak.visible = false;
      this.streakU[i] = chanceOf(i, 1) * 2 - 1;
      this.streakV[i] = chanceOf(i, 2) * 2 - 1;
      this.streaks.push(streak);
      this.view.addChild(streak);
    }
  }

  resize(field: Field): void {
    this.field = field;
    this.backdrop.setSize(field.width, field.height);
    for (const stars of [this.farStars, this.nearStars]) {
      stars.setSize(field.width, field.height);
      stars.tileScale.set(512 / Math.max(1, stars.texture.width));
    }
    this.dust.forEach((mote, i) => {
      mote.position.set(chanceOf(i, 4) * field.width, chanceOf(i, 5) * field.height);
      mote.setSize((2 + 9 * chanceOf(i, 6) ** 2) * field.unit);
    });
    if (this.node >= 0) this.dress(this.node);
  }

  /** Each node has its own clouds and planet, the same whenever one comes back. */
  arrive(place: Place): void {
    if (place.index === this.node) return;
    this.node = place.index;
    const haze = place.kind === "hazard" ? HAZE_HAZARD : place.atStation ? HAZE_HOME : null;
    this.clouds.tint =
      haze ?? CLOUDS[Math.floor(chanceOf(this.node, 7) * CLOUDS.length)] ?? 0xffffff;
    this.farCloud.tint = CLOUDS[Math.floor(chanceOf(this.node, 8) * CLOUDS.length)] ?? 0xffffff;
    this.planet.texture = textureOf(
      this.textures,
      chanceOf(this.node, 9) < 0.5 ? "bg.planet.0" : "bg.planet.1",
    );
    this.planet.alpha = 0;
    this.clouds.alpha = 0;
    this.dress(this.node);
  }

  private dress(node: number): void {
    const { field } = this;
    if (!field) return;
    const longer = Math.max(field.width, field.height);
    const left = chanceOf(node, 10) < 0.5;
    this.planet.setSize(Math.min(field.width, field.height) * lerp(0.34, 0.72, chanceOf(node, 11)));
    this.planet.position.set(
      field.width *
        (left ? lerp(0.04, 0.2, chanceOf(node, 12)) : lerp(0.8, 0.96, chanceOf(node, 12))),
      field.height * lerp(0.1, 0.9, chanceOf(node, 13)),
    );
    this.clouds.setSize(longer * 1.35);
    this.clouds.position.set(field.width * chanceOf(node, 14), field.height * chanceOf(node, 15));
    this.clouds.rotation = chanceOf(node, 16) * 6;
    this.farCloud.setSize(longer * 1.6);
    this.farCloud.position.set(field.width * chanceOf(node, 17), field.height * chanceOf(node, 18));
    this.farCloud.rotation = chanceOf(node, 19) * 6;
    this.farCloud.alpha = this.clouded * 0.45;
  }

  /** `warp` runs 0 to 1; `heading` is where the ship flies. */
  update(tick: Tick, warp: number, heading: number): void {
    const { field } = this;
    if (!field) return;
    const settle = approach(tick.elapsed_s, tick.still ? 0 : 0.35);
    this.planet.alpha += ((warp > 0.5 ? 0.15 : 1) - this.planet.alpha) * settle;
    this.clouds.alpha += (this.clouded - this.clouds.alpha) * settle;
    if (tick.still) return;
    const pace = tick.elapsed_s * (DRIFT_PX_S + WARP_PX_S * warp * warp * 0.35);
    const x = -Math.cos(heading) * pace;
    const y = -Math.sin(heading) * pace;
    shift(this.farStars, x * 0.3, y * 0.3);
    shift(this.nearStars, x, y);
    this.driftDust(field, x, y, tick);
    this.streak(field, tick, warp, heading);
  }

  private driftDust(field: Field, x: number, y: number, tick: Tick): void {
    for (let i = 0; i < this.dust.length; i += 1) {
      const mote = this.dust[i];
      if (!mote) continue;
      const near = 0.8 + (i % 5) * 0.5;
      mote.x = wrap(mote.x + x * near + Math.sin(tick.time_s * 0.3 + i) * 0.12, field.width);
      mote.y = wrap(mote.y + y * near + Math.cos(tick.time_s * 0.24 + i) * 0.12, field.height);
    }
  }

  private streak(field: Field, tick: Tick, warp: number, heading: number): void {
    const reach = Math.hypot(field.width, field.height) / 2;
    const cos = Math.cos(heading);
    const sin = Math.sin(heading);
    for (let i = 0; i < STREAKS; i += 1) {
      const streak = this.streaks[i];
      if (!streak) continue;
      streak.visible = warp > 0.03;
      if (!streak.visible) continue;
      const depth = 0.45 + 0.55 * chanceOf(i, 20);
      let u = (this.streakU[i] ?? 0) - (tick.elapsed_s * WARP_PX_S * depth * warp) / reach;
      if (u < -1.2) u += 2.4;
      this.streakU[i] = u;
      const along = u * reach;
      const across = (this.streakV[i] ?? 0) * reach;
      streak.position.set(
        field.centerX + along * cos - across * sin,
        field.centerY + along * sin + across * cos,
      );
      streak.rotation = heading;
      streak.setSize((20 + 240 * warp) * depth * field.unit, (0.8 + 1.4 * depth) * field.unit);
      streak.alpha = warp * depth * 0.65;
    }
  }

  destroy(): void {
    this.view.destroy({ children: true });
    this.backdropTexture.destroy(true);
  }
}

function centred(texture: Texture): Sprite {
  const sprite = new Sprite(texture);
  sprite.anchor.set(0.5);
  return sprite;
}

function shift(stars: TilingSprite, x: number, y: number): void {
  stars.tilePosition.x = wrap(stars.tilePosition.x + x, 512);
  stars.tilePosition.y = wrap(stars.tilePosition.y + y, 512);
}

function wrap(value: number, size: number): number {
  return ((value % size) + size) % size;
}
