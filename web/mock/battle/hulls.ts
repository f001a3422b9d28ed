/** Hulls and weapons of made-up battles: a handful of figures, no rules. */

export interface HullKind {
  size: string;
  r: number;
  speed: number;
  hp: number;
  value: number;
  crew: number;
  guns: number;
  torpedoes: number;
}

export const HULLS = {
  corvette: { size: "S", r: 45, speed: 17, hp: 300, value: 1, crew: 90, guns: 1, torpedoes: 8 },
  cutter: { size: "S", r: 20, speed: 22, hp: 120, value: 0.25, crew: 30, guns: 1, torpedoes: 0 },
  frigate: { size: "M", r: 65, speed: 15, hp: 700, value: 2.9, crew: 220, guns: 2, torpedoes: 8 },
  transport: { size: "L", r: 90, speed: 9, hp: 900, value: 2.1, crew: 40, guns: 0, torpedoes: 0 },
  attack_sub: {
    size: "M",
    r: 50,
    speed: 14,
    hp: 350,
    value: 2.7,
    crew: 110,
    guns: 0,
    torpedoes: 12,
  },
} as const satisfies Record<string, HullKind>;

export type HullName = keyof typeof HULLS;

export const GUN_M = 8000;
export const TORPEDO_M = 4000;
export const SHELL_SPEED = 800;
export const TORPEDO_SPEED = 22;

/** Numbers that look like chance and are the same every time. */
export class Dice {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** 0 to 1. */
  roll(): number {
    this.#state = (Math.imul(this.#state, 1664525) + 1013904223) >>> 0;
    return this.#state / 2 ** 32;
  }

  between(low: number, high: number): number {
    return low + (high - low) * this.roll();
  }
}
