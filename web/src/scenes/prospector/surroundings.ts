// What else is at a node: the station, the frame and sign of a hazard, a pirate on the hunt.

import { Container, Graphics, Sprite, type Texture } from "pixi.js";
import type { Field, Tick } from "./field";
import { approach, clamp, lerp, smooth } from "./motion";
import type { Sight } from "./reading";
import { textureOf, type Textures } from "./textures";

/** From this alert on, somebody is listening. */
const ALERT_PIRATE = 0.7;
const ENCOUNTER_S = 1.6;
const HAZARD_COLOR = 0xff5a2a;
const STATION_PX = 340;

export class Station {
  readonly view = new Container();
  x = 0;
  y = 0;
  private readonly wheel: Sprite;
  private readonly lamps: Sprite[] = [];
  private here = false;

  constructor(textures: Textures, spot: Texture) {
    this.wheel = centred(textureOf(textures, "entity.station"));
    this.view.addChild(this.wheel);
    for (let i = 0; i < 4; i += 1) {
      const lamp = centred(spot);
      lamp.blendMode = "add";
      lamp.tint = i % 2 ? 0xff6b6b : 0x7fffb0;
      this.lamps.push(lamp);
      this.view.addChild(lamp);
    }
    this.view.alpha = 0;
  }

  show(sight: Sight): void {
    this.here = sight.place.atStation;
  }

  update(tick: Tick, field: Field): void {
    const settle = approach(tick.elapsed_s, tick.still ? 0 : 0.18);
    this.view.alpha = lerp(this.view.alpha, this.here ? 1 : 0, settle);
    this.view.visible = this.view.alpha > 0.01;
    this.x = field.centerX;
    this.y = field.centerY - 72 * field.unit;
    if (!this.view.visible) return;
    this.view.position.set(this.x, this.y);
    const size = STATION_PX * field.unit * lerp(0.8, 1, smooth(this.view.alpha));
    this.wheel.setSize(size);
    for (let i = 0; i < this.lamps.length; i += 1) {
      const lamp = this.lamps[i];
      if (!lamp) continue;
      const angle = Math.PI / 4 + (i * Math.PI) / 2;
      lamp.position.set(Math.cos(angle) * size * 0.5, Math.sin(angle) * size * 0.5);
      lamp.setSize(26 * field.unit);
      lamp.alpha = tick.still ? 0.8 : 0.25 + 0.75 * clamp(Math.sin(tick.time_s * 2 + i * 1.6));
    }
  }

  destroy(): void {
    this.view.destroy({ children: true });
  }
}

export class Hazard {
  readonly view = new Container();
  private readonly rim: Sprite;
  private readonly sign: Sprite;
  private readonly frame = new Graphics();
  private here = false;
  private drawnFor = "";

  constructor(textures: Textures, rim: Texture) {
    this.rim = new Sprite(rim);
    this.rim.tint = HAZARD_COLOR;
    this.sign = centred(textureOf(textures, "entity.hazard.radiation"));
    this.view.addChild(this.rim, this.frame, this.sign);
    this.view.alpha = 0;
  }

  show(sight: Sight): void {
    this.here = sight.place.kind === "hazard";
  }

  update(tick: Tick, field: Field): void {
    const settle = approach(tick.elapsed_s, tick.still ? 0 : 0.25);
    this.view.alpha = lerp(this.view.alpha, this.here ? 1 : 0, settle);
    this.view.visible = this.view.alpha > 0.01;
    if (!this.view.visible) return;
    this.resize(field);
    const pulse = tick.still ? 0.7 : 0.6 + 0.15 * Math.sin(tick.time_s * 1.8);
    this.rim.alpha = pulse * 0.75;
    this.frame.alpha = pulse;
  }

