/** What happened so far, sorted by whom it concerns. Grows with the frames, each read once. */

import type { Frame } from "../../api/types";
import { tell, type Tone } from "./event_words";
import { townOf, type Citizen, type Town, type TownEvent } from "./town";
import { because, doingOf, lengthOf, nameOf, REASONS, thingName } from "./words";

export type EntryKind =
  | "sleep"
  | "wash"
  | "eat"
  | "shop"
  | "rest"
  | "work"
  | "talk"
  | "wait"
  | "trouble"
  | "money"
  | "life";

/** A stretch of somebody's life. */
export interface Entry {
  kind: EntryKind;
  tone: Tone;
  frame: number;
  /** The first frame in which it is over. */
  endFrame: number;
  from: number;
  until: number;
  /** While it lasts. */
  doing: string;
  /** Once it is over. */
  done: string;
  other?: string;
}

export interface ToldEvent {
  frame: number;
  event: TownEvent;
}

export interface Departure {
  id: string;
  frame: number;
  tick: number;
  reason: string;
  days: number;
}

const USE_KINDS: Record<string, EntryKind> = {
  use_shower: "wash",
  change_clothes: "wash",
  eat_meal: "eat",
  eat_packed: "eat",
  cook_meal: "eat",
  rest_sleep: "sleep",
  buy_groceries: "shop",
  rest_bench: "rest",
};

/** Happenings of a moment that belong into somebody's day; the rest is in the feed. */
const MOMENTS: Record<string, EntryKind> = {
  chat_failure: "trouble",
  shared_meal: "eat",
  queue_conflict: "trouble",
  job_late: "work",
  shift_absent: "work",
  shift_departed_early: "work",
  employment_warning: "work",
  employment_exit_processed: "work",
  employment_helped_when_late: "work",
  rent_paid: "money",
  rent_missed: "money",
  agent_spawned: "life",
  agent_hospitalised: "life",
  agent_near_death: "trouble",
  shower_power_outage: "trouble",
};

/** A break from the counter that is shorter than this is still the same shift. */
const BREAK_TICKS = 25;
/** Waiting that nobody would mention. */
const SHORT_WAIT_TICKS = 5;

interface Life {
  entries: Entry[];
  using: Entry | null;
  /** What of a thing that is: `use_shower`. */
  use: string;
  waiting: Entry | null;
  working: Entry | null;
  paidTicks: number;
  earned: number;
}

const BEGUN: Omit<Life, "entries"> = {
  using: null,
  use: "",
  waiting: null,
  working: null,
  paidTicks: 0,
  earned: NaN,
};

/** A use that a condition forbids is told with the condition first, and then as any that failed. */
function isTheSame(before: TownEvent | undefined, event: TownEvent): boolean {
  if (before?.event !== "affordance_precondition_fail") return false;
  const same = before.agent_id === event.agent_id && before.affordance_id === event.affordance_id;
  return same && event.event === "affordance_fail";
}

export class Chronicle {
  readonly events: ToldEvent[] = [];
  readonly departures: Departure[] = [];
  /** Where each day after the first begins. */
  readonly days: { frame: number; day: number }[] = [];
  #day = -1;
  #lives = new Map<string, Life>();
  #read = 0;

  /** Read the frames that came since. */
  read(frames: readonly Frame[]): void {
    for (; this.#read < frames.length; this.#read++) {
      const frame = frames[this.#read];
      const town = townOf(frame ?? null);
      if (town) this.#take(this.#read, town);
    }
  }

  entriesOf(id: string): readonly Entry[] {
    return this.#lives.get(id)?.entries ?? [];
  }

  #take(frame: number, town: Town): void {
    if (this.#day >= 0 && town.day > this.#day) this.days.push({ frame, day: town.day });
    this.#day = town.day;
    town.events.forEach((event, i) => {
      if (!isTheSame(town.events[i - 1], event)) this.events.push({ frame, event });
      this.#happen(frame, event);
    });
    for (const citizen of town.agents) {
      const life = this.#life(citizen.id);
      this.#wait(life, citizen, frame, town.tick);
      this.#work(life, citizen, frame, town);
    }
  }

  #life(id: string): Life {
    let life = this.#lives.get(id);
    if (!life) {
      life = { ...BEGUN, entries: [] };
      this.#lives.set(id, life);
    }
    return life;
  }

