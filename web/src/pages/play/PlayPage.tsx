import { useEffect, useState } from "react";
import type { World } from "../../api/types";
import { formatRoute, replaceRoute, useRoute } from "../../shell/route";
import { Empty, Failed, Loading } from "../../shell/states";
import { useWorlds, worldById } from "../../shell/worlds";
import { arrivalOf } from "./arrival";
import { useGame } from "./session";
import { StartForm } from "./StartForm";
import { Table } from "./Table";
import "../../styles/watch.css";
import "../../styles/play.css";

export default function PlayPage() {
  const worlds = useWorlds();
  if (!worlds.value) {
    if (worlds.error !== null) return <Failed error={worlds.error} retry={worlds.reload} />;
    return <Loading what="worlds" />;
  }
  const playable = worlds.value.filter((world) => world.playable);
  if (playable.length === 0) {
    return <Empty title="This server has no world with an action space made for hands." />;
  }
  return <Playroom playable={playable} />;
}

function Playroom({ playable }: { playable: World[] }) {
  const { params } = useRoute();
  const worlds = useWorlds();
  const [wanted] = useState(() => arrivalOf(params, playable));
  const game = useGame(wanted);
  const world = worldById(worlds, game.session?.world);
  const seed = game.session?.seed ?? null;
  // The address is a link to the same game, for a friend or for a reload.
  useEffect(() => {
    if (world && seed !== null) replaceRoute(formatRoute("play", { world: world.id, seed }));
  }, [world, seed]);

  if (game.session && world) {
    return <Table game={game} session={game.session} world={world} playable={playable} />;
  }
  if (!game.ended && game.error === null) return <Loading what="the game" />;
  return (
    <div className="start-page">
      {game.error !== null && <Failed error={game.error} />}
      <h1>Take the controls</h1>
      <p className="muted">
        The same world the policies learn in, one step at a time, by your hand.
      </p>
      <StartForm worlds={playable} first={wanted.world} busy={game.busy} onStart={game.start} />
    </div>
  );
}
