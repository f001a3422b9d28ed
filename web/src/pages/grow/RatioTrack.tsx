/** How much larger the network is than its host. */

import { memo } from "react";
import { linePath, rangeOf, type EpochScale } from "../../charts/epochs";
import { figure } from "../../shell/figures";
import type { Moment } from "./episode";
import { Grid, heightOf, Track } from "./Track";
import type { TrackProps } from "./Tracks";

const HEIGHT = 64;

export function RatioTrack({ episode, scale, told }: TrackProps) {
  const figures = episode.moments[told]?.figures;
  const last = episode.moments.findLast((moment) => moment.figures)?.figures;
  return (
    <Track
      title="Size"
      summary={`Parameters over the host's, at the end ${figure(last?.param_ratio)}`}
      height={HEIGHT}
      readout={
        figures && (
          <span className="readout-item">
            <b>{figures.param_ratio.toFixed(2)} ×</b> the host · {figure(figures.total_params)}{" "}
            parameters
          </span>
        )
      }
    >
      <Line moments={episode.moments} scale={scale} />
    </Track>
  );
}

const Line = memo(function Line({
  moments,
  scale,
}: {
  moments: readonly Moment[];
  scale: EpochScale;
}) {
  const points = moments.map((moment) => ({
    epoch: moment.epoch,
    value: moment.figures?.param_ratio,
  }));
  const range = rangeOf([1, ...points.map((point) => point.value)], 0.1);
  return (
    <>
      <Grid scale={scale} range={range} height={HEIGHT} marks={2} />
      <path className="line line-size" d={linePath(points, scale, heightOf(range, HEIGHT))} />
    </>
  );
});
