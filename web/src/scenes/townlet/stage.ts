/** The town view: takes frames, finds everybody's place, draws. */

import type { Frame } from "../../api/types";
import { placeAt, type Area, type Camera, type Room } from "../map/camera";
import { MapScene, type Place } from "../map/map_scene";
import type { MountOptions, Moment } from "../scene";
import { INKS, type Inks } from "./inks";
import { citizenAt, standings, type Standing } from "./motion";
import { Notes } from "./notes";
import { queueLines, tieLines } from "./overlays";
import {
  paintNight,
  paintNotes,
  paintQueueNumbers,
  paintQueues,
  paintTies,
  paintVenueNames,
  paintWay,
} from "./paint_air";
import { paintCitizens } from "./paint_citizens";
import { paintGround } from "./paint_ground";
import { clockRoom, paintClock, paintFollowed } from "./paint_hud";
import { paintSigns, paintThings } from "./paint_things";
import { paintWeather } from "./paint_weather";
import { citizenOf, townOf, type Town } from "./town";
import { Trail } from "./trail";
import { venuesOf, type Venue } from "./venues";
import { townView, type Overlay } from "./view";

/** Tiles of height shown when somebody is followed. */
const CLOSE_TILES = 20;
const ZOOM_MAX = 6;

export function areaOfTown([width, height]: readonly [number, number]): Area {
  return { x: 0, y: 0, width, height, margin: 0.5, closeUp: CLOSE_TILES, zoomMax: ZOOM_MAX };
}

export class TownScene extends MapScene<Overlay, object> {
  #inks: Inks = INKS.dark;
  #town: Town | null = null;
  #before: Town | null = null;
  #share = 1;
  #standing: readonly Standing[] = [];
  #venues: readonly Venue[] = [];
  #venueKey = "";
  #notes = new Notes();
  #trail = new Trail();

  constructor() {
    super(townView);
  }

  override mount(host: HTMLElement, options: MountOptions): Promise<void> {
    this.#inks = INKS[options.theme];
    return super.mount(host, options);
  }

  protected take(frame: Frame | null, moment: Moment): void {
    this.#town = townOf(frame);
    this.#before = townOf(moment.previous);
    // Who asks for stillness sees every tick as it ended.
    this.#share = this.still ? 1 : moment.progress;
    const { followed } = townView.current();
    if (this.#town) {
      this.#notes.take(this.#town, this.#before);
      this.#trail.take(this.#town, followed);
    }
    if (followed !== null && this.#town && !this.#known(followed)) {
      townView.change({ near: false });
    }
  }

  #known(id: string): boolean {
    return citizenOf(this.#town, id) !== null || citizenOf(this.#before, id) !== null;
  }

  protected area(): Area | null {
    return this.#town && areaOfTown(this.#town.size);
  }

  protected arrange(): void {
    if (!this.#town) return;
    this.#standing = standings(this.#town, this.#before, this.#share);
    this.#updateVenues(this.#town);
  }

  protected whereabouts(id: string): Place | null {
    const standing = this.#standing.find((one) => one.citizen.id === id);
    return standing ? { x: standing.x + 0.5, y: standing.y + 0.5 } : null;
  }

  protected ids(): readonly string[] {
    return this.#town?.agents.map((one) => one.id) ?? [];
  }

  protected whoIsAt({ x, y }: Place, scale: number): string | null {
    return citizenAt(this.#standing, x, y, Math.max(1.1, 14 / scale))?.id ?? null;
  }

  protected ground(): string {
    return this.#inks.beyond;
  }

  protected paint(pen: CanvasRenderingContext2D, camera: Camera, room: Room, ratio: number): void {
    const town = this.#town;
    if (!town) return;
    const inks = this.#inks;
    const { followed, overlays } = townView.current();
    const scale = camera.scale;
    const step = ratio * scale;
    pen.setTransform(
      step,
      0,
      0,
      step,
      Math.round((room.width / 2 - camera.x * scale) * ratio),
      Math.round((room.height / 2 - camera.y * scale) * ratio),
    );
    paintGround(pen, town, this.#venues, inks, scale);
    paintThings(pen, town, inks, scale);
    paintNight(pen, town, this.#venues, inks);
    paintWeather(pen, town, inks, scale);
    paintSigns(pen, town, inks, scale);
    if (overlays.names) {
      const { width, height } = clockRoom(pen, town);
      const corner = placeAt(camera, room, width, height);
      paintVenueNames(pen, this.#venues, corner, inks, scale);
    }
    const queues = overlays.queues ? queueLines(town.objects, this.#standing) : [];
    paintQueues(pen, queues, inks, scale);
    if (overlays.ties) paintTies(pen, tieLines(this.#standing, known(town, followed)), inks, scale);
    this.#paintWay(pen, town, scale);
    const people = {
      standing: this.#standing,
      followed,
      names: overlays.names,
      time: this.still ? 0 : performance.now() / 1000,
      share: this.#share,
    };
    paintCitizens(pen, town, people, inks, scale);
    paintQueueNumbers(pen, queues, inks, scale);
    paintNotes(pen, this.#notes.at(this.#share), inks, scale);
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    paintClock(pen, town, inks);
    const chosen = citizenOf(town, followed);
    if (chosen) paintFollowed(pen, chosen, town, inks, room);
  }

  #paintWay(pen: CanvasRenderingContext2D, town: Town, scale: number): void {
    const { followed } = townView.current();
    const one = this.#standing.find(({ citizen }) => citizen.id === followed);
    if (!one) return;
    const { running, holding, waiting, target } = one.citizen;
    const wanted = running === null ? (holding ?? waiting ?? target) : null;
    const aim = town.objects.find((thing) => thing.id === wanted)?.position ?? null;
    const at = { x: one.x + 0.5, y: one.y + 0.5 };
    paintWay(pen, this.#trail.way, aim, at, this.#inks, scale);
  }

  /** Venues move only when things do. */
  #updateVenues(town: Town): void {
    const things = town.objects.map((thing) => `${thing.id}${thing.position.join()}`);
    const key = [town.size, town.bus_stop, ...things].join(" ");
    if (key === this.#venueKey) return;
    this.#venueKey = key;
    this.#venues = venuesOf(town);
  }
}

/** Whose ties are drawn: those of the followed citizen, or else everybody's. */
function known(town: Town, followed: string | null): string | null {
  return citizenOf(town, followed) ? followed : null;
}
