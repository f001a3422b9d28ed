/** Happenings that are shown where they happened, for a few moments. */

import { tell } from "./event_words";
import type { Note } from "./paint_air";
import type { Place, Town, TownEvent } from "./town";
import { nameOf, REASONS } from "./words";

/** Ticks a note stays. */
const LASTING: Record<string, number> = {
  chat_success: 6,
  chat_failure: 6,
  shared_meal: 8,
  queue_conflict: 8,
  public_argument: 8,
  rage_quit: 8,
  agent_spawned: 14,
  agent_removed: 24,
  agent_killed: 24,
  agent_hospitalised: 24,
  sleep_complete: 6,
  job_late: 8,
  rent_missed: 10,
};

/** Short, because it stands on the map. */
function shortWords(event: TownEvent): string {
  const who = nameOf(event.agent_id ?? "");
  switch (event.event) {
    case "chat_success":
      return "a good talk";
    case "chat_failure":
      return "no talk";
    case "shared_meal":
      return "a meal together";
    case "queue_conflict":
      return "a quarrel";
    case "public_argument":
      return "an argument";
    case "rage_quit":
      return `${who} storms off`;
    case "agent_spawned":
      return `${who} arrives`;
    case "agent_removed":
    case "agent_killed":
      return `${who} ${REASONS[event.reason ?? ""] ?? "leaves"}`;
    case "sleep_complete":
      return "awake";
    case "job_late":
      return "late for work";
    case "rent_missed":
      return "no rent";
    default:
      return tell(event).text;
  }
}

interface Kept {
  place: Place;
  text: string;
  tone: Note["tone"];
  tick: number;
  ticks: number;
}

export class Notes {
  #kept: Kept[] = [];
  #tick = -1;

  /** A frame after the last one adds what happened in it; a jump begins anew. */
  take(town: Town, before: Town | null): void {
    if (town.tick === this.#tick) return;
    const follows = town.tick > this.#tick && town.tick - this.#tick < 40;
    if (!follows) this.#kept = [];
    this.#tick = town.tick;
    for (const event of town.events) {
      const ticks = LASTING[event.event];
      const place = placeOf(event, town) ?? (before && placeOf(event, before));
      if (ticks === undefined || !place) continue;
      this.#kept.push({
        place,
        text: shortWords(event),
        tone: tell(event).tone,
        tick: town.tick,
        ticks,
      });
    }
    this.#kept = this.#kept.filter((one) => town.tick - one.tick < one.ticks).slice(-12);
  }

  at(share: number): Note[] {
    return this.#kept.map(({ place, text, tone, tick, ticks }) => ({
      x: place[0] + 0.5,
      y: place[1] + 0.5,
      text,
      tone,
      age: Math.min(1, Math.max(0, (this.#tick - tick + share - 1) / ticks)),
    }));
  }
}

function placeOf(event: TownEvent, town: Town): Place | null {
  return town.agents.find((citizen) => citizen.id === event.agent_id)?.position ?? null;
}
