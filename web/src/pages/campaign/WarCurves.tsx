/** How both factions fared, day by day; a click goes to a day. */

import { useState } from "react";
import type { WarSummary } from "../../api/wars";
import { figure } from "../../shell/figures";
import { curveScale, curvesOf, MEASURES, resourcesOf, type Measure } from "./war";

interface Props {
  war: WarSummary;
  at: number;
  onSeek: (day: number) => void;
}

interface Line {
  name: string;
  colour: string;
  values: readonly number[];
}

const WIDTH = 300;
const HEIGHT = 84;
const SHOWN: readonly Measure[] = ["ships", "value", "nodes", "legitimacy", "prosperity", "morale"];

export function WarCurves({ war, at, onSeek }: Props) {
  const resources = resourcesOf(war);
  const [resource, setResource] = useState(resources[0] ?? "food");
  const lines = (values: (faction: string) => readonly number[]): Line[] =>
    war.factions.map(({ id, name, colour }) => ({ name, colour, values: values(id) }));
  return (
    <section className="war-curves" aria-label="Curves">
      {SHOWN.map((measure) => (
        <WarCurve
          key={measure}
          title={MEASURES[measure]}
          lines={lines((id) => curvesOf(war, id)?.[measure] ?? [])}
          at={at}
          onSeek={onSeek}
        />
      ))}
      <div className="war-stocks">
        <WarCurve
          title={`Stocks of ${resource}`}
          lines={lines((id) => curvesOf(war, id)?.stocks[resource] ?? [])}
          at={at}
          onSeek={onSeek}
        />
        <label className="field">
          Stocks of
          <select value={resource} onChange={(event) => setResource(event.target.value)}>
            {resources.map((one) => (
              <option key={one}>{one}</option>
            ))}
          </select>
        </label>
      </div>
    </section>
  );
}

interface CurveProps {
  title: string;
  lines: readonly Line[];
  at: number;
  onSeek: (day: number) => void;
}

function WarCurve({ title, lines, at, onSeek }: CurveProps) {
  const count = Math.max(0, ...lines.map((line) => line.values.length));
  const x = (day: number) => (day / Math.max(1, count - 1)) * WIDTH;
  const { y, dips } = curveScale(
    lines.flatMap((line) => line.values),
    HEIGHT,
  );
  const words = lines.map((line) => `${line.name} ${figure(line.values[at])}`).join(", ");
  return (
    <figure className="panel war-curve">
      <figcaption>
        <b>{title}</b>
        {lines.map((line) => (
          <span key={line.name} className="war-reading">
            <span className="swatch" style={{ background: line.colour }} aria-hidden="true" />
            {figure(line.values[at])}
          </span>
        ))}
      </figcaption>
      {/* The scrubber does the same for those without a mouse. */}
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${title} on the shown day: ${words}`}
        onClick={(event) => {
          const box = event.currentTarget.getBoundingClientRect();
          const share = (event.clientX - box.left) / box.width;
          onSeek(Math.round(share * Math.max(0, count - 1)));
        }}
      >
        {dips && (
          <line
            className="war-nothing"
            x1={0}
            y1={y(0)}
            x2={WIDTH}
            y2={y(0)}
            vectorEffect="non-scaling-stroke"
          />
        )}
        {lines.map((line) => (
          <polyline
            key={line.name}
            points={line.values
              .map((value, day) => `${x(day).toFixed(1)},${y(value).toFixed(1)}`)
              .join(" ")}
            stroke={line.colour}
            vectorEffect="non-scaling-stroke"
          />
        ))}
        <line
          className="war-now"
          x1={x(at)}
          y1={0}
          x2={x(at)}
          y2={HEIGHT}
          vectorEffect="non-scaling-stroke"
        />
      </svg>
    </figure>
  );
}
