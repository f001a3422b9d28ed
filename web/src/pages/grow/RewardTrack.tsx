/** What each epoch earned, by its terms. */

import { memo, useMemo } from "react";
import type { EpochScale } from "../../charts/epochs";
import { stackExtent } from "../../charts/stacked";
import { figure, signed } from "../../shell/figures";
import { termsOf, type Moment } from "./episode";
import { Grid, Track } from "./Track";
import type { TrackProps } from "./Tracks";
import { spaced } from "./words";

const HEIGHT = 84;
const COLORS = 8;

export function termColor(index: number): string {
  return `var(--series-${(index % COLORS) + 1})`;
}

export function RewardTrack({ episode, scale, told }: TrackProps) {
  const { moments } = episode;
  const names = useMemo(() => termsOf(moments), [moments]);
  const decision = moments[told]?.decision;
  const total = moments.findLast((moment) => moment.decision)?.decision?.reward_total;
  return (
    <Track
      title="Reward"
      summary={`Reward by epoch, ${figure(total)} in all; its terms are ${names.map(spaced).join(", ") || "none"}`}
      height={HEIGHT}
      readout={
        decision && (
          <>
            <span className="readout-item">
              <b>{signed(decision.reward)}</b>
            </span>
            {names.map((name, i) => {
              const value = decision.components[name];
              return (
                value !== undefined && (
                  <span key={name} className="readout-item wide-only">
                    <span className="swatch" style={{ background: termColor(i) }} />
                    {spaced(name)} <b>{signed(value)}</b>
                  </span>
                )
              );
            })}
          </>
        )
      }
    >
      <Bars moments={moments} names={names} scale={scale} />
    </Track>
  );
}

interface BarsProps {
  moments: readonly Moment[];
  names: readonly string[];
  scale: EpochScale;
}

const Bars = memo(function Bars({ moments, names, scale }: BarsProps) {
  const extent = stackExtent(moments.map((one) => ({ sums: one.decision?.components ?? {} })));
  const range = { low: -extent.down, high: extent.up || (extent.down ? 0 : 1) };
  const reach = range.high - range.low;
  const unit = (HEIGHT - 8) / reach;
  const zero = 4 + range.high * unit;
  const width = Math.max(1, scale.pitch * 0.7);
  return (
    <>
      <Grid scale={scale} range={range} height={HEIGHT} marks={2} />
      <path className="lane-ground" d={`M${scale.left} ${zero}H${scale.right}`} />
      {moments.map((moment) => {
        let up = zero;
        let down = zero;
        return names.map((name, i) => {
          const value = moment.decision?.components[name] ?? 0;
          if (value === 0) return null;
          const size = Math.abs(value) * unit;
          if (value > 0) up -= size;
          const y = value > 0 ? up : down;
          if (value < 0) down += size;
          return (
            <rect
              key={`${moment.epoch} ${name}`}
              x={scale.x(moment.epoch) - width / 2}
              y={y}
              width={width}
              height={size}
              style={{ fill: termColor(i) }}
            />
          );
        });
      })}
    </>
  );
});
