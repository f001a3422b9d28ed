/** The game on the table: its picture, its actions, its state. */

import { useEffect, useState } from "react";
import type { Session, World } from "../../api/types";
import { frameOfSession } from "../../player/reel";
import { Gauges } from "../../scenes/Hud";
import { SceneView, type MountedScene } from "../../scenes/SceneView";
import { Dialog } from "../../shell/Dialog";
import { useSound, useStepCues } from "../../shell/sound";
import { Actions } from "./Actions";
import { Guidance } from "./Guidance";
import { useHand } from "./hand";
import { Helm } from "./Helm";
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
        hand={hand}
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
          {hand.command ? (
            <Helm
              world={world}
              orders={hand.command.orders}
              legal={session.legal}
              disabled={session.over}
              words={(head, choice) =>
                mounted?.module.choiceWords?.(frame, world, head, choice) ?? null
              }
              onChoose={hand.command.choose}
            />
          ) : (
            <Actions
              world={world}
              legal={(action) => session.legal[0]?.[action] ?? false}
              selected={hand.selected}
              disabled={session.over}
              hint={(action) => mounted?.module.hint?.(frame, action) ?? null}
              onAct={hand.take}
            />
          )}
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
