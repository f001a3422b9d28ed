/** Pages by hash, so that any static host can serve them and a link carries all it needs. */

import { useMemo, useSyncExternalStore } from "react";

export const PAGES = ["home", "watch", "play", "analyse", "grow", "campaign"] as const;
export type Page = (typeof PAGES)[number];

export interface Route {
  page: Page;
  params: Record<string, string>;
}

export function parseRoute(hash: string): Route {
  const [path = "", search = ""] = hash.replace(/^#\/?/, "").split("?");
  const name = path.replace(/\/+$/, "");
  const page = PAGES.find((one) => one === name) ?? "home";
  return { page, params: Object.fromEntries(new URLSearchParams(search)) };
}

export function formatRoute(
  page: Page,
  params: Record<string, string | number | null> = {},
): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(params)) {
    if (value !== null && value !== "") search.set(name, String(value));
  }
  const text = search.toString();
  return `#/${page === "home" ? "" : page}${text ? `?${text}` : ""}`;
}

export function watchLink(run: string, replay: string, frame?: number): string {
  return formatRoute("watch", { run, replay, frame: frame ?? null });
}

export function growLink(run: string): string {
  return formatRoute("grow", { run });
}

function subscribe(listener: () => void): () => void {
  window.addEventListener("hashchange", listener);
  return () => window.removeEventListener("hashchange", listener);
}

export function useRoute(): Route {
  const hash = useSyncExternalStore(subscribe, () => window.location.hash);
  return useMemo(() => parseRoute(hash), [hash]);
}

export function goTo(hash: string): void {
  window.location.hash = hash;
}

/** Change the address without a new step in the history. */
export function replaceRoute(hash: string): void {
  if (hash === window.location.hash) return;
  window.history.replaceState(null, "", hash);
  window.dispatchEvent(new HashChangeEvent("hashchange"));
}
