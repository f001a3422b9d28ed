/** Where the reward came from: now, and over the whole replay as stacked bars. */

import { useEffect, useMemo, useRef } from "react";
import type { FrameBuffer } from "../../api/frames";
import type { Frame, Timeline } from "../../api/types";
import { paintTerms, seriesColors, stackExtent } from "../../charts/stacked";
import { rewardOf, termColumns, termsOf } from "../../player/reading";
import { figure, signed } from "../../shell/figures";
import { useTheme } from "../../shell/theme";

interface Props {
  frame: Frame | null;
  agent: number;
  buffer: FrameBuffer;
  timeline: Timeline | null;
  onSeek: (frame: number) => void;
}

const COLUMNS = 96;

export function RewardPanel({ frame, agent, buffer, timeline, onSeek }: Props) {
  if (!frame) return <p className="muted">No frame yet.</p>;
  const now = termsOf(frame)[agent] ?? {};
  const names = timeline?.header.terms ?? Object.keys(now);
  const colors = seriesColors();
  return (
    <div className="stack">
      <p>
        This step <b>{signed(rewardOf(frame, agent))}</b>
        {timeline && (
          <span className="muted">
            {" "}
            of {figure(Object.values(timeline.terms).reduce((a, b) => a + b, 0))} in all
          </span>
        )}
      </p>
      <TermBars buffer={buffer} names={names} at={frame.frame_index} onSeek={onSeek} />
      <table className="terms">
        <thead>
          <tr>
            <th scope="col">Term</th>
            <th scope="col" className="number">
              This step
            </th>
            <th scope="col" className="number">
              Episode
            </th>
          </tr>
        </thead>
        <tbody>
          {names.map((name, i) => (
            <tr key={name}>
              <td>
                <span
                  className="swatch"
                  style={{ background: colors[i % colors.length] }}
                  aria-hidden="true"
                />
                {name}
              </td>
              <td className="number">{signed(now[name] ?? 0)}</td>
              <td className="number">{timeline ? figure(timeline.terms[name] ?? 0) : "–"}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface BarsProps {
  buffer: FrameBuffer;
  names: readonly string[];
  at: number;
  onSeek: (frame: number) => void;
}

function TermBars({ buffer, names, at, onSeek }: BarsProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const theme = useTheme();
  const length = buffer.length;
  // eslint-disable-next-line react-hooks/exhaustive-deps -- the buffer grows in place
  const columns = useMemo(() => termColumns(buffer.frames, COLUMNS), [buffer, length]);
  const extent = useMemo(() => stackExtent(columns), [columns]);
  useEffect(() => {
    const pen = canvas.current;
    if (pen) paintTerms(pen, columns, names, extent, length === 0 ? 0 : at / length);
  }, [columns, names, extent, at, length, theme]);
  return (
    <figure>
      {/* The player's keys reach every frame; a click here is a shortcut for the pointer. */}
      <canvas
        ref={canvas}
        className="term-bars"
        role="img"
        aria-label="Reward terms over the replay, as stacked bars"
        onClick={(event) => {
          const box = event.currentTarget.getBoundingClientRect();
          onSeek(Math.round(((event.clientX - box.left) / box.width) * (length - 1)));
        }}
      />
      <figcaption className="muted small">
        Terms over the replay, {figure(Math.ceil(length / COLUMNS))} frames a bar. Click to jump.
      </figcaption>
    </figure>
  );
}
