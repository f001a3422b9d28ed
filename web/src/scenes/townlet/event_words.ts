/** Every event as a sentence, with the kind of story it belongs to. */

import type { TownEvent } from "./town";
import { because, capital, doingOf, money, nameOf, REASONS, thingName } from "./words";

export const STORIES = ["life", "work", "daily", "social", "friction", "town"] as const;
export type Story = (typeof STORIES)[number];
export type Tone = "good" | "warn" | "bad" | "plain";

export const STORY_TITLES: Record<Story, string> = {
  life: "Arrivals, exits",
  work: "Work, rent",
  daily: "Daily life",
  social: "Company",
  friction: "Friction",
  town: "Town",
};

export interface Telling {
  story: Story;
  tone: Tone;
  text: string;
}

const SKIES: Record<string, string> = {
  sunny: "The sky clears",
  rainy: "It begins to rain",
  cold: "It turns bitterly cold",
};

type Teller = (event: TownEvent, who: string, whom: string, what: string) => string;

const TELLERS: Record<string, [Story, Tone, Teller]> = {
  agent_spawned: ["life", "good", (_, who) => `${who} arrives in town`],
  agent_respawn: ["life", "plain", (_, who) => `${who} takes a free place`],
  agent_removed: ["life", "bad", (event, who) => `${who} leaves: ${exitWords(event)}`],
  agent_killed: ["life", "bad", (event, who) => `${who} leaves: ${exitWords(event)}`],
  agent_hospitalised: [
    "life",
    "bad",
    (event, who) => `${who} is taken to hospital: ${REASONS[event.reason ?? ""] ?? "ill"}`,
  ],
  agent_exit_withheld: [
    "life",
    "warn",
    (event, who) => `${who} would have left: ${exitWords(event)}`,
  ],
  agent_near_death: [
    "life",
    "bad",
    (event, who) => `${who} is in danger: ${because(event.reason)}`,
  ],
  agent_teleported: ["life", "plain", (_, who) => `${who} is put somewhere else`],
  agent_nightly_reset: ["life", "plain", (_, who) => `${who} begins a new day`],
  embedding_forced_reuse: ["life", "plain", (_, who) => `${who} takes a place just left`],
  affordance_start: ["daily", "plain", (event, who) => `${who} begins ${doing(event)}`],
  affordance_finish: ["daily", "good", (event, who) => `${who} is done ${doing(event)}`],
  affordance_fail: [
    "daily",
    "warn",
    (event, who) => `${who} gives up ${doing(event)}: ${because(event.reason)}`,
  ],
  affordance_precondition_fail: [
    "daily",
    "warn",
    (event, who) => `${who} cannot begin ${doing(event)}: ${unmet(event)}`,
  ],
  shower_complete: ["daily", "good", (_, who) => `${who} is clean again`],
  sleep_complete: ["daily", "good", (_, who) => `${who} wakes up`],
  shower_power_outage: ["daily", "warn", (_, who) => `${who} stands in a cold, dark shower`],
  chat_success: ["social", "good", (_, who, whom) => `${who} has a good talk with ${whom}`],
  chat_failure: ["social", "warn", (_, who, whom) => `${who} gets no talk out of ${whom}`],
  shared_meal: ["social", "good", (_, who, whom) => `${who} and ${whom} eat together`],
  queue_interaction: ["friction", "plain", queueWords],
  queue_polite: ["friction", "good", (_, who, whom) => `${who} was kind to ${whom}`],
  queue_conflict: [
    "friction",
    "bad",
    (_, who, whom, what) => `${who} and ${whom} quarrel${what ? ` over ${what}` : ""}`,
  ],
  public_argument: [
    "friction",
    "bad",
    (_, who, whom, what) => `${who} and ${whom} argue${what ? ` at ${what}` : ""}`,
  ],
  rage_quit: [
    "friction",
    "bad",
    (_, who, _whom, what) => `${who} storms off${what ? ` from ${what}` : ""}`,
  ],
  spiral_day: ["life", "warn", (_, who) => `${who} has a bad day`],
  meal_spoiled: [
    "daily",
    "warn",
    (event, who) =>
      `${who} throws away ${event.meals === 1 ? "a meal" : `${event.meals ?? 0} meals`}`,
  ],
  weather_changed: ["town", "plain", (event) => SKIES[event.reason ?? ""] ?? "The weather turns"],
  ghost_step: [
    "friction",
    "warn",
    (_, who, whom, what) => `${who} gets past ${whom}${what ? ` at ${what}` : ""}`,
  ],
  rivalry_avoidance: [
    "friction",
    "warn",
    (_, who, whom, what) => `${who} avoids ${whom}${what ? ` at ${what}` : ""}`,
  ],
  "policy.guardrail.block": [
    "friction",
    "plain",
    (_, who, whom, what) => `${who} will not queue with ${whom}${what ? ` at ${what}` : ""}`,
  ],
  job_late: ["work", "warn", (event, who) => `${who} is late for work${ticksLate(event)}`],
  shift_absent: ["work", "bad", (_, who) => `${who} does not come to work`],
  shift_departed_early: ["work", "bad", (_, who) => `${who} leaves work early`],
  employment_helped_when_late: ["work", "good", (_, who, whom) => `${whom} covers for ${who}`],
  employment_took_my_shift: ["work", "warn", (_, who, whom) => `${whom} takes ${who}'s shift`],
  employment_warning: ["work", "warn", (_, who) => `${who} is warned: one more absence`],
  employment_exit_pending: ["work", "bad", (_, who) => `${who} may lose the job`],
  employment_exit_processed: ["work", "bad", (_, who) => `${who} loses the job`],
  employment_exit_manual_request: ["work", "plain", (_, who) => `${who}'s exit was approved`],
  employment_exit_deferred: ["work", "good", (_, who) => `${who} keeps the job for now`],
  employment_exit_queue_overflow: ["work", "warn", () => "Too many wait to lose their job"],
  rent_paid: ["work", "plain", (event, who) => `${who} pays ${money(event.rent ?? 0)} rent`],
  rent_missed: ["work", "bad", (event, who) => `${who} cannot pay the rent${dayCount(event)}`],
  stock_replenish: [
    "town",
    "plain",
    (event, _who, _whom, what) => `${capital(what)} is restocked with ${event.amount ?? 0}`,
  ],
  economy_price_update: [
    "town",
    "warn",
    (event) => `Prices change: a meal costs ${money(event.prices?.["meal_cost"] ?? 0)}`,
  ],
  basket_violation: ["town", "warn", () => "Wages no longer fit what living costs"],
  perturbation_price_spike: ["town", "warn", () => "Prices jump"],
  perturbation_blackout: ["town", "bad", () => "The power goes out"],
  perturbation_outage: ["town", "bad", () => "The water is cut off"],
  perturbation_arranged_meet: [
    "town",
    "good",
    (event, who, whom) =>
      event.agent_id ? `${who} and ${whom} are to meet` : "People are to meet",
  ],
  perturbation_facility_closure: [
    "town",
    "warn",
    (_e, _who, _whom, what) => `${what ? capital(what) : "A place"} closes`,
  ],
  perturbation_started: ["town", "warn", () => "Something is up in town"],
  perturbation_ended: ["town", "good", () => "An event of the town is over"],
  perturbation_cancelled: ["town", "plain", () => "An event of the town was called off"],
  command_applied: ["town", "plain", () => "An operator changed something"],
  command_refused: ["town", "warn", (event) => `A command was refused: ${because(event.reason)}`],
  config_reloaded: ["town", "plain", () => "The town's rules were changed"],
  events_lost: ["town", "warn", () => "More happened than could be told"],
  config_reload_rejected: ["town", "warn", () => "New rules were refused"],
};

