/** A scene that is a map: a canvas, a camera that stays with whom is followed, and the hands on it. */

import type { Frame } from "../../api/types";
import { keyIsTaken } from "../../shell/keyboard";
import type { Moment, MountOptions, Scene } from "../scene";
import {
  approached,
  close,
  closeTo,
  fitted,
  placeAt,
  within,
  type Area,
  type Camera,
  type Room,
} from "./camera";
import { listenToPointer, type Listen } from "./pointer";
import type { MapView } from "./view";

const SETTLE_S = 0.22;

export interface Place {
  x: number;
  y: number;
}

export abstract class MapScene<Overlay extends string, More extends object> implements Scene {
  protected still = false;
  #canvas: HTMLCanvasElement | null = null;
  #camera: Camera | null = null;
  /** Where somebody dragged the map to; null while it takes care of itself. */
  #free: Camera | null = null;
  #request = 0;
  #lastTime = 0;
  #undo: (() => void)[] = [];

  constructor(protected readonly view: MapView<Overlay, More>) {}

  /** Take the world as it is shown from now on. */
  protected abstract take(frame: Frame | null, moment: Moment): void;
  /** What there is to see; null where a frame shows nothing of this world. */
  protected abstract area(): Area | null;
  /** What is shown while nobody is followed: everything, unless a scene knows better. */
  protected focus(area: Area): Area {
    return area;
  }
  /** Before anything is drawn: where everybody stands now. */
  protected abstract arrange(): void;
  protected abstract whereabouts(id: string): Place | null;
  protected abstract ids(): readonly string[];
  /** Whoever is at a place of the map; `scale` is pixels a unit. */
  protected abstract whoIsAt(place: Place, scale: number): string | null;
  protected abstract ground(): string;
  protected abstract paint(
    pen: CanvasRenderingContext2D,
    camera: Camera,
    room: Room,
    ratio: number,
  ): void;

  /** What a key does to the view; false where it means nothing here. */
  protected pressed(key: string): boolean {
    return this.view.pressed(key, this.ids());
  }

  mount(host: HTMLElement, options: MountOptions): Promise<void> {
    this.still = options.reducedMotion;
    const canvas = document.createElement("canvas");
    canvas.style.cssText = "display:block;width:100%;height:100%;cursor:pointer;touch-action:pan-y";
    host.append(canvas);
    this.#canvas = canvas;
    this.#listen(canvas);
    this.resize();
    return Promise.resolve();
  }

  show(frame: Frame | null, moment: Moment): void {
    this.take(frame, moment);
    this.#draw(moment.playing);
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

  #room(): Room {
    const canvas = this.#canvas;
    return { width: canvas?.clientWidth ?? 1, height: canvas?.clientHeight ?? 1 };
  }

  #goal(area: Area): Camera {
    const { followed, near, zoom } = this.view.current();
    if (this.#free) return within(area, this.#room(), this.#free);
    const place = near && followed !== null ? this.whereabouts(followed) : null;
    if (!place) return fitted(this.focus(area), this.#room());
    return closeTo(area, this.#room(), place.x, place.y, zoom);
  }

  #draw(playing: boolean): void {
    const pen = this.#canvas?.getContext("2d");
    if (!pen) return;
    pen.setTransform(1, 0, 0, 1, 0, 0);
    pen.fillStyle = this.ground();
    pen.fillRect(0, 0, pen.canvas.width, pen.canvas.height);
    const area = this.area();
    if (!area) return;
    this.arrange();
    const goal = this.#goal(area);
    this.#camera = this.#moved(goal, playing);
    // A finger scrolls the page over the whole map, and moves one that is not all on the screen.
    const touched = this.#isNearer() ? "none" : "pan-y";
    if (pen.canvas.style.touchAction !== touched) pen.canvas.style.touchAction = touched;
    const room = this.#room();
    this.paint(pen, this.#camera, room, pen.canvas.width / room.width);
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
    if (!this.#camera || this.still || this.#free) return goal;
    if (close(this.#camera, goal)) return playing ? this.#camera : goal;
    return approached(this.#camera, goal, 1 - Math.exp(-elapsed / SETTLE_S));
  }

  #listen(canvas: HTMLCanvasElement): void {
    const on: Listen = (target, name, listener) => {
      target.addEventListener(name, listener as EventListener, { passive: false });
      this.#undo.push(() => target.removeEventListener(name, listener as EventListener));
    };
    this.#undo.push(
      this.view.listen(() => {
        if (this.view.current().near) this.#free = null;
        this.#draw(false);
      }),
    );
    this.#undo.push(this.view.onZoom((by) => this.#zoom(by)));
    on(window, "keydown", (event) => this.#key(event));
    on(canvas, "wheel", (event) => this.#wheel(event));
    listenToPointer(canvas, on, {
      camera: () => this.#camera,
      holds: () => this.#isNearer(),
      onDrag: (camera) => {
        this.#free = camera;
        if (this.view.current().near) this.#change({ near: false });
        this.#draw(false);
      },
      onClick: (event) => this.#click(event),
    });
  }

  #isNearer(): boolean {
    return this.#free !== null || this.view.current().near;
  }

  #change(change: { near?: boolean; zoom?: number }): void {
    this.view.change(change as Partial<ReturnType<typeof this.view.current>>);
  }

  #key(event: KeyboardEvent): void {
    const modified = event.ctrlKey || event.metaKey || event.altKey;
    if (event.defaultPrevented || modified || keyIsTaken(event.target, event.key)) return;
    if (!this.pressed(event.key)) return;
    event.preventDefault();
  }

  /** With Ctrl, as a pinch says it too; the wheel alone scrolls the page. */
  #wheel(event: WheelEvent): void {
    if (!event.ctrlKey) return;
    event.preventDefault();
    this.#zoom(Math.exp(-event.deltaY / 300));
  }

  #zoom(by: number): void {
    const area = this.area();
    if (!area || !this.#camera) return;
    const { near, zoom } = this.view.current();
    if (near) {
      this.#change({ zoom: Math.min(area.zoomMax, Math.max(0.4, zoom * by)) });
      return;
    }
    const whole = fitted(area, this.#room());
    const scale = this.#camera.scale * by;
    this.#free =
      scale <= whole.scale
        ? null
        : { ...this.#camera, scale: Math.min(scale, whole.scale * area.zoomMax) };
    this.#draw(false);
  }

  #click(event: PointerEvent): void {
    const box = this.#canvas?.getBoundingClientRect();
    if (!box || !this.#camera) return;
    const [px, py] = [event.clientX - box.left, event.clientY - box.top];
    const place = placeAt(this.#camera, this.#room(), px, py);
    const found = this.whoIsAt(place, this.#camera.scale);
    if (found !== null) this.view.follow(found);
  }
}
