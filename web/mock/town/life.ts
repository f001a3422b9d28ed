/** A town that lives by rules of thumb: enough to be drawn and told, in the shape of the real one. */

import type { Frame } from "../../src/api/types";
import type { Citizen, Place, Thing, TownEvent } from "../../src/scenes/townlet/town";
import { JOBS, resident } from "./residents";
import { toldCitizen, toldThing } from "./telling";
import { defaultThings } from "./things";

const DAY = 1000;
const DECAY = { hunger: 0.0012, hygiene: 0.0009, energy: 0.0016 };
/** What each option does, and where. */
const USES: Record<string, { type: string; affordance: string }> = {
  GetFed: { type: "fridge", affordance: "eat_meal" },
  GetClean: { type: "shower", affordance: "use_shower" },
  Sleep: { type: "bed", affordance: "rest_sleep" },
};
const TICKS: Record<string, number> = { eat_meal: 15, use_shower: 30, rest_sleep: 60 };
const EFFECTS: Record<string, [keyof typeof DECAY, number]> = {
  eat_meal: ["hunger", 0.4],
  use_shower: ["hygiene", 0.45],
  rest_sleep: ["energy", 0.8],
};
const BLACKOUT = [300, 345] as const;
const FAREWELL = 480;
const ARRIVAL = 494;

export class MadeUpTown {
  tick = 0;
  readonly things: Thing[] = defaultThings();
  people: Citizen[];
  #events: TownEvent[] = [];
  #seq = 0;
  #chatted = new Map<string, number>();

  constructor(seats = 8) {
    this.people = Array.from({ length: seats }, (_, seat) => resident(seat));
  }

  frames(count: number): Frame[] {
    return Array.from({ length: count }, (_, i) => this.#frame(i));
  }

  get #tod(): number {
    return this.tick % DAY;
  }

