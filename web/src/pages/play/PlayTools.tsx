/** The line above the game: which world and seed, and what can be done with the episode. */

import { useState } from "react";
import { play } from "../../api/client";
import { messageOf } from "../../api/errors";
import type { Session, World } from "../../api/types";
import { figure } from "../../shell/figures";
import { Icon } from "../../shell/icons";
import { watchLink } from "../../shell/route";
import { SoundButton, type Sound } from "../../shell/sound";
import { useNotify } from "../../shell/toasts";
import type { Hand } from "./hand";
import type { Game } from "./session";

interface Props {
  game: Game;
  session: Session;
  world: World;
  hand: Hand;
  /** Null where there is nothing to hear. */
  sound: Sound | null;
  onNew: () => void;
}

export function PlayTools(props: Props) {
  const { game, session, world, hand, sound, onNew } = props;
  return (
    <div className="watch-head">
      <div className="replay-line">
        <p className="replay-title">
          {world.title}
          <span className="muted"> · seed {session.seed}</span>
        </p>
        <p className="muted small replay-figures">
          <span>
            return <b>{figure(session.return_total)}</b>
          </span>
          <span>
            <b>{session.steps}</b> {session.steps === 1 ? "step" : "steps"}
          </span>
          <span>
            <b>{session.ticks}</b> {session.ticks === 1 ? "tick" : "ticks"}
          </span>
        </p>
      </div>
      <div className="watch-tools">
        <button
          type="button"
          disabled={!session.can_undo || game.busy}
          title="Undo (Backspace)"
          onClick={() => {
            hand.auto.stop();
            game.undo();
          }}
        >
          <Icon name="undo" /> <span className="tool-text">Undo</span>
        </button>
        {hand.command && (
          <button
            type="button"
            disabled={session.over || game.busy}
            title="Give the orders of one step (Enter)"
            onClick={hand.command.step}
          >
            <Icon name="next" /> <span className="tool-text">Step</span>
          </button>
        )}
        <AutoButton hand={hand} over={session.over} />
        <SaveButton session={session} />
        {sound && <SoundButton sound={sound} />}
        <button
          type="button"
          onClick={() => game.reset(session.seed)}
          disabled={session.steps === 0}
          title="The same seed from its beginning"
        >
          Restart
        </button>
        <button type="button" onClick={onNew} title="Another world, seed or settings (n)">
          New game
        </button>
        <button type="button" onClick={game.end} title="Leave the game">
          End
        </button>
      </div>
    </div>
  );
}

interface AutoProps {
  hand: Hand;
  over: boolean;
}

function AutoButton({ hand, over }: AutoProps) {
  const { auto, repeats } = hand;
  const label = repeats ?? "Repeat";
  return (
    <span className="auto-run">
      <button
        type="button"
        aria-pressed={auto.running}
        disabled={repeats === null || over}
        title={
          hand.command
            ? "Step after step with the orders given (Space)"
            : "Take the selected action again until something happens"
        }
        onClick={auto.running ? auto.stop : auto.start}
      >
        <Icon name={auto.running ? "pause" : "start"} />
        <span className="auto-label tool-text">{auto.running ? "Stop" : label}</span>
      </button>
      <label>
        <span className="visually-hidden">Steps a second</span>
        <select value={auto.rate} onChange={(event) => auto.setRate(Number(event.target.value))}>
          {[1, 2, 4, 6, 10].map((rate) => (
            <option key={rate} value={rate}>
              {rate}/s
            </option>
          ))}
        </select>
      </label>
    </span>
  );
}

export function SaveButton({ session }: { session: Session }) {
  const notify = useNotify();
  const [saved, setSaved] = useState<{ at: string; link: string } | null>(null);
  const [busy, setBusy] = useState(false);
  const at = `${session.session_id} ${session.seed} ${session.steps}`;
  const save = async () => {
    setBusy(true);
    try {
      const kept = await play.save(session.session_id);
      setSaved({ at, link: watchLink(kept.run_id, kept.replay_id) });
      notify("Saved as a replay", "good");
    } catch (error) {
      notify(messageOf(error), "bad");
    } finally {
      setBusy(false);
    }
  };
  if (saved?.at === at) {
    return (
      <a className="button" href={saved.link}>
        <Icon name="watch" /> Watch it
      </a>
    );
  }
  return (
    <button type="button" disabled={session.steps === 0 || busy} onClick={() => void save()}>
      <Icon name="save" /> <span className="tool-text">Save</span>
    </button>
  );
}
