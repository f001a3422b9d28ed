/** What somebody looks at in a town. One for all towns on the page, so that two replays beside each
 * other follow the same citizen. */

import { useSyncExternalStore } from "react";

export const OVERLAYS = ["ties", "queues", "names"] as const;
export type Overlay = (typeof OVERLAYS)[number];

export interface View {
  readonly followed: string | null;
  /** The camera stays with whom is followed; else it shows the whole town. */
  readonly near: boolean;
  readonly zoom: number;
  readonly overlays: Readonly<Record<Overlay, boolean>>;
}

let view: View = {
  followed: null,
  near: false,
  zoom: 1,
  overlays: { ties: false, queues: true, names: true },
};
const listeners = new Set<() => void>();

export function currentView(): View {
  return view;
}

export function changeView(change: Partial<View>): void {
  view = { ...view, ...change };
  for (const listener of listeners) listener();
}

export function follow(id: string | null): void {
  changeView({ followed: id, near: id !== null && (view.near || view.followed === null) });
}

export function toggleOverlay(overlay: Overlay): void {
  changeView({ overlays: { ...view.overlays, [overlay]: !view.overlays[overlay] } });
}

export function onView(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function useView(): View {
  return useSyncExternalStore(onView, currentView);
}

/** The one after (or before) the followed citizen. */
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

/** What a key does to the view; false where it means nothing here. */
export function pressed(key: string, ids: readonly string[]): boolean {
  switch (key) {
    case ",":
      follow(neighbour(ids, view.followed, -1));
      return true;
    case ".":
      follow(neighbour(ids, view.followed, 1));
      return true;
    case "c":
      changeView({ near: !view.near && view.followed !== null });
      return true;
    case "r":
      toggleOverlay("ties");
      return true;
    case "q":
      toggleOverlay("queues");
      return true;
    case "n":
      toggleOverlay("names");
      return true;
    default:
      return false;
  }
}
