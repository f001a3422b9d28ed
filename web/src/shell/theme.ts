/** Dark or light: as the system says, unless somebody chose. */

import { useSyncExternalStore } from "react";
import type { Theme } from "../scenes/scene";

export type ThemeChoice = Theme | "system";

const KEY = "astrarium.theme";
const light = window.matchMedia("(prefers-color-scheme: light)");
const still = window.matchMedia("(prefers-reduced-motion: reduce)");
const listeners = new Set<() => void>();

export function themeChoice(): ThemeChoice {
  const kept = localStorage.getItem(KEY);
  return kept === "dark" || kept === "light" ? kept : "system";
}

export function theme(): Theme {
  const choice = themeChoice();
  if (choice !== "system") return choice;
  return light.matches ? "light" : "dark";
}

export function chooseTheme(choice: ThemeChoice): void {
  if (choice === "system") localStorage.removeItem(KEY);
  else localStorage.setItem(KEY, choice);
  applyTheme();
}

export function applyTheme(): void {
  document.documentElement.dataset["theme"] = theme();
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  light.addEventListener("change", applyTheme);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) light.removeEventListener("change", applyTheme);
  };
}

export function useTheme(): Theme {
  return useSyncExternalStore(subscribe, theme);
}

export function useThemeChoice(): ThemeChoice {
  return useSyncExternalStore(subscribe, themeChoice);
}

export function reducedMotion(): boolean {
  return still.matches;
}
