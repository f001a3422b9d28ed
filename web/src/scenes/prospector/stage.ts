// The sector view: takes frames, keeps every part in step with them, draws.

// The library writes code at run time unless this is loaded, and a strict content policy forbids it.
import "pixi.js/unsafe-eval";
import { Application } from "pixi.js";
import type { Frame } from "../../api/types";
import type { Assets } from "../../assets/assets";
import { effectsOfFrame } from "../../assets/frame_effects";
import type { Minimap, Moment, Scene } from "../scene";
import { fieldOf, laneAngle, type Field, type Tick } from "./field";
import { neverTrustTheBlendMode, preferredRenderer } from "./graphics";
import { createMinimap } from "./minimap";
import { approach, clamp } from "./motion";
import { notesOf } from "./notes";
import { SPRITES, buildParts, type MadeTextures, type Parts } from "./parts";
import { actionOf, readObservation, sightOf, LANE_COUNT, type Sight } from "./reading";
import { destroyTextures, loadTextures, softSpot, vignette, type Textures } from "./textures";

type Options = Parameters<Scene["mount"]>[1];

const WARP_S = 0.5;
/** Above this speed words would only flicker. */
const POPUP_SPEED_MAX = 4;
const DOCK_PX = 104;
const ELAPSED_MAX_S = 0.1;

/** Before the first step there is no frame: the ship lies at home. */
function atHome(): Sight {
  const sight = readObservation([]);
  sight.ship.hull = sight.ship.fuel = 1;
  sight.place.atStation = true;
  sight.place.kind = "station";
  return sight;
}

const HOME = atHome();

export class SectorScene implements Scene {
  private app: Application | null = null;
  private parts: Parts | null = null;
  private textures: Textures = new Map();
  private made: MadeTextures | null = null;
  private host: HTMLElement | null = null;
  private field: Field = fieldOf(1, 1);
  private readonly tick: Tick = { elapsed_s: 0, time_s: 0, still: false };
  private frame: Frame | null = null;
  private shown: Sight = HOME;
  private facing: number | null = null;
  private warp = 0;
  private warp_s = 0;
  private leaving = false;
  private playing = false;
  private lost = false;
  private gone = false;
  private waiting: { frame: Frame | null; moment: Moment } | null = null;

  constructor(private readonly assets: Assets) {}

  async mount(host: HTMLElement, options: Options): Promise<void> {
    this.host = host;
    this.tick.still = options.reducedMotion;
    const app = new Application();
    const [textures] = await Promise.all([
      loadTextures(this.assets, SPRITES),
      app.init({
        width: Math.max(1, host.clientWidth),
        height: Math.max(1, host.clientHeight),
        preference: preferredRenderer(),
        antialias: true,
        autoDensity: true,
        resolution: Math.min(2, Math.max(1, window.devicePixelRatio)),
        backgroundColor: 0x070b1a,
        // Pictures and videos are taken between two drawings.
        preserveDrawingBuffer: true,
        autoStart: false,
      }),
    ]);
    if (this.gone) {
      destroyTextures(textures);
      app.destroy({ removeView: true });
      return;
    }
    neverTrustTheBlendMode(app.renderer);
    this.app = app;
    this.textures = textures;
    app.canvas.style.display = "block";
    host.append(app.canvas);
    this.made = { spot: softSpot(), rim: vignette() };
    this.parts = buildParts(app, this.assets, textures, this.made, options);
    this.resize();
    // The ship must lie somewhere before the first effect starts from it.
    this.advance(0);
    this.show(this.waiting?.frame ?? null, this.waiting?.moment ?? AT_REST);
    if (this.tick.still) return;
    app.ticker.add(() => this.advance(app.ticker.elapsedMS / 1000));
    app.start();
  }

  show(frame: Frame | null, moment: Moment): void {
    const { parts } = this;
    if (!parts) {
      this.waiting = { frame, moment };
      return;
    }
    const sight = frame ? sightOf(frame) : HOME;
    const before = this.beforeOf(frame, moment);
    const isNew = frame !== this.frame;
    const last = this.frame;
    this.frame = frame;
    const travels = before !== null && before.place.index !== sight.place.index;
    this.leaving = travels && moment.progress < 0.5;
    this.playing = moment.playing;
    this.place(
      parts,
      this.leaving && before ? before : sight,
      travels ? null : before,
      moment.progress,
    );
    if (frame && isNew) this.enter(parts, frame, sight, before, moment, last);
    parts.caption.show(this.shown, moment.progress >= 1 || !moment.playing ? frame : null);
    this.lost = frame?.events.includes("destroyed") ?? false;
    if (this.tick.still) this.advance(0);
  }

  private beforeOf(frame: Frame | null, moment: Moment): Sight | null {
    if (moment.previous) return sightOf(moment.previous);
    const follows = frame && this.frame && frame.frame_index === this.frame.frame_index + 1;
    return follows && this.frame ? sightOf(this.frame) : null;
  }

