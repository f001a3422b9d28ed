/** What one can do with a replay besides playing it. */

import type { Transport } from "../../api/frames";
import * as clocks from "../../player/clock";
import type { LockstepMode } from "../../player/lockstep";
import type { Playback } from "../../player/playback";
import type { Scene } from "../../scenes/scene";
import { Icon } from "../../shell/icons";
import { SoundButton, type Sound } from "../../shell/sound";
import { useNotify } from "../../shell/toasts";
import { writeAddress, type WatchAddress } from "./address";
import { ExportMenu } from "./ExportMenu";

interface Props {
  address: WatchAddress;
  clock: clocks.ClockState;
  playback: Playback;
  scene: Scene | null;
  onBeside: () => void;
  onAlone: () => void;
  onChange: (change: Partial<WatchAddress>) => void;
  /** Null where there is nothing to hear. */
  sound: Sound | null;
}

export function WatchTools(props: Props) {
  const { address, clock, playback, scene, onBeside, onAlone, onChange, sound } = props;
  const notify = useNotify();
  const copyLink = async () => {
    const hash = writeAddress({ ...address, frame: clocks.frameIndex(playback.clock) });
    const link = window.location.href.replace(/#.*$/, "") + hash;
    try {
      await navigator.clipboard.writeText(link);
      notify("Link to this frame copied");
    } catch {
      window.location.hash = hash;
      notify("The address bar holds the link to this frame");
    }
  };
  return (
    <div className="watch-tools">
      {address.beside ? (
        <>
          <label className="field-inline">
            <span className="visually-hidden">Keep in step by</span>
            <select
              value={address.mode}
              onChange={(event) => onChange({ mode: event.target.value as LockstepMode })}
            >
              <option value="steps">Same step</option>
              <option value="ticks">Same tick</option>
            </select>
          </label>
          <button type="button" onClick={onAlone}>
            <Icon name="close" /> <span className="tool-text">One only</span>
          </button>
        </>
      ) : (
        <button type="button" onClick={onBeside} disabled={!address.replay}>
          <Icon name="split" /> <span className="tool-text">Beside</span>
        </button>
      )}
      <button type="button" onClick={() => void copyLink()} disabled={!address.replay}>
        <Icon name="link" /> <span className="tool-text">Link</span>
      </button>
      <ExportMenu
        scene={scene}
        playback={playback}
        clock={clock}
        name={address.replay?.replay ?? "replay"}
      />
      {sound && <SoundButton sound={sound} />}
      <label className="field-inline">
        <span className="visually-hidden">Transport</span>
        <select
          title="How frames come from the server"
          value={address.transport}
          onChange={(event) => onChange({ transport: event.target.value as Transport })}
        >
          <option value="http">HTTP</option>
          <option value="ws">WebSocket</option>
        </select>
      </label>
    </div>
  );
}
