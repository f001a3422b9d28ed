/** The game on the table: its picture, its actions, its state. */

import { useEffect, useState } from "react";
import type { Session, World } from "../../api/types";
import { frameOfSession } from "../../player/reel";
import { Gauges } from "../../scenes/Hud";
import { SceneView, type MountedScene } from "../../scenes/SceneView";
import { Dialog } from "../../shell/Dialog";
import { useKeys } from "../../shell/keyboard";
import { useSound, useStepCues } from "../../shell/sound";
import { useNotify } from "../../shell/toasts";
import { Actions } from "./Actions";
import { actionLabel, actionOfKey } from "./actions_of_world";
import { useAutoRun } from "./auto_run";
import { Guidance } from "./Guidance";
import { OutcomeScreen } from "./OutcomeScreen";
import { PlayRail } from "./PlayRail";
import { PlayTools } from "./PlayTools";
import type { Game } from "./session";
import { StartForm } from "./StartForm";

interface Props {
  game: Game;
  session: Session;
  world: World;
  playable: World[];
}

export function Table({ game, session, world, playable }: Props) {
  const [mounted, setMounted] = useState<MountedScene | null>(null);
  const [outcomeOpen, setOutcomeOpen] = useState(true);
  const [choosing, setChoosing] = useState(false);
  const hand = useHand(game, session, world, () => setChoosing(true));
  const sound = useSound();
  useStepCues(sound, mounted?.module ?? null, session.frame);
  useEffect(() => setOutcomeOpen(true), [session.over]);
  const frame = frameOfSession(session);

  return (
    <>
      <h1 className="visually-hidden">Play {world.title}</h1>
      <PlayTools
        game={game}
        session={session}
        world={world}
        auto={hand.auto}
        selected={hand.selected}
        sound={mounted?.module.cues ? sound : null}
        onNew={() => setChoosing(true)}
      />
      <div className="watch play">
        <div className="theatre">
          <div className="stage">
            <SceneView
              sceneName={world.scene}
              words={world}
              human
              source={game.reel}
              label={`${world.title}, step ${session.steps}`}
              onReady={setMounted}
            />
            {/* On a phone the rail is far below the actions; it tells all this to screen readers. */}
            <div className="stage-gauges" aria-hidden="true">
              <Gauges module={mounted?.module ?? null} frame={frame} words={world} />
            </div>
          </div>
          <Guidance world={world} />
          <Actions
            world={world}
            legal={(action) => session.legal[0]?.[action] ?? false}
            selected={hand.selected}
            disabled={session.over}
            hint={(action) => mounted?.module.hint?.(frame, action) ?? null}
            onAct={hand.take}
          />
        </div>
        <PlayRail session={session} world={world} mounted={mounted} reel={game.reel} />
      </div>
      <OutcomeScreen
        open={session.over && outcomeOpen}
        session={session}
        world={world}
        onAgain={() => game.reset(session.seed)}
        onNew={() => game.reset()}
        onClose={() => setOutcomeOpen(false)}
      />
      <Dialog title="New game" open={choosing} onClose={() => setChoosing(false)}>
        <StartForm
          worlds={playable}
          first={world.id}
          busy={game.busy}
          onStart={(body) => {
            setChoosing(false);
            game.start(body);
          }}
        />
      </Dialog>
    </>
  );
}

/** What a player's hand does: an action by key or click, again and again where asked. */
function useHand(game: Game, session: Session, world: World, onNew: () => void) {
  const notify = useNotify();
  const [selected, setSelected] = useState<number | null>(null);
  const act = async (action: number): Promise<boolean> => {
    setSelected(action);
    return session.over ? false : game.step(action);
  };
  const auto = useAutoRun(act, session, selected);
  const take = (action: number) => {
    auto.stop();
    void act(action);
  };
  useKeys((event) => {
    const action = event.shiftKey ? undefined : actionOfKey(world, event.key);
    if (action !== undefined && !session.legal[0]?.[action]) {
      // A slip of the finger must not cost a turn.
      if (!session.over) notify(`${actionLabel(world, action)} is not possible now`, "bad");
    } else if (action !== undefined) take(action);
    else if (event.key === "Enter" && selected !== null) void act(selected);
    else if (event.key === "n") onNew();
    else if (event.key === "Backspace") {
      auto.stop();
      if (session.can_undo) game.undo();
    } else return false;
    return true;
  });
  return { selected, auto, take };
}