function doing(event: TownEvent): string {
  return doingOf(event.affordance_id ?? "something").now;
}

/** Why, and the condition as the town's file has it. */
function unmet(event: TownEvent): string {
  return because(event.reason) + (event.condition ? ` (${event.condition})` : "");
}

function exitWords(event: TownEvent): string {
  const days = event.days_lived ? ` after ${event.days_lived.toFixed(1)} days` : "";
  return `${REASONS[event.reason ?? ""] ?? because(event.reason)}${days}`;
}

function ticksLate(event: TownEvent): string {
  return event.ticks_late ? `, ${event.ticks_late} ticks` : "";
}

function dayCount(event: TownEvent): string {
  const days = event.days_unpaid ?? 0;
  return days > 1 ? `, ${days} days in a row` : "";
}

function queueWords(event: TownEvent, who: string, whom: string, what: string): string {
  if (event.reason === "handover") return `${who} lets ${whom} have ${what}`;
  if (event.reason === "queue_timeout") return `${who} is tired of waiting for ${what}`;
  if (event.reason === "reservation_timeout") return `${who} took too long to use ${what}`;
  return `${who} gives way at ${what}`;
}

/** An event of a kind not known here is told by its name. */
export function tell(event: TownEvent): Telling {
  const who = event.agent_id === undefined ? "Somebody" : nameOf(event.agent_id);
  const whom = event.other_id === undefined ? "somebody" : nameOf(event.other_id);
  const what = event.object_id === undefined ? "" : thingName(event.object_id);
  const teller = TELLERS[event.event];
  if (!teller) {
    const plain = capital(event.event.replaceAll("_", " "));
    return { story: "town", tone: "plain", text: event.agent_id ? `${who}: ${plain}` : plain };
  }
  const [story, tone, text] = teller;
  return { story, tone, text: text(event, who, whom, what) };
}

/** Told again by another event of its own: an end, a new day, a kind of happening. */
const DULL = [
  "affordance_start",
  "agent_nightly_reset",
  "agent_respawn",
  "perturbation_started",
  "policy.guardrail.block",
  "queue_polite",
  "shower_complete",
  "sleep_complete",
];

export function isNews(event: TownEvent): boolean {
  return !DULL.includes(event.event);
}

export function concerns(event: TownEvent, id: string): boolean {
  return event.agent_id === id || event.other_id === id;
}
