/** Beside the game: the ship's state, what the last step did, and all figures on demand. */

import type { Session, World } from "../../api/types";
import { toneOf } from "../../player/keyframes";
import { choicesOf, spoken, termsOf } from "../../player/reading";
import { frameOfSession, type Reel } from "../../player/reel";
import { Facts, Gauges } from "../../scenes/Hud";
import { MinimapView } from "../../scenes/MinimapView";
import type { MountedScene } from "../../scenes/SceneView";
import { figure, signed } from "../../shell/figures";
import { actionLabel } from "./actions_of_world";

interface Props {
  session: Session;
  world: World;
  mounted: MountedScene | null;
  reel: Reel;
}

export function PlayRail({ session, world, mounted, reel }: Props) {
  const frame = frameOfSession(session);
  return (
    <aside className="inspector panel" aria-label="State">
      <div className="inspector-top">
        {mounted?.scene.minimap && <MinimapView scene={mounted.scene} source={reel} />}
        <Gauges module={mounted?.module ?? null} frame={frame} words={world} />
      </div>
      <LastStep session={session} world={world} />
      <div className="rail-raw">
        <Facts module={mounted?.module ?? null} frame={frame} words={world} />
      </div>
      {session.frame && (
        <details className="rail-raw">
          <summary>All figures</summary>
          <dl className="facts">
            {Object.entries(session.info).map(([name, value]) => (
              <div key={name}>
                <dt>{name.replaceAll("_", " ")}</dt>
                <dd>{typeof value === "number" ? figure(value) : String(value)}</dd>
              </div>
            ))}
          </dl>
        </details>
      )}
    </aside>
  );
}

/** The action, or of several heads those that were not left alone. */
function doneWords(world: World, choices: readonly number[]): string {
  if (world.heads.length === 0) return actionLabel(world, choices[0] ?? 0);
  return world.heads
    .flatMap((head, at) => {
      const choice = choices[at] ?? head.rest;
      if (choice === head.rest && at > 1) return [];
      return [`${head.title} ${(head.labels[choice] ?? "").toLowerCase()}`];
    })
    .join(", ");
}

function LastStep({ session, world }: { session: Session; world: World }) {
  const frame = session.frame;
  if (!frame) {
    return (
      <p className="rail-last muted">
        {world.heads.length === 0
          ? "Take an action: click one, or press its key."
          : "Set orders, then Enter for a step or Space to run."}
      </p>
    );
  }
  const done = doneWords(world, choicesOf(frame, 0));
  const invalid = frame.events.includes("invalid_action");
  const terms = Object.entries(termsOf(frame)[0] ?? {}).filter(([, value]) => value !== 0);
  return (
    <div className="rail-last stack-tight" aria-live="polite">
      <h3>Last step</h3>
      <p>
        <b>{done}</b>{" "}
        <span className="muted">
          took {frame.dt} {frame.dt === 1 ? "tick" : "ticks"}, reward {signed(session.reward)}
        </span>
      </p>
      {invalid && <p className="tone-bad">That was not possible; the turn passed in waiting.</p>}
      <div className="tags">
        {frame.events.map((event) => (
          <span key={event} className={`badge badge-${toneOf(event)}`}>
            {spoken(event)}
          </span>
        ))}
      </div>
      {terms.length > 0 && (
        <p className="small muted">
          {terms.map(([name, value]) => `${name} ${signed(value)}`).join(" · ")}
        </p>
      )}
    </div>
  );
}
