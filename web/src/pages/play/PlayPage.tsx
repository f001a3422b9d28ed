import { useEffect, useState } from "react";
import { SceneView, type MountedScene } from "../../scenes/SceneView";
import type { Session, World } from "../../api/types";
import { useSound, useStepCues } from "../../shell/sound";
import { useKeys } from "../../shell/keyboard";
import { Empty, Failed, Loading } from "../../shell/states";
import { useWorlds, worldById } from "../../shell/worlds";
import { Actions } from "./Actions";
import { actionOfKey } from "./actions_of_world";
import { useAutoRun } from "./auto_run";
import { Guidance } from "./Guidance";
import { OutcomeScreen } from "./OutcomeScreen";
import { PlayRail } from "./PlayRail";
import { useGame, type Game } from "./session";
import { StartForm } from "./StartForm";
import { PlayTools } from "./PlayTools";
import "../../styles/watch.css";
import "../../styles/play.css";

export default function PlayPage() {
  const worlds = useWorlds();
  const game = useGame();
  const playable = worlds.value?.filter((world) => world.playable) ?? [];
  const world = worldById(worlds, game.session?.world);
  if (worlds.error !== null && !worlds.value) {
    return <Failed error={worlds.error} retry={worlds.reload} />;
  }
  if (!worlds.value || (!game.session && !game.idle && game.error === null)) {
    return <Loading what="worlds" />;
  }
  if (playable.length === 0) {
    return <Empty title="This server has no world with an action space made for hands." />;
  }
  if (game.session && world) return <Table game={game} session={game.session} world={world} />;
  return (
    <>
      {game.error !== null && <Failed error={game.error} />}
      <StartForm worlds={playable} busy={game.busy} onStart={game.start} />
    </>
  );
}

interface TableProps {
  game: Game;
  session: Session;
  world: World;
}

function Table({ game, session, world }: TableProps) {
  const [mounted, setMounted] = useState<MountedScene | null>(null);
  const [selected, setSelected] = useState<number | null>(null);
  const [outcomeOpen, setOutcomeOpen] = useState(true);
  const legal = (action: number) => session.legal[0]?.[action] ?? false;
  useEffect(() => setOutcomeOpen(true), [session.over]);

  const act = async (action: number): Promise<boolean> => {
    setSelected(action);
    if (session.over) return false;
    return game.step(action);
  };
  const auto = useAutoRun(act, session, selected);
  const sound = useSound();
  useStepCues(sound, session.frame);
  useKeys((event) => {
    if (event.key === "Backspace") {
      auto.stop();
      if (session.can_undo) game.undo();
      return true;
    }
    if (event.key === "Enter" && selected !== null) {
      void act(selected);
      return true;
    }
    const action = event.shiftKey ? undefined : actionOfKey(world, event.key);
    if (action === undefined) return false;
    auto.stop();
    void act(action);
    return true;
  });

  return (
    <>
      <h1 className="visually-hidden">Play {world.title}</h1>
      <PlayTools
        game={game}
        session={session}
        world={world}
        auto={auto}
        selected={selected}
        sound={sound}
      />
      <Guidance world={world} />
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
            {session.over && outcomeOpen && (
              <OutcomeScreen
                session={session}
                world={world}
                onAgain={() => game.reset(session.seed)}
                onNew={() => game.reset()}
                onClose={() => setOutcomeOpen(false)}
              />
            )}
          </div>
          <Actions
            world={world}
            legal={legal}
            selected={selected}
            disabled={session.over}
            onAct={(action) => {
              auto.stop();
              void act(action);
            }}
          />
        </div>
        <PlayRail session={session} world={world} mounted={mounted} reel={game.reel} />
      </div>
    </>
  );
}
