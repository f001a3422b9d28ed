/** What somebody looks at on a map. One store for all maps of a world on the page, so that two
 * replays beside each other show the same. */

import { useSyncExternalStore } from "react";

/** How much nearer one press goes. */
const ZOOM_STEP = 1.25;

export interface View<Overlay extends string> {
  readonly followed: string | null;
  /** The camera stays with whom is followed; else it shows everything. */
  readonly near: boolean;
  readonly zoom: number;
  readonly overlays: Readonly<Record<Overlay, boolean>>;
}

export class MapView<Overlay extends string, More extends object = object> {
  #view: View<Overlay> & More;
  #listeners = new Set<() => void>();
  #zooming = new Set<(by: number) => void>();

  /** `keys` switch overlays on and off. */
  constructor(
    overlays: Record<Overlay, boolean>,
    more: More,
    private readonly keys: Readonly<Record<string, Overlay>>,
  ) {
    this.#view = { followed: null, near: false, zoom: 1, overlays, ...more };
  }

  readonly current = (): View<Overlay> & More => this.#view;

  readonly listen = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** How near a map is shown is its own affair; this tells all of them to come nearer or go back. */
  readonly onZoom = (listener: (by: number) => void): (() => void) => {
    this.#zooming.add(listener);
    return () => this.#zooming.delete(listener);
  };

  zoom(by: number): void {
    for (const listener of this.#zooming) {
      listener(by);
      // How near whom is followed is shown, they share.
      if (this.#view.near) return;
    }
  }

  change(change: Partial<View<Overlay> & More>): void {
    this.#view = { ...this.#view, ...change };
    for (const listener of this.#listeners) listener();
  }

  follow(id: string | null): void {
    const { near, followed } = this.#view;
    this.#set({ followed: id, near: id !== null && (near || followed === null) });
  }

  toggle(overlay: Overlay): void {
    const { overlays } = this.#view;
    this.#set({ overlays: { ...overlays, [overlay]: !overlays[overlay] } });
  }

  /** What a key does to the view; false where it means nothing here. */
  pressed(key: string, ids: readonly string[]): boolean {
    const { followed, near } = this.#view;
    const overlay = this.keys[key];
    if (key === ",") this.follow(neighbour(ids, followed, -1));
    else if (key === ".") this.follow(neighbour(ids, followed, 1));
    else if (key === "+" || key === "-") this.zoom(key === "+" ? ZOOM_STEP : 1 / ZOOM_STEP);
    else if (key === "c") this.#set({ near: !near && followed !== null });
    else if (overlay !== undefined) this.toggle(overlay);
    else return false;
    return true;
  }

  #set(change: Partial<View<Overlay>>): void {
    this.change(change as Partial<View<Overlay> & More>);
  }
}

export function useMapView<Overlay extends string, More extends object>(
  view: MapView<Overlay, More>,
): View<Overlay> & More {
  return useSyncExternalStore(view.listen, view.current);
}

/** The one after (or before) whom is followed. */
export function neighbour(
  ids: readonly string[],
  followed: string | null,
  by: 1 | -1,
): string | null {
  if (ids.length === 0) return null;
  const at = followed === null ? -1 : ids.indexOf(followed);
  if (at < 0) return (by === 1 ? ids[0] : ids.at(-1)) ?? null;
  return ids[(at + by + ids.length) % ids.length] ?? null;
}
