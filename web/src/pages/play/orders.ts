/** Orders for several heads at once: some stay as they are set, some hold for one step. Pure. */

import type { Head, World } from "../../api/types";

export type Orders = readonly number[];

export function ordersAtRest(world: World): Orders {
  return world.heads.map((head) => head.rest);
}

export function withChoice(orders: Orders, head: number, choice: number): Orders {
  return orders.map((one, at) => (at === head ? choice : one));
}

/** The next possible choice in a direction; a long list goes round, a lever ends. */
export function beside(
  head: Head,
  legal: readonly boolean[],
  choice: number,
  by: 1 | -1,
  round: boolean,
): number {
  const count = head.labels.length;
  for (let steps = 1; steps <= count; steps++) {
    const at = choice + by * steps;
    if (!round && (at < 0 || at >= count)) return choice;
    const found = ((at % count) + count) % count;
    if (legal[found]) return found;
  }
  return choice;
}

/** What is sent: a choice that is not possible now is left out, and tried again if it lasts. */
export function possible(world: World, orders: Orders, legal: readonly boolean[][]): number[] {
  return orders.map((choice, at) => {
    if (legal[at]?.[choice]) return choice;
    const rest = world.heads[at]?.rest ?? 0;
    return legal[at]?.[rest] ? rest : 0;
  });
}

/** Whether a choice may be made: a standing order waits for its moment, others are for now. */
export function mayChoose(head: Head, legal: readonly boolean[], choice: number): boolean {
  return (legal[choice] ?? false) || (head.lasting && head.labels.length === 2);
}

/** After a step: what lasts stays, the rest was done. */
export function afterStep(world: World, orders: Orders): Orders {
  return orders.map((choice, at) => {
    const head = world.heads[at];
    return head && !head.lasting ? head.rest : choice;
  });
}

export interface Pressed {
  head: number;
  choice: number;
}

/** What a key sets, if any head answers to it. A key for what is set already takes it back. */
export function orderOfKey(
  world: World,
  orders: Orders,
  legal: readonly boolean[][],
  key: string,
): Pressed | null {
  const lower = key.toLowerCase();
  for (const [at, head] of world.heads.entries()) {
    const now = orders[at] ?? head.rest;
    const direct = head.hotkeys[lower];
    if (direct !== undefined) return { head: at, choice: now === direct ? head.rest : direct };
    const by = head.more === lower ? 1 : head.less === lower ? -1 : null;
    if (by === null) continue;
    // A lever has two keys and ends; what has only one goes round, and so does a long list.
    const round = head.less === null || head.labels.length > 8;
    return { head: at, choice: beside(head, legal[at] ?? [], now, by, round) };
  }
  return null;
}
