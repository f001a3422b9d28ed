/** One replay's picture, or why there is none yet. */

import { useMemo } from "react";
import { api } from "../../api/client";
import { SAMPLE_RUN } from "../../api/sample";
import type { FrameSource } from "../../player/playback";
import type { Words } from "../../scenes/scene";
import { SceneView, type MountedScene } from "../../scenes/SceneView";
import { useResource } from "../../shell/resource";
import { Empty, Failed, Loading } from "../../shell/states";
import { sceneName, useWorlds, worldById } from "../../shell/worlds";
import type { LoadedReplay } from "./replay";

const NO_WORDS: Words = { obs_names: [], action_names: [], agents: [] };

/** Which world a replay is of. The run knows it at once, the timeline only after reading the file. */
function useWorldId(replay: LoadedReplay | null): string | null {
  const run = useResource(replay && `run ${replay.address.run}`, (signal) =>
    api.run(replay?.address.run ?? "", signal),
  );
  const named = run.value?.metadata["world"];
  if (typeof named === "string") return named;
  return replay?.timeline.value?.header.world ?? null;
}

export function useWords(replay: LoadedReplay | null): Words {
  const worlds = useWorlds();
  const id = useWorldId(replay);
  const world = worldById(worlds, id);
  const header = replay?.timeline.value?.header ?? null;
  // The replay's own words win only where the server does not know the world any more: the scene
  // is made anew when words change.
  return useMemo(() => world ?? header ?? NO_WORDS, [world, header]);
}

interface Props {
  replay: LoadedReplay | null;
  source: FrameSource;
  caption: string | null;
  focused: boolean;
  onFocus: () => void;
  onReady: (mounted: MountedScene | null) => void;
}

export function StageView({ replay, source, caption, focused, onFocus, onReady }: Props) {
  const worlds = useWorlds();
  const world = useWorldId(replay);
  const words = useWords(replay);
  const waitsForWords = words === NO_WORDS && replay?.timeline.error === null;
  const drawable =
    replay !== null && world !== null && !(worlds.loading && !worlds.value) && !waitsForWords;
  return (
    <figure className={focused ? "stage focused" : "stage"}>
      {replay?.error != null && replay.length === 0 ? (
        <Failed error={replay.error} retry={replay.retry} />
      ) : drawable ? (
        <SceneView
          sceneName={sceneName(worlds, world)}
          words={words}
          human={replay.entry.value?.tags.includes("human") ?? false}
          source={source}
          label={`Picture of the replay${replay.address.run === SAMPLE_RUN ? ", a bundled sample" : ""}`}
          onReady={onReady}
        />
      ) : replay === null ? (
        <Empty title="Choose a replay above." />
      ) : (
        <Loading what="the replay" />
      )}
      {replay?.error != null && replay.length > 0 && (
        <p className="stage-note" role="alert">
          The rest did not load ({replay.length} frames are here).{" "}
          <button type="button" className="link" onClick={replay.retry}>
            Go on
          </button>
        </p>
      )}
      {caption !== null && (
        <figcaption>
          <button type="button" className="quiet" aria-pressed={focused} onClick={onFocus}>
            {caption}
          </button>
        </figcaption>
      )}
    </figure>
  );
}
