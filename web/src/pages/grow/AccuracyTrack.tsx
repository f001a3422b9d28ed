/** Accuracy with everything, with nothing, with what is kept, and without each seed. */

import { memo, useMemo } from "react";
import { linePath, rangeOf, type EpochScale } from "../../charts/epochs";
import type { Episode, Moment } from "./episode";
import { Grid, heightOf, Readout, strokeOf, Track } from "./Track";
import type { TrackProps } from "./Tracks";
import { accuracy } from "./words";

const HEIGHT = 190;
const COLORS = 8;

interface Line {
  name: string;
  className: string;
  color?: string;
  value: (moment: Moment) => number | null;
}

const WHOLE: Line[] = [
  {
    name: "host alone",
    className: "line line-host",
    value: (one) => one.figures?.host_accuracy ?? null,
  },
  {
    name: "kept only",
    className: "line line-kept",
    value: (one) => one.figures?.committed_accuracy ?? null,
  },
  {
    name: "with all",
    className: "line line-all",
    value: (one) => one.figures?.val_accuracy ?? null,
  },
];

/** A line for each slot whose seeds were ever measured. */
function withoutLines(episode: Episode): Line[] {
  return episode.lanes.flatMap(({ slot }, i): Line[] => {
    const value = (one: Moment) => one.seeds.get(slot.slot_id)?.accuracy_without ?? null;
    if (!episode.moments.some((moment) => value(moment) !== null)) return [];
    const color = `var(--series-${(i % COLORS) + 1})`;
    return [{ name: `without ${slot.slot_id}`, className: "line line-without", color, value }];
  });
}

export function AccuracyTrack({ episode, scale, told }: TrackProps) {
  const lines = useMemo(() => [...withoutLines(episode), ...WHOLE], [episode]);
  const moment = episode.moments[told];
  const items = [...lines].reverse().map((line) => ({
    name: line.name,
    className: line.className,
    color: line.color,
    value: moment ? accuracy(line.value(moment)) : "–",
  }));
  const last = episode.moments.findLast((one) => one.figures !== null);
  const summary = `Accuracy by epoch; at the end ${lines
    .map((line) => `${line.name} ${last ? accuracy(line.value(last)) : "–"}`)
    .join(", ")}`;
  return (
    <Track title="Accuracy" summary={summary} height={HEIGHT} readout={<Readout items={items} />}>
      <Lines moments={episode.moments} lines={lines} scale={scale} />
    </Track>
  );
}

interface LinesProps {
  moments: readonly Moment[];
  lines: readonly Line[];
  scale: EpochScale;
}

const Lines = memo(function Lines({ moments, lines, scale }: LinesProps) {
  const range = rangeOf(
    lines.flatMap((line) => moments.map((moment) => line.value(moment))),
    5,
  );
  const y = heightOf(range, HEIGHT);
  return (
    <>
      <Grid scale={scale} range={range} height={HEIGHT} />
      {lines.map((line) => (
        <path
          key={line.name}
          className={line.className}
          style={strokeOf(line.color)}
          d={linePath(
            moments.map((moment) => ({ epoch: moment.epoch, value: line.value(moment) })),
            scale,
            y,
          )}
        />
      ))}
      <EndNames moments={moments} lines={lines} scale={scale} y={y} />
    </>
  );
});

const NAME_HEIGHT = 11;

/** Slots named where their lines end, so that colours need not be matched by eye. */
function EndNames({ moments, lines, scale, y }: LinesProps & { y: (value: number) => number }) {
  const ends = lines
    .filter((line) => line.color !== undefined)
    .flatMap((line) => {
      const last = moments.findLast((moment) => line.value(moment) !== null);
      const value = last && line.value(last);
      return last && value !== null && value !== undefined
        ? [{ line, x: scale.x(last.epoch) + 5, y: y(value) + 3.5 }]
        : [];
    })
    .sort((a, b) => a.y - b.y);
  ends.forEach((end, i) => {
    const above = ends[i - 1];
    const touches = above && Math.abs(above.x - end.x) < 40 && end.y - above.y < NAME_HEIGHT;
    if (touches) end.y = above.y + NAME_HEIGHT;
  });
  return ends.map(({ line, x, y: at }) => (
    <text key={line.name} className="line-name" x={x} y={at} style={{ fill: line.color }}>
      {line.name.replace("without ", "−")}
    </text>
  ));
}
