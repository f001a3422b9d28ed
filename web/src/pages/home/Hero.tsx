/** The name over the door, under a turning sky. */

import type { ReplayEntry } from "../../api/types";
import { formatRoute, watchLink } from "../../shell/route";

export function Hero({ newest }: { newest: ReplayEntry | null }) {
  return (
    <section className="hero">
      <Armillary />
      <div className="hero-text">
        <h1>
          Worlds turn here.
          <br />
          <span className="hero-soft">Watch what learns in them.</span>
        </h1>
        <p className="muted">
          Every episode is exact and can be seen again, played by hand on the same seed, and
          compared.
        </p>
        <div className="row">
          <a
            className="button primary"
            href={newest ? watchLink(newest.run_id, newest.replay_id) : formatRoute("watch")}
          >
            {newest ? "Watch the newest replay" : "Watch"}
          </a>
          <a className="button" href={formatRoute("play")}>
            Play it yourself
          </a>
        </div>
      </div>
    </section>
  );
}

const STARS: [number, number, number][] = [
  [24, 40, 1.2],
  [88, 18, 0.9],
  [140, 70, 1],
  [210, 28, 1.4],
  [296, 58, 0.8],
  [352, 110, 1.1],
  [330, 200, 0.9],
  [370, 268, 1.3],
  [280, 330, 1],
  [196, 372, 0.8],
  [110, 338, 1.2],
  [40, 284, 0.9],
  [20, 180, 1],
  [66, 128, 0.7],
];

/** An armillary sphere: rings around a star, each with its own pace. */
function Armillary() {
  return (
    <svg className="armillary" viewBox="0 0 400 400" aria-hidden="true">
      <radialGradient id="sunlight">
        <stop className="glow-stop" offset="0.1" stopOpacity="0.45" />
        <stop className="glow-stop" offset="1" stopOpacity="0" />
      </radialGradient>
      {STARS.map(([x, y, r]) => (
        <circle key={`${x} ${y}`} className="star" cx={x} cy={y} r={r} />
      ))}
      <g className="ring ring-slow">
        <circle cx="200" cy="200" r="168" />
        <circle className="scale" cx="200" cy="200" r="160" />
        <circle className="body" cx="368" cy="200" r="5" />
      </g>
      <g className="ring ring-mid">
        <ellipse cx="200" cy="200" rx="150" ry="58" transform="rotate(-24 200 200)" />
        <ellipse cx="200" cy="200" rx="150" ry="58" transform="rotate(38 200 200)" />
      </g>
      <g className="ring ring-fast">
        <circle cx="200" cy="200" r="96" />
        <circle className="body" cx="104" cy="200" r="4" />
      </g>
      <circle className="glow" cx="200" cy="200" r="80" />
      <circle className="sun" cx="200" cy="200" r="17" />
    </svg>
  );
}
