/** A track: its name, its figures at the told epoch, and its drawing. */

import type { ReactNode } from "react";
import { roundTicks, type EpochScale, type Range } from "../../charts/epochs";
import { axisLabels } from "../../shell/figures";

interface Props {
  title: string;
  /** In words, for those who cannot see it. */
  summary: string;
  readout: ReactNode;
  height: number;
  children: ReactNode;
}

export function Track({ title, summary, readout, height, children }: Props) {
  return (
    <figure className="track">
      <figcaption>
        <h3>{title}</h3>
        <span className="readout">{readout}</span>
      </figcaption>
      <svg width="100%" height={height} role="img" aria-label={summary}>
        {children}
      </svg>
    </figure>
  );
}

export interface Shown {
  name: string;
  value: string;
  className?: string;
  color?: string | undefined;
}

/** Names and figures in a row, each with the sign of its line. */
export function Readout({ items }: { items: readonly Shown[] }) {
  return items.map((item) => (
    <span key={item.name} className="readout-item">
      {item.className !== undefined && (
        <svg className="line-sample" width="18" height="8" aria-hidden="true">
          <path className={item.className} style={strokeOf(item.color)} d="M0 4H18" />
        </svg>
      )}
      {item.name} <b>{item.value}</b>
    </span>
  ));
}

export function strokeOf(color: string | undefined) {
  return color === undefined ? undefined : { stroke: color };
}

/** Where a value lies in a drawing of this height. */
export function heightOf(range: Range, height: number): (value: number) => number {
  const pad = 4;
  const reach = range.high - range.low || 1;
  return (value) => pad + (1 - (value - range.low) / reach) * (height - 2 * pad);
}

interface GridProps {
  scale: EpochScale;
  range: Range;
  height: number;
  marks?: number;
}

export function Grid({ scale, range, height, marks = 4 }: GridProps) {
  const y = heightOf(range, height);
  const ticks = roundTicks(range.low, range.high, marks);
  const labels = axisLabels(ticks);
  return (
    <g className="track-grid" aria-hidden="true">
      {ticks.map((tick, i) => (
        <g key={tick}>
          <path d={`M${scale.left} ${y(tick)}H${scale.right}`} />
          <text x={scale.left - 8} y={y(tick) + 4}>
            {labels[i]}
          </text>
        </g>
      ))}
    </g>
  );
}