  private place(parts: Parts, sight: Sight, before: Sight | null, progress: number): void {
    const { field } = this;
    this.shown = sight;
    const docked = sight.place.atStation;
    parts.sky.arrive(sight.place);
    parts.belt.show(sight, before, progress);
    parts.ship.show(
      sight,
      before,
      progress,
      field.centerX,
      field.centerY + (docked ? DOCK_PX * field.unit : 0),
    );
    parts.station.show(sight);
    parts.hazard.show(sight);
    parts.pirate.show(sight);
  }

  /** What happens once, when a frame is first shown. */
  private enter(
    parts: Parts,
    frame: Frame,
    sight: Sight,
    before: Sight | null,
    moment: Moment,
    last: Frame | null,
  ): void {
    const { still } = this.tick;
    const steps = last ? frame.frame_index - last.frame_index : 1;
    if (still || steps < 0 || (!moment.playing && steps > 1)) this.clearPassing(parts);
    const action = actionOf(frame);
    const travelled = before !== null && before.place.index !== sight.place.index;
    if (action >= 0 && action < LANE_COUNT && travelled) {
      this.facing = laneAngle(action);
      this.warp_s = still ? 0 : WARP_S;
    }
    // The rock that an effect is drawn on must already be where this frame has it.
    parts.belt.update(this.tick, this.field);
    const pace = clamp(Math.sqrt(moment.speed), 1, 3);
    const { bearings, effects } = parts;
    const told = effectsOfFrame(this.assets, frame);
    if (told.action) effects.start(told.action.vfx, bearings, this.field, pace, still);
    for (const { name, vfx } of told.events) {
      effects.start(vfx, bearings, this.field, pace, still, name === "fracture" ? "rock" : "ship");
      if (name === "pirate_encounter") parts.pirate.attack();
    }
    if (before && moment.speed <= POPUP_SPEED_MAX)
      parts.popups.add(notesOf(before, sight, parts.belt.colors));
  }

  /** A jump to another frame leaves nothing behind of the one before. */
  private clearPassing({ effects, particles, popups, pirate }: Parts): void {
    effects.clear();
    particles.clear();
    popups.clear();
    pirate.clear();
    this.warp_s = 0;
  }

  private advance(elapsed_s: number): void {
    const { app, parts, tick, field } = this;
    if (!app || !parts) return;
    // A tab that slept must not make everything jump at once.
    tick.elapsed_s = Math.min(elapsed_s, ELAPSED_MAX_S);
    tick.time_s += tick.elapsed_s;
    this.warp_s = Math.max(0, this.warp_s - tick.elapsed_s);
    const warping = !tick.still && ((this.leaving && this.playing) || this.warp_s > 0);
    this.warp += ((warping ? 1 : 0) - this.warp) * approach(tick.elapsed_s, warping ? 0.09 : 0.2);
    const docked = this.shown.place.atStation;
    parts.belt.update(tick, field);
    const { aim } = parts.belt;
    if (aim.exists && this.warp < 0.3)
      this.facing = Math.atan2(aim.y - parts.ship.y, aim.x - parts.ship.x);
    parts.ship.update(tick, field, this.facing, docked, this.warp);
    parts.ship.view.visible = !this.lost;
    parts.sky.update(tick, this.warp, parts.ship.heading);
    parts.station.update(tick, field);
    parts.bearings.stationX = parts.station.x;
    parts.bearings.stationY = parts.station.y;
    parts.pirate.update(tick, field, parts.ship.x, parts.ship.y);
    parts.hazard.update(tick, field);
    parts.effects.update(tick, field, parts.bearings);
    parts.particles.update(tick);
    parts.popups.update(tick, field, parts.ship.x, parts.ship.y);
    const tremble = tick.still ? 0 : parts.effects.shake * 7 * field.unit;
    parts.root.position.set(
      Math.sin(tick.time_s * 71) * tremble,
      Math.cos(tick.time_s * 83) * tremble,
    );
    if (tick.still) app.render();
  }

  minimap(host: HTMLElement): Promise<Minimap> {
    return Promise.resolve(createMinimap(host, this.assets));
  }

  resize(): void {
    const { app, host, parts } = this;
    if (!app || !host || !parts) return;
    app.renderer.resize(Math.max(1, host.clientWidth), Math.max(1, host.clientHeight));
    this.field = fieldOf(app.screen.width, app.screen.height);
    parts.sky.resize(this.field);
    parts.caption.resize(this.field);
    this.place(parts, this.shown, null, 1);
    if (this.tick.still) this.advance(0);
  }

  destroy(): void {
    this.gone = true;
    const { app, parts } = this;
    this.app = null;
    this.parts = null;
    if (!app || !parts) return;
    app.stop();
    for (const part of Object.values(parts) as { destroy?: (options?: object) => void }[]) {
      if (part !== parts.root) part.destroy?.();
    }
    app.destroy({ removeView: true }, { children: true });
    destroyTextures(this.textures);
    this.made?.spot.destroy(true);
    this.made?.rim.destroy(true);
  }

  canvas(): HTMLCanvasElement | null {
    return this.app?.canvas ?? null;
  }
}

const AT_REST: Moment = {
  previous: null,
  progress: 1,
  playing: false,
  speed: 1,
  earlier: () => null,
};
