/** What the town's names mean to people. */

import type { Citizen, CityEvent, Thing, Town } from "./town";

/** The town's clock: a day begins at four in the morning. */
const FIRST_HOUR = 4;

export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

export function clockOf(tod: number, perDay = 1000): string {
  const minutes = Math.floor((((tod / perDay) * 24 + FIRST_HOUR) % 24) * 60 + 1e-6);
  const two = (value: number) => String(value).padStart(2, "0");
  return `${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}

/** A time as the town's clock measures it: "25 min", "1 h 26 min". */
export function lengthOf(ticks: number, perDay: number): string {
  const minutes = Math.round((ticks / perDay) * 24 * 60);
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  if (hours === 0) return `${rest} min`;
  return rest === 0 ? `${hours} h` : `${hours} h ${rest} min`;
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

/** Called by a number, which the face shows. */
export function isNumbered(id: string): boolean {
  return /\d$/.test(id.split("#")[0] ?? "");
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
}

export const AFFORDANCES: Record<string, Doing> = {
  use_shower: { now: "showering", done: "Showered" },
  eat_meal: { now: "eating", done: "Ate a meal" },
  cook_meal: { now: "cooking", done: "Cooked" },
  rest_sleep: { now: "sleeping", done: "Slept" },
  buy_groceries: { now: "buying groceries", done: "Bought groceries" },
  eat_packed: { now: "eating a packed meal", done: "Ate a packed meal" },
  change_clothes: { now: "changing clothes", done: "Changed clothes" },
  rest_bench: { now: "resting on a bench", done: "Rested on a bench" },
};

export function doingOf(affordance: string): Doing {
  const plain = affordance.replaceAll("_", " ");
  return AFFORDANCES[affordance] ?? { now: plain, done: capital(plain) };
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
  exposure: "froze out in the cold",
};

const FAILURES: Record<string, string> = {
  insufficient_funds: "not enough money",
  insufficient_stock: "nothing left",
  no_ingredients: "no ingredients",
  bed_unavailable: "no free bed",
  power_off: "the power is off",
  water_off: "the water is off",
  utility_outage: "an outage",
  ghost_step: "somebody got past",
  agent_removed: "had to leave",
  released: "let it go",
  facility_closed: "it is closed",
  precondition_failed: "it is not possible now",
  warmth: "the cold",
};

/** Why something failed, as the end of a sentence. */
export function because(reason: string | undefined): string {
  if (!reason) return "no reason given";
  return FAILURES[reason] ?? reason.replaceAll("_", " ");
}

/** The weather as a heading; nothing of a fine day. */
export function weatherWords(town: Town): string | null {
  if (town.weather?.now === "rainy") return "Rain";
  return town.weather?.now === "cold" ? "Bitter cold" : null;
}

/** What the city is up to, as a heading. */
export function cityWords(event: CityEvent): string {
  const place = event.place ? thingName(event.place) : "";
  switch (event.kind) {
    case "price_spike":
      return "Prices are up";
    case "blackout":
      return "No power";
    case "outage":
      return "No water";
    case "arranged_meet": {
      const targets = (event.targets ?? []).map(nameOf).join(" and ");
      return `${targets || "Two"} are to meet${place ? ` at the ${place}` : ""}`;
    }
    case "facility_closure":
      return `${capital(place || "a place")} is closed`;
    default:
      return capital(event.spec.replaceAll("_", " "));
  }
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
  if (citizen.argues_with) return `argues with ${nameOf(citizen.argues_with)}`;
  if (citizen.running) return `is ${doingOf(citizen.running).now}`;
  if (citizen.waiting) {
    const thing = town.objects.find((one) => one.id === citizen.waiting);
    return `waits for ${thingName(citizen.waiting)}${placeInQueue(thing, citizen.id)}`;
  }
  if (atWork(citizen)) return `works as ${citizen.job.job_id ?? "a hand"}`;
  const aim = citizen.holding ?? citizen.target;
  if (aim) return `walks to ${thingName(aim)}`;
  return OPTIONS[citizen.option] ?? citizen.option;
}

function placeInQueue(thing: Thing | undefined, id: string): string {
  const at = thing?.queue.indexOf(id) ?? -1;
  return at < 0 ? "" : `, place ${at + 1} in line`;
}

/** How far what somebody does has come, 0 to 1; null where nothing runs. */
export function progressOf(citizen: Citizen, tick: number): number | null {
  if (citizen.running === null) return null;
  const ticks = citizen.runs_until - citizen.runs_from;
  if (ticks <= 0) return null;
  return Math.min(1, Math.max(0, (tick - citizen.runs_from) / ticks));
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

/** One of it, and several. */
const ITEM_WORDS: Record<string, readonly [string, string]> = {
  food_raw: ["a bag of groceries", "bags of groceries"],
  meal: ["a packed meal", "packed meals"],
  clothes_clean: ["clean clothes", "sets of clean clothes"],
};

export function itemWords(item: string, count: number): string {
  const [one, several] = ITEM_WORDS[item] ?? [item, item];
  return count === 1 ? one : `${count} ${several}`;
}

export const PRICE_WORDS: Record<string, string> = {
  meal_cost: "a meal",
  ingredients_cost: "ingredients",
  shower_cost: "a shower",
};

export function money(value: number): string {
  return value.toFixed(2);
}
