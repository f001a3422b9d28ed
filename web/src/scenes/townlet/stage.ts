/** The town view: takes frames, keeps the camera on whom is followed, draws. */

import type { Frame } from "../../api/types";
import { keyIsTaken } from "../../shell/keyboard";
import type { MountOptions, Moment, Scene } from "../scene";
import {
  approached,
  close,
  closeTo,
  fitted,
  placeAt,
  within,
  ZOOM_MAX,
  type Camera,
} from "./camera";
import { INKS, type Inks } from "./inks";
import { listenToPointer, type Listen } from "./pointer";
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
import { paintClock, paintFollowed } from "./paint_hud";
import { paintSigns, paintThings } from "./paint_things";
import { citizenOf, townOf, type Town } from "./town";
import { Trail } from "./trail";
import { venuesOf, type Venue } from "./venues";
import { changeView, currentView, follow, onView, pressed } from "./view";

const SETTLE_S = 0.22;

export class TownScene implements Scene {
  #canvas: HTMLCanvasElement | null = null;
  #inks: Inks = INKS.dark;
  #still = false;
  #town: Town | null = null;
  #before: Town | null = null;
  #share = 1;
  #standing: readonly Standing[] = [];
  #venues: readonly Venue[] = [];
  #venueKey = "";
  #camera: Camera | null = null;
  /** Where somebody dragged the map to; null while it takes care of itself. */
  #free: Camera | null = null;
  #notes = new Notes();
  #trail = new Trail();
  #request = 0;
  #lastTime = 0;
  #undo: (() => void)[] = [];

  mount(host: HTMLElement, options: MountOptions): Promise<void> {
    this.#inks = INKS[options.theme];
    this.#still = options.reducedMotion;
    const canvas = document.createElement("canvas");
    canvas.style.cssText = "display:block;width:100%;height:100%;cursor:pointer;touch-action:pan-y";
    host.append(canvas);
    this.#canvas = canvas;
    this.#listen(canvas);
    this.resize();
    return Promise.resolve();
  }

