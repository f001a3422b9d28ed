/** Gauges and facts of a frame, as its scene module reads them. */

import type { Frame } from "../api/types";
import type { SceneModule, Words } from "./scene";

interface Props {
  module: SceneModule | null;
  frame: Frame | null;
  words: Words;
}

export function Gauges({ module, frame, words }: Props) {
  if (!module || !frame) return <p className="muted small">Nothing to show yet.</p>;
  return (
    <div className="gauges">
      {module.gauges(frame, words).map((gauge) => (
        <div key={gauge.label} className={`gauge gauge-${gauge.tone}`}>
          <span>{gauge.label}</span>
          <span className="gauge-text">{gauge.text}</span>
          <div className="gauge-track" aria-hidden="true">
            <div
              className="gauge-fill"
              style={{ width: `${Math.min(1, Math.max(0, gauge.value)) * 100}%` }}
            />
          </div>
        </div>
      ))}
    </div>
  );
}

export function Facts({ module, frame, words }: Props) {
  if (!module || !frame) return <p className="muted small">Nothing to show yet.</p>;
  return (
    <dl className="facts">
      {module.facts(frame, words).map((fact) => (
        <div key={fact.label}>
          <dt>{fact.label}</dt>
          <dd>{fact.text}</dd>
        </div>
      ))}
    </dl>
  );
}
