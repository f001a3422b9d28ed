// How each effect moves. The picture comes from the manifest; this says what is done with it.

export type Motion =
  /** Grows from nothing and fades. */
  | "pulse"
  /** Swells quickly, stays a moment, fades. */
  | "flash"
  /** Turns slowly in place. */
  | "spin"
  /** Floats upwards and fades. */
  | "rise"
  /** Tumbles away from the ship. */
  | "toss"
  /** Stretched from the ship's nose to the rock. */
  | "beam"
  /** Behind the ship, along its heading. */
  | "wake";

export type Anchor = "ship" | "rock" | "station";

export interface Recipe {
  motion: Motion;
  at: Anchor;
  /** Across, in pixels at unit scale. */
  size: number;
  life_s: number;
  sparks: number;
  /** Null: the colour of what the rock seems to hold. */
  sparkColor: number | null;
  /** How hard the camera trembles, 0 to 1. */
  shake: number;
}

function recipe(
  motion: Motion,
  at: Anchor,
  size: number,
  life_s: number,
  more: Partial<Recipe> = {},
): Recipe {
  return { motion, at, size, life_s, sparks: 0, sparkColor: null, shake: 0, ...more };
}

const RECIPES: Record<string, Recipe> = {
  "vfx.travel.warp": recipe("wake", "ship", 190, 0.7),
  "vfx.emergencyBurn": recipe("wake", "ship", 150, 0.8, {
    sparks: 14,
    sparkColor: 0xffa050,
    shake: 0.3,
  }),
  "vfx.scan.widePulse": recipe("pulse", "ship", 760, 1.1),
  "vfx.scan.focusBeam": recipe("beam", "rock", 84, 0.9),
  "vfx.scan.deepSpectral": recipe("beam", "rock", 110, 1.2),
  "vfx.scan.listenPing": recipe("pulse", "ship", 420, 1.1),
  "vfx.selection.ring": recipe("pulse", "rock", 150, 0.5),
  "vfx.mine.conservative": recipe("beam", "rock", 34, 0.55, { sparks: 5 }),
  "vfx.mine.standard": recipe("beam", "rock", 40, 0.55, { sparks: 8 }),
  "vfx.mine.aggressive": recipe("beam", "rock", 50, 0.55, { sparks: 13, shake: 0.12 }),
  "vfx.stabilize.field": recipe("spin", "rock", 130, 1.2),
  "vfx.refine.sparkle": recipe("flash", "ship", 130, 1, { sparks: 10, sparkColor: 0xb591ff }),
  "vfx.cooldown.burst": recipe("pulse", "ship", 210, 0.9, { sparks: 14, sparkColor: 0xbfefff }),
  "vfx.repair.tool": recipe("rise", "ship", 64, 1, { sparks: 8, sparkColor: 0xffe08a }),
  "vfx.repair.hull": recipe("rise", "ship", 64, 1, { sparks: 8, sparkColor: 0x8ff0b4 }),
  "vfx.jettison": recipe("toss", "ship", 72, 1.2, { sparks: 6, sparkColor: 0xd2a878 }),
  "vfx.dock": recipe("flash", "ship", 110, 0.9),
  "vfx.sell": recipe("rise", "station", 62, 0.9, { sparks: 12, sparkColor: 0xf5d573 }),
  "vfx.station.confirm": recipe("rise", "station", 66, 0.9),
  "vfx.station.overhaul": recipe("rise", "ship", 84, 1.2, { sparks: 14, sparkColor: 0x9fe6ff }),
  "vfx.ui.run_end": recipe("rise", "ship", 150, 2.4, { sparks: 40, sparkColor: 0xf5d573 }),
  "vfx.warning.alert": recipe("rise", "ship", 62, 0.9, { shake: 0.15 }),
  "vfx.event.overheat": recipe("pulse", "ship", 200, 0.9, { sparks: 16, sparkColor: 0xff7a3c }),
  "vfx.event.engine_fail": recipe("flash", "ship", 150, 2, {
    sparks: 16,
    sparkColor: 0x8f9bb8,
    shake: 0.3,
  }),
  "vfx.explosion.medium": recipe("flash", "rock", 190, 0.8, { sparks: 34, shake: 0.5 }),
  "vfx.explosion.large": recipe("flash", "ship", 380, 1.6, {
    sparks: 90,
    sparkColor: 0xffa040,
    shake: 1,
  }),
};

export function recipeOf(vfx: string): Recipe | null {
  return RECIPES[vfx] ?? null;
}

export const VFX_KEYS = Object.keys(RECIPES);
