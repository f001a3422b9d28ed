/** What happened so far, and what led to what, in truth or as far as one side knew. Grows with the
 * frames, each read once. */

import type { Frame } from "../../api/types";
import type { Battle, BattleEvent } from "./battle";
import { battleOf } from "./reading";
import { seenBattle } from "./seen";
import { plain } from "./words";

export interface Happening {
  frame: number;
  event: BattleEvent;
}

/** A chain of causes longer than this would be a fault in the data, not a story. */
const CHAIN_MAX = 64;

export class Journal {
  readonly happenings: Happening[] = [];
  #byId = new Map<number, Happening>();
  #names = new Map<string, string>();
  #read = 0;

  constructor(private readonly side: string | null) {}

  /** Read the frames that came since. */
  read(frames: readonly Frame[]): void {
    for (; this.#read < frames.length; this.#read++) {
      const battle = battleOf(frames[this.#read] ?? null);
      if (battle) this.#take(this.#read, seenBattle(battle, this.side));
    }
  }

  #take(frame: number, battle: Battle): void {
    for (const ship of battle.ships) this.#names.set(ship.id, ship.name);
    for (const round of battle.rounds) this.#names.set(round.id, `a ${plain(round.weapon)}`);
    for (const event of battle.events) {
      const happening = { frame, event };
      this.happenings.push(happening);
      this.#byId.set(event.id, happening);
    }
  }

  readonly nameOf = (id: string | null): string | null =>
    id === null ? null : (this.#names.get(id) ?? null);

  find(id: number): Happening | null {
    return this.#byId.get(id) ?? null;
  }

  /** From the order or the draw that began it to the event itself. */
  chainOf(id: number): Happening[] {
    const chain: Happening[] = [];
    let next = this.find(id);
    while (next && chain.length < CHAIN_MAX && !chain.includes(next)) {
      chain.unshift(next);
      const { cause, trace } = next.event;
      // What was dropped between the event and its root leaves a gap, not a broken chain.
      next = this.find(cause) ?? (trace === next.event.id ? null : this.find(trace));
    }
    return chain;
  }

  /** What an event led to, directly. */
  ledTo(id: number): Happening[] {
    return this.happenings.filter(({ event }) => event.cause === id);
  }
}

const journals = new WeakMap<readonly Frame[], Map<string | null, Journal>>();

/** The journal of a replay, as far as it has arrived: the true one, or the one a side could keep. */
export function journalOf(frames: readonly Frame[], side: string | null): Journal {
  let kept = journals.get(frames);
  if (!kept) journals.set(frames, (kept = new Map<string | null, Journal>()));
  let journal = kept.get(side);
  if (!journal) kept.set(side, (journal = new Journal(side)));
  journal.read(frames);
  return journal;
}
