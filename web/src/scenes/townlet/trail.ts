/** The way the followed citizen came, as far as it was watched. */

import { citizenOf, type Place, type Town } from "./town";

const STEPS = 60;

export class Trail {
  #id: string | null = null;
  #tick = -1;
  #places: Place[] = [];

  /** A frame after the last one adds a step; a jump, or somebody else, begins anew. */
  take(town: Town, id: string | null): void {
    const citizen = citizenOf(town, id);
    if (id !== this.#id || town.tick < this.#tick || town.tick > this.#tick + STEPS) {
      this.#places = [];
    }
    this.#id = id;
    if (town.tick === this.#tick) return;
    this.#tick = town.tick;
    const last = this.#places.at(-1);
    if (!citizen) this.#places = [];
    else if (last?.[0] !== citizen.position[0] || last[1] !== citizen.position[1]) {
      this.#places = [...this.#places, citizen.position].slice(-STEPS);
    }
  }

  /** Without the place where they stand now. */
  get way(): readonly Place[] {
    return this.#places.slice(0, -1);
  }
}