  #happen(frame: number, event: TownEvent): void {
    const id = event.agent_id;
    if (id === undefined) return;
    const life = this.#life(id);
    if (event.event === "affordance_start") this.#begin(life, frame, event);
    else if (event.event === "affordance_finish") this.#end(life, frame, event, null);
    else if (event.event === "affordance_fail") this.#end(life, frame, event, event.reason ?? "");
    else if (event.event === "agent_removed" || event.event === "agent_killed") {
      const { reason = "", days_lived: days = 0, tick } = event;
      this.#leave(life, frame, tick);
      this.departures.push({ id, frame, tick, reason, days });
      const words = capitalised(REASONS[reason] ?? "left");
      life.entries.push(moment("life", "bad", frame, tick, `${words} and left town`));
    } else if (event.event === "chat_success" && event.other_id !== undefined) {
      this.#talk(id, event.other_id, frame, event.tick);
      this.#talk(event.other_id, id, frame, event.tick);
    } else {
      const kind = MOMENTS[event.event];
      if (!kind) return;
      const { text, tone } = tell(event);
      const told = moment(kind, tone, frame, event.tick, text);
      life.entries.push(told);
      if (event.other_id !== undefined) this.#life(event.other_id).entries.push(told);
    }
  }

  #talk(id: string, other: string, frame: number, tick: number): void {
    const told = moment("talk", "good", frame, tick, `Talked with ${nameOf(other)}`);
    this.#life(id).entries.push({ ...told, other });
  }

  /** Nothing goes on in town for whoever is gone. */
  #leave(life: Life, frame: number, tick: number): void {
    if (life.using) this.#stop(life, life.using, frame, tick, because("agent_removed"));
    if (life.waiting) this.#endWait(life, life.waiting, frame, tick + 1);
    life.working = null;
  }

  #begin(life: Life, frame: number, event: TownEvent): void {
    const use = event.affordance_id ?? "";
    const words = doingOf(use);
    life.use = use;
    life.using = {
      ...moment(USE_KINDS[use] ?? "rest", "plain", frame, event.tick, capitalised(words.now)),
      endFrame: Infinity,
    };
    life.entries.push(life.using);
  }

  #end(life: Life, frame: number, event: TownEvent, failed: string | null): void {
    const entry = life.using;
    if (!entry) return;
    this.#stop(life, entry, frame, event.tick, failed === null ? null : because(failed));
  }

  /** What somebody used ends, well or for a reason. */
  #stop(life: Life, entry: Entry, frame: number, tick: number, why: string | null): void {
    const words = doingOf(life.use);
    entry.endFrame = frame;
    // It lasts through the tick in which it ends.
    entry.until = tick + 1;
    entry.tone = why === null ? "good" : "warn";
    entry.done = why === null ? words.done : `Gave up ${words.now}: ${why}`;
    life.using = null;
  }

  #wait(life: Life, citizen: Citizen, frame: number, tick: number): void {
    const entry = life.waiting;
    if (entry && citizen.waiting === null) {
      this.#endWait(life, entry, frame, tick);
    } else if (!entry && citizen.waiting !== null) {
      const words = `Queued for ${thingName(citizen.waiting)}`;
      life.waiting = { ...moment("wait", "plain", frame, tick, words), endFrame: Infinity };
      life.entries.push(life.waiting);
    }
  }

  #endWait(life: Life, entry: Entry, frame: number, tick: number): void {
    entry.endFrame = frame;
    entry.until = tick;
    if (tick - entry.from < SHORT_WAIT_TICKS) life.entries.splice(life.entries.indexOf(entry), 1);
    life.waiting = null;
  }

  /** A shift is the stretch over which wages came in. */
  #work(life: Life, citizen: Citizen, frame: number, { tick, ticks_per_day }: Town): void {
    const { wages_earned: earned, job_id } = citizen.job;
    const wage = earned > life.earned;
    life.earned = earned;
    if (life.working && tick - life.working.until > BREAK_TICKS) life.working = null;
    if (!wage) return;
    if (!life.working) {
      const words = `Works as ${job_id ?? "a hand"}`;
      life.working = moment("work", "good", frame, tick, words);
      life.paidTicks = 0;
      life.entries.push(life.working);
    }
    life.paidTicks += 1;
    life.working.endFrame = frame + 1;
    life.working.until = tick + 1;
    // Who was there all along was paid all along.
    const short = life.working.until - life.working.from > life.paidTicks;
    const paid = short ? `, paid for ${lengthOf(life.paidTicks, ticks_per_day)}` : "";
    life.working.done = `Worked as ${job_id ?? "a hand"}${paid}`;
  }
}

function moment(kind: EntryKind, tone: Tone, frame: number, tick: number, words: string): Entry {
  return { kind, tone, frame, endFrame: frame, from: tick, until: tick, doing: words, done: words };
}

function capitalised(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}

const chronicles = new WeakMap<readonly Frame[], Chronicle>();

/** The chronicle of a replay, as far as it has arrived. */
export function chronicleOf(frames: readonly Frame[]): Chronicle {
  let chronicle = chronicles.get(frames);
  if (!chronicle) {
    chronicle = new Chronicle();
    chronicles.set(frames, chronicle);
  }
  chronicle.read(frames);
  return chronicle;
}
