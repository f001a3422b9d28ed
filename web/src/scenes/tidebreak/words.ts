/** The battle in words. */

import { spoken } from "../../player/reading";
import type { Battle, Layer, Ship } from "./battle";

export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** `attack_sub` is "attack sub". */
export function plain(name: string): string {
  return name.replaceAll("_", " ");
}

/** "04:07" of seconds. */
export function clock(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  const minutes = String(Math.floor(whole / 60)).padStart(2, "0");
  return `${minutes}:${String(whole % 60).padStart(2, "0")}`;
}

export function distance(metres: number): string {
  if (metres < 1000) return `${Math.round(metres / 10) * 10} m`;
  return `${(metres / 1000).toFixed(metres < 10_000 ? 1 : 0)} km`;
}

/** A chart angle as a compass course: 0 is north, 90 east. */
export function compass(angle: number): number {
  const degrees = (angle * 180) / Math.PI + 90;
  return Math.round(((degrees % 360) + 360) % 360) % 360;
}

export function courseWords(ship: Pick<Ship, "heading" | "speed">): string {
  return `${String(compass(ship.heading)).padStart(3, "0")}°, ${ship.speed.toFixed(1)} m/s`;
}

export const LAYER_TITLES: Record<Layer, string> = {
  surface: "Surface",
  submerged: "Submerged",
  abyssal: "Abyssal",
};

export const FATES: Record<string, string> = {
  disabled: "disabled",
  destroyed: "sunk",
  scuttled: "scuttled",
  surrendered: "surrendered",
  captured: "captured",
  exited: "left the area",
};

export function fateWords(fate: string): string {
  return FATES[fate] ?? plain(fate);
}

/** Flags that are worth a mark, and what they say. */
export const TROUBLES: Record<string, string> = {
  on_fire: "on fire",
  fire: "on fire",
  flooding: "flooding",
  mobility_lost: "engines out",
  mobility: "engines out",
  weapons_lost: "weapons out",
  weapons: "weapons out",
  sensors_lost: "sensors out",
  sensors: "sensors out",
  surrendered: "struck her colours",
};

export function troublesOf(ship: Ship): string[] {
  return [...new Set(ship.flags.flatMap((flag) => TROUBLES[flag] ?? []))];
}

export function burns(ship: Ship): boolean {
  return ship.flags.includes("on_fire") || ship.flags.includes("fire");
}

export function floods(ship: Ship): boolean {
  return ship.flags.includes("flooding");
}

export const QUALITIES = ["cue", "coarse", "fire control", "shared"] as const;

export function qualityWords(quality: number): string {
  return `Q${quality} ${QUALITIES[quality] ?? ""}`.trim();
}

export function layerWords(ship: Ship): string {
  const here = LAYER_TITLES[ship.layer];
  if (ship.layer_next === null) return here;
  const there = LAYER_TITLES[ship.layer_next].toLowerCase();
  return `${here}, to ${there} (${Math.round(ship.transition * 100)} %)`;
}

/** "Kestrel, corvette". */
export function shipTitle(ship: Ship): string {
  return `${ship.name}, ${plain(ship.hull)}`;
}

export function nameOf(battle: Battle | null, id: string | null): string {
  if (id === null) return "nobody";
  return battle?.ships.find((ship) => ship.id === id)?.name ?? `#${id}`;
}

const ENDINGS: Record<string, string> = {
  time_limit: "time is up",
  annihilation: "one side is out of the fight",
  objective: "the objective is settled",
};

export function endingWords(battle: Battle): string | null {
  if (battle.ended_by === null) return null;
  const how = ENDINGS[battle.ended_by] ?? plain(battle.ended_by);
  return battle.winner === null ? `A draw: ${how}` : `${spoken(battle.winner)} wins: ${how}`;
}
