/** Each slot along the episode: its stage as a band, its seed's share as a curve upon it. */

import { memo } from "react";
import { linePath, type EpochScale } from "../../charts/epochs";
import type { Lane, Moment, Span } from "./episode";
import { lookOf } from "./stages";
import { Track } from "./Track";
import type { TrackProps } from "./Tracks";
import { spaced } from "./words";

const LANE = 30;
const GAP = 6;

export function SlotTrack({ episode, scale, told }: TrackProps) {
  const { lanes, moments } = episode;
  const seeds = [...(moments[told]?.seeds.values() ?? [])];
  return (
    <Track
      title="Slots"
      summary={lanes.map(laneWords).join(". ")}
      height={lanes.length * (LANE + GAP)}
      readout={seeds.map((seed) => (
        <span key={seed.slot_id} className="readout-item wide-only">
          {seed.slot_id} {lookOf(seed.stage).name} <b>α {seed.alpha.toFixed(2)}</b>
        </span>
      ))}
    >
      {lanes.map((lane, i) => (
        <LaneView
          key={lane.slot.slot_id}
          lane={lane}
          moments={moments}
          scale={scale}
          top={i * (LANE + GAP)}
        />
      ))}
    </Track>
  );
}

function laneWords(lane: Lane): string {
  const lived = lane.spans.filter((span) => span.stage !== "DORMANT");
  if (lived.length === 0) return `${lane.slot.slot_id} stays empty`;
  const parts = lived.map((span) => `${spaced(span.blueprint)} ${lookOf(span.stage).name}`);
  return `${lane.slot.slot_id}: ${parts.join(", ")}`;
}

interface LaneProps {
  lane: Lane;
  moments: readonly Moment[];
  scale: EpochScale;
  top: number;
}

const LaneView = memo(function LaneView({ lane, moments, scale, top }: LaneProps) {
  const y = (alpha: number) => top + LANE - 3 - alpha * (LANE - 6);
  const points = moments.map((moment, i) => ({ epoch: moment.epoch, value: lane.alphas[i] }));
  return (
    <g>
      <text className="lane-name" x={scale.left - 8} y={top + LANE / 2 + 4}>
        {lane.slot.slot_id}
      </text>
      <path className="lane-ground" d={`M${scale.left} ${top + LANE}H${scale.right}`} />
      {lane.spans.map((span) => (
        <SpanView key={span.from} span={span} moments={moments} scale={scale} top={top} />
      ))}
      <path className="line line-alpha" d={linePath(points, scale, y)} />
    </g>
  );
});

function SpanView({ span, moments, scale, top }: Omit<LaneProps, "lane"> & { span: Span }) {
  const from = moments[span.from]?.epoch;
  const to = moments[span.to]?.epoch;
  if (span.stage === "DORMANT" || from === undefined || to === undefined) return null;
  const look = lookOf(span.stage);
  const x = scale.x(from) - scale.pitch / 2;
  const width = scale.x(to) + scale.pitch / 2 - x;
  const words = `${look.letter} ${spaced(span.blueprint)}`;
  return (
    <g className={`span stage-${look.key}`}>
      <rect x={x} y={top} width={width} height={LANE} />
      <path d={`M${x} ${top}v${LANE}`} />
      {width > 12 && (
        <text x={x + 4} y={top + 12}>
          {width > words.length * 7 + 6 ? words : look.letter}
        </text>
      )}
    </g>
  );
}
