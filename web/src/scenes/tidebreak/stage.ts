/** The naval plot: takes frames, finds where everything is, draws. */

import type { Frame } from "../../api/types";
import type { Area, Camera, Room } from "../map/camera";
import { MapScene, type Place } from "../map/map_scene";
import type { MountOptions, Moment, Words } from "../scene";
import { isLost, shipOf, type Battle, type Noise } from "./battle";
import { battleOf } from "./reading";
import { halfLength } from "./hulls";
import { INKS, type Inks } from "./inks";
import { movedBattle, trailsOf, wakesOf, type Earlier, type Ways } from "./motion";
import { paintHud } from "./paint_hud";
import { paintReach, paintSeekers } from "./paint_reach";
import { BURST_S, isBurst, paintBursts, paintRounds, type Burst } from "./paint_rounds";
import { paintNoise, paintSea, paintStorms } from "./paint_sea";
import { paintShips, paintWakes } from "./paint_ships";
import { paintTracks } from "./paint_tracks";
import { plotOf } from "./plot";
import { pictureOf, sideOf, type Picture } from "./seen";
import { actionOf } from "./action";
import { aimedTrack } from "./aiming";
import { ownShip } from "./gauges";
import { battleView, nextSide, shownBattle, type Overlay } from "./view";

/** Metres of height shown when a ship is followed. */
const CLOSE_M = 4500;
const ZOOM_MAX = 24;
/** How far from a hull a click still means it, pixels. */
const REACH_PX = 14;
/** Frames back in which a noise field may have been told: it comes only now and then. */
const NOISE_FRAMES = 10;

export class BattleScene extends MapScene<Overlay, { side: string | null }> {
  #inks: Inks = INKS.dark;
  #frame: Frame | null = null;
  #battle: Battle | null = null;
  #before: Battle | null = null;
  #share = 1;
  #earlier: Earlier = () => null;
  #picture: Picture | null = null;
  #wakes: Ways = new Map();
  #trails: Ways = new Map();

  constructor(private readonly words: Words) {
    super(battleView);
  }

  override mount(host: HTMLElement, options: MountOptions): Promise<void> {
    this.#inks = INKS[options.theme];
    return super.mount(host, options);
  }

  protected take(frame: Frame | null, moment: Moment): void {
    this.#frame = frame;
    this.#battle = battleOf(frame);
    this.#before = battleOf(moment.previous);
    // Who asks for stillness sees every tick as it ended.
    this.#share = this.still ? 1 : moment.progress;
    this.#earlier = (steps) => shownBattle(moment.earlier(steps));
  }

  protected area(): Area | null {
    const chart = this.#battle?.chart;
    if (!chart) return null;
    const { x, y, width, height } = chart;
    const margin = Math.max(width, height) * 0.02;
    return { x, y, width, height, margin, closeUp: CLOSE_M, zoomMax: ZOOM_MAX };
  }

  protected override focus(area: Area): Area {
    if (!battleView.current().overlays.action || !this.#picture) return area;
    return actionOf(this.#picture, area);
  }

  protected arrange(): void {
    if (!this.#battle) return;
    const { side, overlays } = battleView.current();
    const moved = movedBattle(this.#battle, this.#before, this.#share);
    this.#picture = pictureOf(moved, side, overlays);
    const { battle } = this.#picture;
    this.#wakes = overlays.wakes ? wakesOf(battle, this.#earlier) : new Map();
    this.#trails = trailsOf(battle, this.#earlier);
  }

  protected whereabouts(id: string): Place | null {
    return shipOf(this.#picture?.battle ?? null, id);
  }

  protected ids(): readonly string[] {
    const ships = this.#picture?.battle.ships ?? [];
    return ships.filter((ship) => !isLost(ship)).map((ship) => ship.id);
  }

  protected whoIsAt({ x, y }: Place, scale: number): string | null {
    let found: string | null = null;
    let nearest = Infinity;
    for (const ship of this.#picture?.battle.ships ?? []) {
      const gap = Math.hypot(ship.x - x, ship.y - y) * scale;
      if (gap > Math.max(REACH_PX, halfLength(ship, scale)) || gap >= nearest) continue;
      [found, nearest] = [ship.id, gap];
    }
    return found;
  }

  protected override pressed(key: string): boolean {
    if (key === "s" && this.#battle) {
      const teams = this.#battle.teams.map((team) => team.name);
      battleView.change({ side: nextSide(battleView.current().side, teams) });
      return true;
    }
    return super.pressed(key);
  }

  protected ground(): string {
    return this.#inks.beyond;
  }

  protected paint(pen: CanvasRenderingContext2D, camera: Camera, room: Room, ratio: number): void {
    if (!this.#battle || !this.#picture) return;
    const { battle, tracks } = this.#picture;
    const { followed, overlays, side } = battleView.current();
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    const time = this.still ? 0 : performance.now() / 1000;
    const plot = plotOf(pen, camera, room, this.#inks, time);
    paintSea(plot, battle);
    const noise = overlays.noise ? this.#noise(battle) : null;
    if (noise) paintNoise(plot, noise, battle.chart, overlays);
    paintStorms(plot, battle.storms);
    paintWakes(plot, battle, this.#wakes);
    const chosen = shipOf(battle, followed);
    if (overlays.reach) paintSeekers(plot, battle);
    if (chosen && overlays.reach && !isLost(chosen)) paintReach(plot, battle, chosen);
    paintTracks(plot, tracks, this.#aim());
    paintShips(plot, battle, { ...overlays, followed });
    paintRounds(plot, battle, this.#trails);
    paintBursts(plot, this.#bursts());
    paintHud(plot, battle, sideOf(battle, side));
  }

  /** What a player aims at; whoever watches sees each ship's aim. */
  #aim(): string | null {
    const battle = this.#battle;
    if (!this.#frame || !battle || battle.seen_by === null) return null;
    const tracks = battle.knowledge[battle.seen_by] ?? [];
    return aimedTrack(this.#frame, this.words, ownShip(battle), tracks);
  }

  /** The last one told: a field comes only every few ticks. */
  #noise(battle: Battle): Noise | null {
    if (battle.noise) return battle.noise;
    for (let back = 1; back <= NOISE_FRAMES; back++) {
      const past = this.#earlier(back);
      if (past?.noise) return past.noise;
    }
    return null;
  }

  #bursts(): Burst[] {
    const bursts: Burst[] = [];
    for (let back = 0; back < BURST_S; back++) {
      const past = back === 0 ? shownBattle(this.#frame) : this.#earlier(back);
      if (!past) break;
      const age = (back + this.#share) / (BURST_S + 1);
      for (const event of past.events) {
        if (!isBurst(event)) continue;
        // Who listens actively pings every second: one ring is enough to see it.
        if (event.kind !== "pinged" || back === 0) bursts.push({ event, age });
      }
    }
    return bursts;
  }
}