  show(frame: Frame | null, moment: Moment): void {
    this.#town = townOf(frame);
    this.#before = townOf(moment.previous);
    // Who asks for stillness sees every tick as it ended.
    this.#share = this.#still ? 1 : moment.progress;
    const { followed } = currentView();
    if (this.#town) {
      this.#notes.take(this.#town, this.#before);
      this.#trail.take(this.#town, followed);
    }
    if (followed !== null && this.#town && !this.#known(followed)) changeView({ near: false });
    this.#draw(moment.playing);
  }

  #known(id: string): boolean {
    return citizenOf(this.#town, id) !== null || citizenOf(this.#before, id) !== null;
  }

  resize(): void {
    const canvas = this.#canvas;
    if (!canvas) return;
    const ratio = Math.min(window.devicePixelRatio || 1, 2);
    canvas.width = Math.max(1, Math.round(canvas.clientWidth * ratio));
    canvas.height = Math.max(1, Math.round(canvas.clientHeight * ratio));
    this.#camera = null;
    this.#draw(false);
  }

  destroy(): void {
    cancelAnimationFrame(this.#request);
    for (const undo of this.#undo) undo();
    this.#canvas?.remove();
    this.#canvas = null;
  }

  canvas(): HTMLCanvasElement | null {
    return this.#canvas;
  }

  #room(): { width: number; height: number } {
    const canvas = this.#canvas;
    return { width: canvas?.clientWidth ?? 1, height: canvas?.clientHeight ?? 1 };
  }

  #goal(town: Town): Camera {
    const { followed, near, zoom } = currentView();
    if (this.#free) return within(town.size, this.#room(), this.#free);
    const standing = this.#standing.find((one) => one.citizen.id === followed);
    if (!near || !standing) return fitted(town.size, this.#room());
    return closeTo(town.size, this.#room(), standing.x + 0.5, standing.y + 0.5, zoom);
  }

  #draw(playing: boolean): void {
    const pen = this.#canvas?.getContext("2d");
    if (!pen) return;
    const town = this.#town;
    pen.setTransform(1, 0, 0, 1, 0, 0);
    pen.fillStyle = this.#inks.beyond;
    pen.fillRect(0, 0, pen.canvas.width, pen.canvas.height);
    if (!town) return;
    this.#standing = standings(town, this.#before, this.#share);
    const goal = this.#goal(town);
    this.#camera = this.#moved(goal, playing);
    this.#paint(pen, town, this.#camera);
    if (!close(this.#camera, goal) && this.#request === 0) {
      this.#request = requestAnimationFrame(() => {
        this.#request = 0;
        this.#draw(false);
      });
    }
  }

  #moved(goal: Camera, playing: boolean): Camera {
    const now = performance.now();
    const elapsed = Math.min(0.1, (now - this.#lastTime) / 1000);
    this.#lastTime = now;
    if (!this.#camera || this.#still || this.#free) return goal;
    if (close(this.#camera, goal)) return playing ? this.#camera : goal;
    return approached(this.#camera, goal, 1 - Math.exp(-elapsed / SETTLE_S));
  }

  #paint(pen: CanvasRenderingContext2D, town: Town, camera: Camera): void {
    const inks = this.#inks;
    const room = this.#room();
    const { followed, overlays } = currentView();
    const ratio = pen.canvas.width / room.width;
    const scale = camera.scale;
    this.#updateVenues(town);
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
    paintSigns(pen, town, inks, scale);
    if (overlays.names) paintVenueNames(pen, this.#venues, inks, scale);
    const queues = overlays.queues ? queueLines(town.objects, this.#standing) : [];
    paintQueues(pen, queues, inks, scale);
    if (overlays.ties) paintTies(pen, tieLines(this.#standing, known(town, followed)), inks, scale);
    this.#paintWay(pen, town, scale);
    const people = {
      standing: this.#standing,
      followed,
      names: overlays.names,
      time: this.#still ? 0 : performance.now() / 1000,
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
    const one = this.#standing.find(({ citizen }) => citizen.id === currentView().followed);
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

  #listen(canvas: HTMLCanvasElement): void {
    const on: Listen = (target, name, listener) => {
      target.addEventListener(name, listener as EventListener, { passive: false });
      this.#undo.push(() => target.removeEventListener(name, listener as EventListener));
    };
    this.#undo.push(
      onView(() => {
        if (currentView().near) this.#free = null;
        this.#draw(false);
      }),
    );
    on(window, "keydown", (event) => this.#key(event));
    on(canvas, "wheel", (event) => this.#wheel(event));
    listenToPointer(canvas, on, {
      camera: () => this.#camera,
      onDrag: (camera) => {
        this.#free = camera;
        if (currentView().near) changeView({ near: false });
        this.#draw(false);
      },
      onClick: (event) => this.#click(event),
    });
  }

  #key(event: KeyboardEvent): void {
    const modified = event.ctrlKey || event.metaKey || event.altKey;
    if (event.defaultPrevented || modified || keyIsTaken(event.target, event.key)) return;
    if (event.key === "+" || event.key === "-") this.#zoom(event.key === "+" ? 1.25 : 0.8);
    else if (!pressed(event.key, this.#town?.agents.map((one) => one.id) ?? [])) return;
    event.preventDefault();
  }

  /** With Ctrl, as a pinch says it too; the wheel alone scrolls the page. */
  #wheel(event: WheelEvent): void {
    if (!event.ctrlKey) return;
    event.preventDefault();
    this.#zoom(Math.exp(-event.deltaY / 300));
  }

  #zoom(by: number): void {
    const view = currentView();
    if (view.near) {
      changeView({ zoom: Math.min(ZOOM_MAX, Math.max(0.4, view.zoom * by)) });
      return;
    }
    const town = this.#town;
    if (!town || !this.#camera) return;
    const whole = fitted(town.size, this.#room());
    const scale = this.#camera.scale * by;
    this.#free =
      scale <= whole.scale
        ? null
        : { ...this.#camera, scale: Math.min(scale, whole.scale * ZOOM_MAX) };
    this.#draw(false);
  }

  #click(event: PointerEvent): void {
    const box = this.#canvas?.getBoundingClientRect();
    if (!box || !this.#camera) return;
    const [px, py] = [event.clientX - box.left, event.clientY - box.top];
    const { x, y } = placeAt(this.#camera, this.#room(), px, py);
    const found = citizenAt(this.#standing, x, y, Math.max(1.1, 14 / this.#camera.scale));
    if (found) follow(found.id);
  }
}

/** Whose ties are drawn: those of the followed citizen, or else everybody's. */
function known(town: Town, followed: string | null): string | null {
  return citizenOf(town, followed) ? followed : null;
}
