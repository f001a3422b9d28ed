/** What the town's names mean to people. */

import type { Citizen, Thing, Town } from "./town";

/** The town's clock: a day begins at four in the morning. */
const FIRST_HOUR = 4;

export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Ticks of a day, from the day and time the town tells; 1000 while it is the first day. */
export function ticksPerDay(town: Town): number {
  return town.day > 0 ? Math.round((town.tick - town.tod) / town.day) : 1000;
}

export function clockOf(tod: number, perDay = 1000): string {
  const minutes = Math.floor((((tod / perDay) * 24 + FIRST_HOUR) % 24) * 60 + 1e-6);
  const two = (value: number) => String(value).padStart(2, "0");
  return `${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}

const ROMAN = ["", "", " II", " III", " IV", " V", " VI", " VII", " VIII", " IX", " X"];

/** `alice` is Alice, the one who takes her place later is Alice II, `resident_03` is Resident 3. */
export function nameOf(id: string): string {
  const [name = "", generation = "0"] = id.split("#");
  const plain = name.replace(/_0*(?=\d)/g, " ").replaceAll("_", " ");
  const heir = Number(generation) + 1;
  return capital(plain) + (ROMAN[heir] ?? ` ${heir}`);
}

/** One or two signs for a face. */
export function initialOf(id: string): string {
  const name = id.split("#")[0] ?? "";
  const number = /\d+$/.exec(name)?.[0];
  return number ? String(Number(number)) : name.charAt(0).toUpperCase();
}

/** `shower_2` is "shower 2". */
export function thingName(id: string): string {
  return id.replaceAll("_", " ");
}

export interface Doing {
  /** "is showering". */
  now: string;
  /** "Showered". */
  done: string;
  /** How long it takes in the shipped towns. */
  ticks: number;
}

export const AFFORDANCES: Record<string, Doing> = {
  use_shower: { now: "showering", done: "Showered", ticks: 30 },
  eat_meal: { now: "eating", done: "Ate a meal", ticks: 15 },
  cook_meal: { now: "cooking", done: "Cooked", ticks: 40 },
  rest_sleep: { now: "sleeping", done: "Slept", ticks: 60 },
  buy_groceries: { now: "buying groceries", done: "Bought groceries", ticks: 10 },
  eat_packed: { now: "eating a packed meal", done: "Ate a packed meal", ticks: 15 },
  change_clothes: { now: "changing clothes", done: "Changed clothes", ticks: 5 },
  rest_bench: { now: "resting on a bench", done: "Rested on a bench", ticks: 20 },
};

export function doingOf(affordance: string): Doing {
  const plain = affordance.replaceAll("_", " ");
  return AFFORDANCES[affordance] ?? { now: plain, done: capital(plain), ticks: 0 };
}

export const OPTIONS: Record<string, string> = {
  Wait: "waits",
  GetFed: "wants to eat",
  GetClean: "wants to wash",
  GoToWork: "is off to work",
  ShopGroceries: "goes shopping",
  Sleep: "wants to sleep",
  Socialise: "looks for company",
  GoHome: "goes home",
};

export const SHIFTS: Record<string, string> = {
  pre: "shift not begun",
  await: "about to begin",
  ontime: "on time",
  late: "late",
  absent: "absent",
  post: "shift over",
};

export const REASONS: Record<string, string> = {
  faint: "fainted from hunger",
  eviction: "was evicted",
  unemployment: "found no work",
  neglect: "was worn down by neglect",
  age_out: "grew old",
  killed: "was taken out",
};

/** Why something failed, as the end of a sentence. */
export function because(reason: string | undefined): string {
  return reason ? reason.replaceAll("_", " ") : "no reason given";
}

/** At work: on site is what pays, and the town says so by the state of the shift. */
export function atWork(citizen: Citizen): boolean {
  const { shift_state } = citizen.job;
  const busy = citizen.running !== null || citizen.waiting !== null;
  return citizen.option === "GoToWork" && shift_state === "ontime" && !busy;
}

/** What somebody does, as the rest of a sentence that begins with the name. */
export function doingWords(citizen: Citizen, town: Town): string {
  if (citizen.hospital) return "is in hospital";
  if (citizen.running) return `is ${doingOf(citizen.running).now}`;
  if (citizen.waiting) {
    const thing = town.objects.find((one) => one.id === citizen.waiting);
    return `waits for ${thingName(citizen.waiting)}${placeInQueue(thing, citizen.id)}`;
  }
  if (atWork(citizen)) return `works as ${citizen.job.job_id ?? "a hand"}`;
  if (citizen.holding) return `walks to ${thingName(citizen.holding)}`;
  return OPTIONS[citizen.option] ?? citizen.option;
}

function placeInQueue(thing: Thing | undefined, id: string): string {
  const at = thing?.queue.indexOf(id) ?? -1;
  return at < 0 ? "" : `, number ${at + 1} in the queue`;
}

/** How far what somebody does has come, 0 to 1; null where nothing runs. */
export function progressOf(citizen: Citizen, tick: number): number | null {
  if (citizen.running === null) return null;
  const { ticks } = doingOf(citizen.running);
  if (ticks === 0) return null;
  return Math.min(1, Math.max(0, 1 - (citizen.runs_until - tick) / ticks));
}

export const TERM_WORDS: Record<string, string> = {
  survival: "being alive",
  needs_penalty: "unmet needs",
  wage: "wage",
  punctuality: "punctuality",
  social_bonus: "good company",
  social_penalty: "bad company",
  social_avoidance: "avoiding rivals",
  shaping: "getting better or worse off",
  clip_adjustment: "guards against excess",
  terminal_penalty: "having to leave",
};

export const STOCK_WORDS: Record<string, string> = {
  meals: "meals",
  raw_ingredients: "ingredients",
  food_raw: "groceries",
};

export const ITEM_WORDS: Record<string, string> = {
  food_raw: "groceries",
  meal: "packed meals",
  clothes_clean: "clean clothes",
};

export const PRICE_WORDS: Record<string, string> = {
  meal_cost: "a meal",
  ingredients_cost: "ingredients",
  shower_cost: "a shower",
};

export function money(value: number): string {
  return value.toFixed(2);
}
