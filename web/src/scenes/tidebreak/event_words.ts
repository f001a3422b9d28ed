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
  /** For what only one can be named in: whoever it is, the doer first or last. */
  doer: string;
  ship: string;
  /** For what one does to another: either may be unknown, and then the other must not stand in. */
  author: string;
  victim: string;
  event: BattleEvent;
}

type Teller = (names: Names) => string;

const hand = (by: string) => (by === "" ? "" : ` by ${by}`);
const amount = ({ value }: BattleEvent) =>
  value > 0 ? `, ${value < 1 ? "under 1" : Math.round(value)} points` : "";
const other = ({ by, to }: Names) => (to !== "" && to !== by ? to : null);
/** The second of two that met, where both are named. */
const met = (n: Names) => (n.by === "" ? null : other(n));
/** By whom, unless it was her own doing. */
const foreign = ({ by, to }: Names) => (by === to ? "" : hand(by));

const TELLERS: Record<string, [Story, EventTone, Teller]> = {
  order: ["orders", "plain", ({ doer }) => `${doer} gives new orders`],
  order_rejected: ["orders", "warn", ({ doer }) => `${doer}: an order cannot be carried out`],
  fired: ["fire", "plain", (n) => `${n.author} fires${other(n) === null ? "" : ` at ${n.to}`}`],
  hit: ["fire", "warn", ({ victim, by, event }) => `${victim} is hit${hand(by)}${amount(event)}`],
  missed: ["fire", "plain", ({ by }) => `A round${by === "" ? "" : ` of ${by}`} misses`],
  intercepted: ["fire", "good", ({ doer }) => `${doer} shoots down a round`],
  damaged: ["damage", "warn", ({ victim, event }) => `${victim} takes damage${amount(event)}`],
  part_lost: ["damage", "warn", ({ victim }) => `${victim} loses a part`],
  fire_started: ["damage", "warn", ({ victim }) => `Fire aboard ${victim}`],
  fire_out: ["damage", "good", ({ ship }) => `The fire aboard ${ship} is out`],
  flooding_started: ["damage", "warn", ({ victim }) => `${victim} takes water`],
  flooding_stopped: ["damage", "good", ({ ship }) => `${ship} is tight again`],
  disabled: ["losses", "bad", (n) => `${n.victim} is disabled${foreign(n)}`],
  destroyed: ["losses", "bad", (n) => `${n.victim} is sunk${foreign(n)}`],
  scuttled: ["losses", "bad", ({ ship }) => `${ship} is scuttled`],
  // Beside her stands who harmed her last, friend or foe.
  surrendered: ["losses", "bad", ({ by }) => `${by || "a ship"} surrenders`],
  captured: ["losses", "bad", (n) => `${n.victim} is captured${foreign(n)}`],
  exited: ["losses", "plain", ({ ship }) => `${ship} leaves the area`],
  transition_began: ["depth", "plain", ({ ship }) => `${ship} changes depth`],
  transition_ended: ["depth", "plain", ({ ship }) => `${ship} is at her new depth`],
  transition_botched: ["depth", "warn", ({ ship }) => `${ship} fails to change depth`],
  collided: ["damage", "warn", (n) => `${n.doer} collides with ${met(n) ?? "something"}`],
  grounded: ["damage", "warn", ({ ship }) => `${ship} runs aground`],
  detected: ["sensing", "plain", (n) => `${n.author} finds ${other(n) ?? "a contact"}`],
  track_lost: ["sensing", "plain", (n) => `${n.author} loses ${other(n) ?? "a contact"}`],
  pinged: ["sensing", "plain", ({ doer }) => `${doer} pings`],
  decoy_dropped: ["fire", "plain", ({ doer }) => `${doer} drops a decoy`],
  mine_laid: ["fire", "plain", ({ doer }) => `${doer} lays a mine`],
  squadron_launched: ["fire", "plain", ({ doer }) => `${doer} launches a squadron`],
  squadron_recovered: ["fire", "plain", ({ doer }) => `${doer} recovers a squadron`],
  // Named is who brought it down, never whose it was.
  squadron_lost: [
    "losses",
    "bad",
    ({ by }) => (by === "" ? "A squadron is lost" : `${by} destroys a squadron`),
  ],
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
  const text = words({
    by,
    to,
    doer: by || to || "somebody",
    ship: to || by || "a ship",
    author: by || "somebody",
    victim: to || "a ship",
    event,
  });
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
