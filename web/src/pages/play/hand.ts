/** What a player's hand does: an action by key or click, again and again where asked. */

import { useState } from "react";
import type { Session, World } from "../../api/types";
import { useKeys } from "../../shell/keyboard";
import { useNotify } from "../../shell/toasts";
import { actionLabel, actionOfKey } from "./actions_of_world";
import { useAutoRun, type AutoRun } from "./auto_run";
import { useCommand, type Command } from "./command";
import type { Game } from "./session";

export interface Hand {
  /** The last action of a world with one head. */
  selected: number | null;
  take: (action: number) => void;
  /** Orders of a world with several heads; null where an action is a step. */
  command: Command | null;
  auto: AutoRun;
  /** What running on does, in words; null while there is nothing to repeat. */
  repeats: string | null;
}

export function useHand(game: Game, session: Session, world: World, onNew: () => void): Hand {
  const notify = useNotify();
  const several = world.heads.length > 0;
  const command = useCommand(game, session, world, several);
  const [selected, setSelected] = useState<number | null>(null);
  const act = (action: number) => {
    setSelected(action);
    if (!session.over) void game.step(action);
  };
  const auto = useAutoRun(session, {
    again: () => {
      if (several) command.step();
      else if (selected !== null) act(selected);
    },
    possible: ({ legal }) => several || (selected !== null && (legal[0]?.[selected] ?? false)),
    heedsEvents: !several,
  });
  const take = (action: number) => {
    auto.stop();
    act(action);
  };
  useKeys((event) => {
    const action = event.shiftKey || several ? undefined : actionOfKey(world, event.key);
    if (action !== undefined && !session.legal[0]?.[action]) {
      // A slip of the finger must not cost a turn.
      if (!session.over) notify(`${actionLabel(world, action)} is not possible now`, "bad");
    } else if (action !== undefined) take(action);
    else if (event.key === "Enter" && !several && selected !== null) act(selected);
    else if (event.key === " " && several && !session.over) {
      if (auto.running) auto.stop();
      else auto.start();
    } else if (event.key === "n") onNew();
    else if (event.key === "Backspace") {
      auto.stop();
      if (session.can_undo) game.undo();
    } else return false;
    return true;
  });
  const named = selected === null ? null : `Repeat ${actionLabel(world, selected)}`;
  return {
    selected,
    take,
    command: several ? command : null,
    auto,
    repeats: several ? "Run" : named,
  };
}
