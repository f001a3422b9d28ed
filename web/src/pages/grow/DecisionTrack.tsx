/** What was decided after each epoch, and what should be looked at. */

import { memo } from "react";
import type { Kinds } from "../../api/growth";
import type { EpochScale } from "../../charts/epochs";
import { acted, anomaliesOf, severityOf, wasRefused, type Moment } from "./episode";
import { opLook } from "./stages";
import { Track } from "./Track";
import type { TrackProps } from "./Tracks";
import { decisionWords } from "./words";

const HEIGHT = 46;
const ICON_MAX = 18;
const ICON_MIN = 8;
const MIDDLE = 17;

export function DecisionTrack({ episode, scale, told, kinds }: TrackProps & { kinds: Kinds }) {
  const { moments } = episode;
  const moment = moments[told];
  const taken = moments.filter(acted);
  const refused = taken.filter((one) => one.decision && wasRefused(one.decision)).length;
  const odd = moments.filter((one) => anomaliesOf(one, kinds).length > 0).length;
  return (
    <Track
      title="Decisions"
      summary={`${taken.length} decisions to act, ${refused} of them refused; ${odd} epochs with anomalies. The list of events tells each.`}
      height={HEIGHT}
      readout={
        moment && (
          <span className="readout-item">
            epoch {moment.epoch}{" "}
            <b>{moment.decision ? decisionWords(moment.decision) : "none yet"}</b>
            {anomaliesOf(moment, kinds).map((event, i) => (
              <span key={i} className={`severity-${severityOf(event, kinds)}`}>
                {" "}
                ▲ {kinds[event.kind]?.label ?? event.kind}
              </span>
            ))}
          </span>
        )
      }
    >
      <Signs moments={moments} scale={scale} kinds={kinds} />
    </Track>
  );
}

interface SignsProps {
  moments: readonly Moment[];
  scale: EpochScale;
  kinds: Kinds;
}

const Signs = memo(function Signs({ moments, scale, kinds }: SignsProps) {
  const size = Math.min(ICON_MAX, Math.max(ICON_MIN, scale.pitch - 2));
  return (
    <>
      <path className="lane-ground" d={`M${scale.left} ${MIDDLE}H${scale.right}`} />
      {moments.map((moment) => {
        const x = scale.x(moment.epoch);
        const gravest = anomaliesOf(moment, kinds)[0];
        return (
          <g key={moment.epoch}>
            {moment.decision && (
              <Sign
                op={moment.decision.op}
                refused={wasRefused(moment.decision)}
                x={x}
                size={size}
              />
            )}
            {gravest && (
              <path
                className={`anomaly severity-${severityOf(gravest, kinds)}`}
                d={`M${x} ${HEIGHT - 13}l5 9h-10z`}
              >
                <title>{kinds[gravest.kind]?.label ?? gravest.kind}</title>
              </path>
            )}
          </g>
        );
      })}
    </>
  );
});

function Sign({ op, refused, x, size }: { op: string; refused: boolean; x: number; size: number }) {
  if (op === "WAIT") return <circle className="sign-wait" cx={x} cy={MIDDLE} r={1.6} />;
  const scale = (size * 0.72) / 24;
  return (
    <g className={refused ? "sign sign-refused" : "sign"}>
      <title>{`${opLook(op).name}${refused ? ", refused" : ""}`}</title>
      <circle cx={x} cy={MIDDLE} r={size / 2 + 1} />
      <path
        d={opLook(op).path}
        transform={`translate(${x - 12 * scale} ${MIDDLE - 12 * scale}) scale(${scale})`}
        strokeWidth={1.7 / scale}
      />
      {refused && (
        <path
          className="strike"
          d={`M${x - size / 2} ${MIDDLE + size / 2}L${x + size / 2} ${MIDDLE - size / 2}`}
        />
      )}
    </g>
  );
}
