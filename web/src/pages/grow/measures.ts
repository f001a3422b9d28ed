/** Sizes that a drawing depends on. */

import { useEffect, useState, useSyncExternalStore, type RefObject } from "react";

const narrow = window.matchMedia("(max-width: 720px)");

function subscribe(listener: () => void): () => void {
  narrow.addEventListener("change", listener);
  return () => narrow.removeEventListener("change", listener);
}

/** Whether the page is as wide as a phone. */
export function useNarrow(): boolean {
  return useSyncExternalStore(subscribe, () => narrow.matches);
}

/** The width of an element, followed. */
export function useWidth(place: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(0);
  useEffect(() => {
    const element = place.current;
    if (!element) return;
    const sizes = new ResizeObserver(() => setWidth(element.clientWidth));
    sizes.observe(element);
    setWidth(element.clientWidth);
    return () => sizes.disconnect();
  }, [place]);
  return width;
}