  private resize(field: Field): void {
    const size = `${field.width}x${field.height}`;
    if (size === this.drawnFor) return;
    this.drawnFor = size;
    this.rim.setSize(field.width, field.height);
    this.sign.setSize(54 * Math.max(0.7, field.unit));
    this.sign.position.set(field.width / 2, 34 * Math.max(0.7, field.unit));
    const inset = 5;
    this.frame.clear();
    this.frame
      .roundRect(inset, inset, field.width - 2 * inset, field.height - 2 * inset, 10)
      .stroke({ width: 2, color: HAZARD_COLOR, alpha: 0.8 });
    const arm = Math.min(field.width, field.height) * 0.12;
    for (const [x, y, right, down] of [
      [inset, inset, 1, 1],
      [field.width - inset, inset, -1, 1],
      [inset, field.height - inset, 1, -1],
      [field.width - inset, field.height - inset, -1, -1],
    ] as const) {
      this.frame
        .moveTo(x + right * arm, y)
        .lineTo(x + right * 10, y)
        .quadraticCurveTo(x, y, x, y + down * 10)
        .lineTo(x, y + down * arm)
        .stroke({ width: 5, color: 0xffb347 });
    }
  }

  destroy(): void {
    this.view.destroy({ children: true });
  }
}

export class Pirate {
  readonly view = new Container();
  private readonly ship: Sprite;
  private readonly shots = new Graphics();
  private encounter_s = 0;
  private stalking = false;

  constructor(textures: Textures) {
    this.ship = centred(textureOf(textures, "entity.pirate.marker"));
    this.view.addChild(this.shots, this.ship);
    this.ship.alpha = 0;
  }

  show(sight: Sight): void {
    this.stalking = sight.ship.alert >= ALERT_PIRATE && !sight.place.atStation;
  }

  attack(): void {
    this.encounter_s = ENCOUNTER_S;
  }

  clear(): void {
    this.encounter_s = 0;
  }

  /** Waits in the upper right corner; in an encounter it closes in and shoots. */
  update(tick: Tick, field: Field, shipX: number, shipY: number): void {
    if (!tick.still) this.encounter_s = Math.max(0, this.encounter_s - tick.elapsed_s);
    const attacking = this.encounter_s > 0;
    const wanted = attacking || this.stalking ? 1 : 0;
    this.ship.alpha = lerp(this.ship.alpha, wanted, approach(tick.elapsed_s, tick.still ? 0 : 0.2));
    this.view.visible = this.ship.alpha > 0.01;
    if (!this.view.visible) return;
    const close = attacking
      ? tick.still
        ? 0.8
        : Math.sin((this.encounter_s / ENCOUNTER_S) * Math.PI)
      : 0;
    const farX = field.width - 70 * field.unit;
    const farY = 66 * field.unit;
    const circling = tick.still ? 0 : tick.time_s;
    this.ship.x =
      lerp(farX, shipX + 120 * field.unit, close) + Math.sin(circling * 0.9) * 9 * field.unit;
    this.ship.y =
      lerp(farY, shipY - 110 * field.unit, close) + Math.cos(circling * 1.1) * 6 * field.unit;
    this.ship.setSize(96 * field.unit, 85 * field.unit);
    this.ship.rotation = Math.atan2(shipY - this.ship.y, shipX - this.ship.x);
    this.shoot(tick, field, close, shipX, shipY);
  }

  private shoot(tick: Tick, field: Field, close: number, shipX: number, shipY: number): void {
    const firing = close > 0.4 && (tick.still || Math.floor(tick.time_s * 9) % 2 === 0);
    this.shots.visible = firing;
    if (!firing) return;
    const aside = 9 * field.unit;
    this.shots.clear();
    for (const side of [-1, 1]) {
      this.shots
        .moveTo(this.ship.x + side * aside, this.ship.y + aside)
        .lineTo(shipX + side * aside * 0.5, shipY)
        .stroke({ width: 2.4 * field.unit, color: 0xff4a5a, alpha: 0.9 });
    }
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
