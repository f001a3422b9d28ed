/** One picture, or two beside each other. */

import type { ReplayAddress } from "../../api/frames";
import type { FrameSource } from "../../player/playback";
import type { MountedScene } from "../../scenes/SceneView";
import { shortRun } from "../../shell/figures";
import type { LoadedReplay } from "./replay";
import { StageView } from "./StageView";

interface Props {
  replays: readonly [LoadedReplay | null, LoadedReplay | null];
  sources: readonly [FrameSource, FrameSource];
  focus: 0 | 1;
  onFocus: (track: 0 | 1) => void;
  onReady: (track: 0 | 1, mounted: MountedScene | null) => void;
}

export function Stages({ replays, sources, focus, onFocus, onReady }: Props) {
  const [first, second] = replays;
  const stage = (track: 0 | 1, replay: LoadedReplay | null) => (
    <StageView
      replay={replay}
      source={sources[track]}
      onReady={(mounted) => onReady(track, mounted)}
      caption={second ? caption(replay?.address ?? null) : null}
      focused={second !== null && focus === track}
      onFocus={() => onFocus(track)}
    />
  );
  return (
    <div className={second ? "stages two" : "stages"}>
      {stage(0, first)}
      {second && stage(1, second)}
    </div>
  );
}

function caption(address: ReplayAddress | null): string {
  return address ? `${shortRun(address.run)} · ${address.replay}` : "";
}
