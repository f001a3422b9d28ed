/** The hand on several heads: orders are set by key or click, and a step sends all of them. */

import { useEffect, useRef, useState } from "react";
import type { Session, World } from "../../api/types";
import { useKeys } from "../../shell/keyboard";
import { useNotify } from "../../shell/toasts";
import {
  afterStep,
  mayChoose,
  orderOfKey,
  ordersAtRest,
  possible,
  withChoice,
  type Orders,
} from "./orders";
import type { Game } from "./session";

export interface Command {
  orders: Orders;
  choose: (head: number, choice: number) => void;
  step: () => void;
}

/** `active` is false for worlds of one head, where an action is a step. */
export function useCommand(game: Game, session: Session, world: World, active: boolean): Command {
  const notify = useNotify();
  const [orders, setOrders] = useState<Orders>(() => ordersAtRest(world));
  const latest = useRef(orders);
  useEffect(() => {
    latest.current = orders;
  });
  // Another game begins with a ship whose orders nobody has given yet.
  const begun = session.steps === 0;
  useEffect(() => {
    if (begun) setOrders(ordersAtRest(world));
  }, [begun, world, session.seed]);

  const choose = (head: number, choice: number) => {
    const told = world.heads[head];
    if (!told || !mayChoose(told, session.legal[head] ?? [], choice)) {
      notify(`${told?.title ?? "This"}: not possible now`, "bad");
      return;
    }
    setOrders(withChoice(latest.current, head, choice));
  };
  const step = () => {
    if (session.over) return;
    const sent = latest.current;
    void game.step([possible(world, sent, session.legal)]).then((taken) => {
      // What was chosen while the answer was under way is for the next step.
      if (taken) setOrders((now) => (now === sent ? afterStep(world, sent) : now));
    });
  };
  useKeys((event) => {
    if (!active || event.shiftKey) return false;
    if (event.key === "Enter") {
      step();
      return true;
    }
    const pressed = orderOfKey(world, latest.current, session.legal, event.key);
    if (!pressed) return false;
    choose(pressed.head, pressed.choice);
    return true;
  });
  return { orders, choose, step };
}