  get #power(): boolean {
    return this.tick < BLACKOUT[0] || this.tick >= BLACKOUT[1];
  }

  #tell(event: string, citizen: Citizen | null, more: Partial<TownEvent> = {}): void {
    const who = citizen ? { agent_id: citizen.id, seat: citizen.seat } : {};
    this.#events.push({ event, tick: this.tick, seq: this.#seq++, ...who, ...more });
  }

  #frame(index: number): Frame {
    this.#events = [];
    for (const citizen of this.people) this.#live(citizen);
    this.#city();
    this.tick += 1;
    const terms = this.people.map(({ needs }) => ({
      survival: 0.002,
      needs_penalty: -0.01 * ((1 - needs.hunger) ** 2 + (1 - needs.hygiene) ** 2),
      wage: 0,
      shaping: -0.0004,
    }));
    return {
      schema_version: 1,
      frame_index: index,
      t: this.tick,
      dt: 1,
      action: this.people.map(() => [0]),
      reward: terms.map((row) => Object.values(row).reduce((a, b) => a + b, 0)),
      terminated: this.people.map(() => false),
      truncated: this.people.map(() => false),
      render_state: structuredClone(this.portrait()),
      events: [],
      terms,
    };
  }

  portrait() {
    return {
      tick: this.tick,
      day: Math.floor(this.tick / DAY),
      tod: this.#tod,
      ground: { size: [48, 48], ticks_per_day: DAY, bus_stop: [1, 24], jobs: {} },
      agents: Object.fromEntries(this.people.map((one) => [one.id, toldCitizen(one)])),
      objects: Object.fromEntries(this.things.map((one) => [one.id, toldThing(one)])),
      prices: { meal_cost: 0.4, ingredients_cost: 0.15, shower_cost: 0.2 },
      utilities: { power: this.#power, water: true },
      perturbations: this.#power
        ? {}
        : { evt_1: { spec: "blackout", kind: "blackout", ends: BLACKOUT[1] } },
      events: this.#events,
    };
  }

  /** One leaves, one comes, and the power fails once. */
  #city(): void {
    if (this.tick === BLACKOUT[0]) this.#tell("perturbation_blackout", null, {});
    if (this.tick === BLACKOUT[1]) this.#tell("perturbation_ended", null, {});
    const leaver = this.people.at(-1);
    if (this.tick === FAREWELL && leaver) {
      this.#release(leaver);
      this.#tell("agent_removed", leaver, { reason: "eviction", days_lived: 0.5 });
      this.people = this.people.slice(0, -1);
    }
    if (this.tick === ARRIVAL) {
      const newcomer = resident(this.people.length, 1, this.people.length + 9);
      this.people = [...this.people, newcomer];
      this.#tell("agent_spawned", newcomer, {});
    }
  }

  #live(citizen: Citizen): void {
    for (const need of ["hunger", "hygiene", "energy"] as const) {
      citizen.needs[need] = Math.max(0, citizen.needs[need] - DECAY[need]);
    }
    if (citizen.running) return this.#go(citizen);
    citizen.option = this.#choose(citizen);
    const use = USES[citizen.option];
    if (use) this.#seek(citizen, use.type, use.affordance);
    else if (citizen.option === "GoToWork") this.#work(citizen);
    else this.#mingle(citizen);
  }

  #choose(citizen: Citizen): string {
    const job = JOBS.find((one) => one.id === citizen.job.job_id);
    const { hunger, hygiene, energy } = citizen.needs;
    if (citizen.waiting || citizen.holding) return citizen.option;
    if (job && this.#tod >= job.start - 40 && this.#tod < job.end) return "GoToWork";
    if (energy < 0.4) return "Sleep";
    if (hunger < 0.55) return "GetFed";
    if (hygiene < 0.55) return "GetClean";
    return this.#tod > 780 ? "GoHome" : "Socialise";
  }

  #go(citizen: Citizen): void {
    const affordance = citizen.running ?? "";
    const object_id = citizen.holding ?? "";
    if (!this.#power && affordance === "use_shower") {
      this.#tell("affordance_fail", citizen, {
        object_id,
        affordance_id: affordance,
        reason: "power_off",
      });
      return this.#release(citizen);
    }
    if (this.tick < citizen.runs_until) return;
    const [need, gain] = EFFECTS[affordance] ?? ["hunger", 0];
    citizen.needs[need] = Math.min(1, citizen.needs[need] + gain);
    this.#tell("affordance_finish", citizen, { object_id, affordance_id: affordance });
    if (affordance === "rest_sleep") this.#tell("sleep_complete", citizen, { object_id });
    this.#release(citizen);
  }

  #release(citizen: Citizen): void {
    citizen.running = citizen.holding = citizen.waiting = null;
    citizen.runs_until = 0;
    for (const thing of this.things) {
      thing.queue = thing.queue.filter((id) => id !== citizen.id);
      if (thing.holder === citizen.id) thing.holder = null;
    }
  }

  #seek(citizen: Citizen, type: string, affordance: string): void {
    const mine = citizen.holding ?? citizen.waiting;
    const kind = this.things.filter((thing) => thing.type === type);
    const near = kind.toSorted((a, b) => burden(a, citizen) - burden(b, citizen))[0];
    const thing = this.things.find((one) => one.id === mine) ?? near;
    if (!thing) return;
    if (thing.holder === null && (thing.queue[0] ?? citizen.id) === citizen.id) {
      thing.holder = citizen.id;
      thing.queue = thing.queue.slice(1);
      [citizen.holding, citizen.waiting] = [thing.id, null];
    } else if (thing.holder !== citizen.id && !thing.queue.includes(citizen.id)) {
      if (distance(citizen.position, thing.position) <= 3) {
        thing.queue = [...thing.queue, citizen.id];
        citizen.waiting = thing.id;
      }
    }
    const place = Math.max(0, thing.queue.indexOf(citizen.id));
    const spot: Place = [
      thing.position[0],
      thing.position[1] + 1 + (citizen.waiting ? place + 1 : 0),
    ];
    this.#walk(citizen, spot);
    if (thing.holder !== citizen.id || distance(citizen.position, spot) > 0) return;
    citizen.running = affordance;
    citizen.runs_from = this.tick;
    citizen.runs_until = this.tick + (TICKS[affordance] ?? 20);
    this.#tell("affordance_start", citizen, { object_id: thing.id, affordance_id: affordance });
    if (type === "fridge") thing.stock["meals"] = Math.max(0, (thing.stock["meals"] ?? 0) - 1);
  }

  #work(citizen: Citizen): void {
    const job = JOBS.find((one) => one.id === citizen.job.job_id);
    if (!job) return;
    this.#walk(citizen, [job.site[0] + (citizen.seat % 3) - 1, job.site[1]]);
    const there = distance(citizen.position, job.site) <= 3;
    const began = this.#tod >= job.start;
    citizen.job.shift_state = !began ? "await" : there ? "ontime" : "late";
    if (began && there) {
      citizen.wallet += job.wage;
      citizen.job.wages_earned += job.wage;
    }
    if (this.#tod === job.end - 1) citizen.job.shift_state = "post";
  }

  #mingle(citizen: Citizen): void {
    const home = citizen.option === "GoHome";
    const bench: Place = [23 + (citizen.seat % 5), 37 + (citizen.seat % 2)];
    this.#walk(citizen, home ? [4 + 4 * citizen.seat, 5] : bench);
    const other = this.people.find(
      (one) => one.id !== citizen.id && distance(one.position, citizen.position) <= 2,
    );
    const ready = this.tick - (this.#chatted.get(citizen.id) ?? -99) >= 30;
    if (!other || !ready || home) return;
    this.#chatted.set(citizen.id, this.tick);
    const well = (this.tick + citizen.seat) % 4 !== 0;
    this.#tell(well ? "chat_success" : "chat_failure", citizen, { other_id: other.id });
  }

  #walk(citizen: Citizen, to: Place): void {
    const [x, y] = citizen.position;
    const [dx, dy] = [Math.sign(to[0] - x), Math.sign(to[1] - y)];
    const along = dx !== 0 && (dy === 0 || (x + y + citizen.seat) % 2 === 0);
    citizen.position = along ? [x + dx, y] : [x, y + dy];
  }
}

function distance(a: Place, b: Place): number {
  return Math.abs(a[0] - b[0]) + Math.abs(a[1] - b[1]);
}

function burden(thing: Thing, citizen: Citizen): number {
  const busy = thing.holder === null || thing.holder === citizen.id ? 0 : 1;
  const own = thing.type === "bed" ? Math.abs(thing.position[0] - 4 - 4 * citizen.seat) * 50 : 0;
  return distance(thing.position, citizen.position) + 12 * (busy + thing.queue.length) + own;
}
