/** The episode along its epochs: tracks that share one axis and one cursor. */

import { useMemo, useRef, useState, type PointerEvent } from "react";
import type { Kinds } from "../../api/growth";
import { epochAt, epochScale, epochTicks, type EpochScale } from "../../charts/epochs";
import { AccuracyTrack } from "./AccuracyTrack";
import { DecisionTrack } from "./DecisionTrack";
import { momentAt, type Episode } from "./episode";
import { useNarrow, useWidth } from "./measures";
import { RatioTrack } from "./RatioTrack";
import { RewardTrack } from "./RewardTrack";
import { SlotTrack } from "./SlotTrack";

interface Props {
  episode: Episode;
  kinds: Kinds;
  /** The moment under the cursor. */
  at: number;
  /** How far the axis reaches. */
  lastEpoch: number;
  onSeek: (moment: number) => void;
}

/** What every track is drawn with. */
export interface TrackProps {
  episode: Episode;
  scale: EpochScale;
  /** The moment whose figures are told: under the pointer, or else under the cursor. */
  told: number;
}

const LEFT = 52;
const RIGHT = 52;

export function Tracks({ episode, kinds, at, lastEpoch, onSeek }: Props) {
  const place = useRef<HTMLDivElement>(null);
  const width = useWidth(place);
  const narrow = useNarrow();
  const [hovered, setHovered] = useState<number | null>(null);
  const { moments } = episode;
  const first = moments[0]?.epoch ?? 1;
  const last = Math.max(lastEpoch, moments.at(-1)?.epoch ?? first);
  const scale = useMemo(
    () => epochScale(first, last, narrow ? 44 : LEFT, width - (narrow ? 40 : RIGHT)),
    [first, last, narrow, width],
  );
  const under = (event: PointerEvent<HTMLDivElement>) => {
    const pixel = event.clientX - event.currentTarget.getBoundingClientRect().left;
    return momentAt(moments, epochAt(scale, pixel));
  };
  const told = Math.min(hovered ?? at, moments.length - 1);
  const shared: TrackProps = { episode, scale, told };
  return (
    // The player's keys reach every epoch; the pointer is a shortcut.
    <div
      className="panel tracks"
      ref={place}
      onPointerDown={(event) => {
        if (event.button !== 0) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        onSeek(under(event));
      }}
      onPointerMove={(event) => {
        if (event.buttons & 1) onSeek(under(event));
        setHovered(event.pointerType === "mouse" ? under(event) : null);
      }}
      onPointerLeave={() => setHovered(null)}
    >
      {width > 0 && moments.length > 0 && (
        <>
          <DecisionTrack {...shared} kinds={kinds} />
          <AccuracyTrack {...shared} />
          <SlotTrack {...shared} />
          <RewardTrack {...shared} />
          <RatioTrack {...shared} />
          <Axis scale={scale} />
          <Cursor scale={scale} epoch={moments[at]?.epoch ?? first} kind="cursor" />
          {hovered !== null && hovered !== at && (
            <Cursor scale={scale} epoch={moments[hovered]?.epoch ?? first} kind="hover" />
          )}
        </>
      )}
    </div>
  );
}

function Cursor({ scale, epoch, kind }: { scale: EpochScale; epoch: number; kind: string }) {
  return <div className={`track-${kind}`} style={{ left: scale.x(epoch) }} aria-hidden="true" />;
}

function Axis({ scale }: { scale: EpochScale }) {
  return (
    <svg className="track-axis" width="100%" height={22} aria-hidden="true">
      {epochTicks(scale, 52).map((epoch) => (
        <text key={epoch} x={scale.x(epoch)} y={14}>
          {epoch}
        </text>
      ))}
      <text className="axis-name" x={scale.left - 8} y={14}>
        epoch
      </text>
    </svg>
  );
}
