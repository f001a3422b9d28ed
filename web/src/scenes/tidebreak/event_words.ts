/** Every event as a sentence, with the kind of story it belongs to. */

import type { EventTone } from "../../player/keyframes";
import type { BattleEvent } from "./battle";
import { capital, plain } from "./words";

export const STORIES = [
  "orders",
  "fire",
  "damage",
  "losses",
  "depth",
  "sensing",
  "battle",
] as const;
export type Story = (typeof STORIES)[number];

export const STORY_TITLES: Record<Story, string> = {
  orders: "Orders",
  fire: "Fire",
  damage: "Damage",
  losses: "Losses",
  depth: "Depth",
  sensing: "Sensing",
  battle: "Battle",
};

export interface Telling {
  story: Story;
  tone: EventTone;
  text: string;
}

/** What an entity is called: ships by name, rounds by their weapon. */
export type Naming = (id: string | null) => string | null;

interface Names {
  /** Who did it, and to whom; empty where nobody is named. */
  by: string;
  to: string;
  /** Whoever is named at all, the doer first or last. */
  doer: string;
  ship: string;
  event: BattleEvent;
}

type Teller = (names: Names) => string;

const hand = (by: string) => (by === "" ? "" : ` by ${by}`);
const amount = ({ value }: BattleEvent) =>
  value > 0 ? `, ${value < 1 ? "under 1" : Math.round(value)} points` : "";
const other = ({ by, to }: Names) => (to !== "" && to !== by ? to : null);

const TELLERS: Record<string, [Story, EventTone, Teller]> = {
  order: ["orders", "plain", ({ doer }) => `${doer} gives new orders`],
  order_rejected: ["orders", "warn", ({ doer }) => `${doer}: an order cannot be carried out`],
  fired: ["fire", "plain", (n) => `${n.doer} fires${other(n) === null ? "" : ` at ${n.to}`}`],
  hit: ["fire", "warn", ({ ship, by, event }) => `${ship} is hit${hand(by)}${amount(event)}`],
  missed: ["fire", "plain", ({ by }) => `A round${by === "" ? "" : ` of ${by}`} misses`],
  intercepted: ["fire", "good", ({ doer }) => `${doer} shoots down a round`],
  damaged: ["damage", "warn", ({ ship, event }) => `${ship} takes damage${amount(event)}`],
  part_lost: ["damage", "warn", ({ ship }) => `${ship} loses a part`],
  fire_started: ["damage", "warn", ({ ship }) => `Fire aboard ${ship}`],
  fire_out: ["damage", "good", ({ ship }) => `The fire aboard ${ship} is out`],
  flooding_started: ["damage", "warn", ({ ship }) => `${ship} takes water`],
  flooding_stopped: ["damage", "good", ({ ship }) => `${ship} is tight again`],
  disabled: ["losses", "bad", (n) => `${n.ship} is disabled${other(n) === null ? "" : hand(n.by)}`],
  destroyed: ["losses", "bad", (n) => `${n.ship} is sunk${other(n) === null ? "" : hand(n.by)}`],
  scuttled: ["losses", "bad", ({ ship }) => `${ship} is scuttled`],
  surrendered: ["losses", "bad", ({ ship }) => `${ship} surrenders`],
  captured: ["losses", "bad", (n) => `${n.ship} is captured${other(n) === null ? "" : hand(n.by)}`],
  exited: ["losses", "plain", ({ ship }) => `${ship} leaves the area`],
  transition_began: ["depth", "plain", ({ ship }) => `${ship} changes depth`],
  transition_ended: ["depth", "plain", ({ ship }) => `${ship} is at her new depth`],
  transition_botched: ["depth", "warn", ({ ship }) => `${ship} fails to change depth`],
  collided: ["damage", "warn", (n) => `${n.doer} collides with ${other(n) ?? "something"}`],
  grounded: ["damage", "warn", ({ ship }) => `${ship} runs aground`],
  detected: ["sensing", "plain", (n) => `${n.doer} finds ${other(n) ?? "a contact"}`],
  track_lost: ["sensing", "plain", (n) => `${n.doer} loses ${other(n) ?? "a contact"}`],
  pinged: ["sensing", "plain", ({ doer }) => `${doer} pings`],
  decoy_dropped: ["fire", "plain", ({ doer }) => `${doer} drops a decoy`],
  mine_laid: ["fire", "plain", ({ doer }) => `${doer} lays a mine`],
  squadron_launched: ["fire", "plain", ({ doer }) => `${doer} launches a squadron`],
  squadron_recovered: ["fire", "plain", ({ doer }) => `${doer} recovers a squadron`],
  squadron_lost: ["losses", "bad", ({ doer }) => `${doer} loses a squadron`],
  lightning: ["battle", "warn", ({ ship }) => `Lightning strikes ${ship}`],
  weather_damage: [
    "damage",
    "warn",
    ({ ship, event }) => `The sea batters ${ship}${amount(event)}`,
  ],
  objective_met: ["battle", "good", ({ doer }) => `${doer} meets the objective`],
  objective_failed: ["battle", "bad", ({ doer }) => `${doer} fails the objective`],
  battle_ended: ["battle", "plain", () => "The battle is over"],
};

/** Kinds that would drown the rest of a feed or a scrubber. */
const ROUTINE = new Set([
  "order",
  "missed",
  "fired",
  "detected",
  "track_lost",
  "damaged",
  "weather_damage",
]);

export function tell(event: BattleEvent, naming: Naming): Telling {
  const teller = TELLERS[event.kind];
  if (!teller) return { story: "battle", tone: "plain", text: capital(plain(event.kind)) };
  const [by, to] = [naming(event.source) ?? "", naming(event.target) ?? ""];
  const [story, tone, words] = teller;
  const text = words({ by, to, doer: by || to || "somebody", ship: to || by || "a ship", event });
  return { story, tone, text: capital(text) };
}

export function storyOf(event: BattleEvent): Story {
  return TELLERS[event.kind]?.[0] ?? "battle";
}

export function isNotable(event: BattleEvent): boolean {
  return !ROUTINE.has(event.kind);
}

export function concerns(event: BattleEvent, id: string): boolean {
  return event.source === id || event.target === id;
}
