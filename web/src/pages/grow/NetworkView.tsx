/** The host with its slots, as it stood at the end of an epoch. */

import { useMemo } from "react";
import type { SeedSeen, Started } from "../../api/growth";
import { figure } from "../../shell/figures";
import type { Moment } from "./episode";
import { drawingOf, EMPTY_POD_HEIGHT, POD, type Branch, type Drawing, type Part } from "./layout";
import { isFelt, lookOf, opLook, STAGE_NAMES } from "./stages";
import { useNarrow } from "./measures";
import { accuracy, gain, pictureWords, spaced } from "./words";

interface Props {
  started: Started | null;
  slots: Started["slots"];
  moment: Moment | null;
}

export function NetworkView({ started, slots, moment }: Props) {
  const narrow = useNarrow();
  const drawing = useMemo(
    () => drawingOf(slots, started?.topology ?? "", started?.classes ?? 0, narrow),
    [slots, started, narrow],
  );
  return (
    <figure className="panel network">
      <svg
        className="network-picture"
        viewBox={`0 0 ${drawing.width} ${drawing.height}`}
        style={{ maxWidth: drawing.width * 1.4 }}
        role="img"
        aria-label={pictureWords(moment)}
      >
        <Patterns />
        <Host drawing={drawing} />
        <Accuracy drawing={drawing} moment={moment} beside={narrow} />
        {drawing.branches.map((branch) => (
          <Slot key={branch.slot.slot_id} branch={branch} moment={moment} />
        ))}
      </svg>
      <figcaption>
        <StageKey />
      </figcaption>
    </figure>
  );
}

/** Stripes for what cools, so that it is told apart without its colour. */
function Patterns() {
  return (
    <defs>
      <pattern
        id="cooling"
        width="7"
        height="7"
        patternUnits="userSpaceOnUse"
        patternTransform="rotate(45)"
      >
        <rect className="cooling-stripe" width="3" height="7" />
      </pattern>
    </defs>
  );
}

function Host({ drawing }: { drawing: Drawing }) {
  return (
    <>
      <path className="spine" d={drawing.spine} />
      {drawing.parts.map((part, i) => (
        <HostPart key={i} part={part} />
      ))}
    </>
  );
}

/** What comes out at the end. */
function Accuracy({
  drawing,
  moment,
  beside,
}: {
  drawing: Drawing;
  moment: Moment | null;
  beside: boolean;
}) {
  const head = drawing.parts.at(-1);
  if (!head || !moment?.figures) return null;
  const x = beside ? head.x + head.width + 6 : head.x + head.width / 2;
  const y = head.y + (beside ? head.height / 2 + 6 : head.height + 18);
  return (
    <text className={beside ? "network-accuracy beside" : "network-accuracy"} x={x} y={y}>
      {accuracy(moment.figures.val_accuracy)}
    </text>
  );
}

const INSET = 4;

function HostPart({ part }: { part: Part }) {
  const middle = part.x + part.width / 2;
  const centre = part.y + part.height / 2;
  return (
    <g className={`host-part host-${part.kind}`}>
      <rect
        x={part.x + INSET}
        y={part.y + INSET}
        width={part.width - 2 * INSET}
        height={part.height - 2 * INSET}
        rx={part.kind === "input" ? 14 : 6}
      />
      <text x={middle} y={part.note ? centre - 2 : centre + 4}>
        {part.title}
      </text>
      {part.note && (
        <text className="host-note" x={middle} y={centre + 12}>
          {part.note}
        </text>
      )}
    </g>
  );
}

function Slot({ branch, moment }: { branch: Branch; moment: Moment | null }) {
  const seed = moment?.seeds.get(branch.slot.slot_id) ?? null;
  const stage = seed?.stage ?? "DORMANT";
  const look = lookOf(stage);
  const decision = moment?.decision?.slot_id === branch.slot.slot_id ? moment.decision : null;
  const alpha = seed && isFelt(stage) ? seed.alpha : 0;
  const runs = stage === "TRAINING" || isFelt(stage);
  return (
    <g className={`slot stage-${look.key}${decision ? " slot-acted" : ""}`}>
      <path className={runs ? "way way-live" : "way"} d={branch.into} />
      <path
        className={alpha > 0 ? "way way-live" : "way"}
        d={branch.back}
        style={{ strokeWidth: 1.5 + 4 * alpha }}
      />
      {alpha > 0 && <circle className="way-meets" cx={branch.meets.x} cy={branch.meets.y} r={5} />}
      <g transform={`translate(${branch.x} ${branch.y + (seed ? 0 : branch.emptyInset)})`}>
        <rect
          className="pod"
          width={POD.width}
          height={seed ? POD.height : EMPTY_POD_HEIGHT}
          rx={12}
        />
        {seed && (
          <rect
            className="pod-fill"
            width={POD.width}
            height={POD.height}
            rx={12}
            style={{ clipPath: `inset(${(1 - alpha) * 100}% 0 0 0)` }}
          />
        )}
        <PodText slotId={branch.slot.slot_id} seed={seed} />
        {decision && <Acted op={decision.op} refused={!decision.success} low={seed !== null} />}
      </g>
    </g>
  );
}

function PodText({ slotId, seed }: { slotId: string; seed: SeedSeen | null }) {
  const look = lookOf(seed?.stage ?? "DORMANT");
  return (
    <>
      <circle className="pod-mark" cx={20} cy={20} r={11} />
      <text className="pod-letter" x={20} y={24.5}>
        {look.letter}
      </text>
      <text className="pod-stage" x={38} y={24.5}>
        {look.name}
      </text>
      <text className="pod-slot" x={POD.width - 10} y={24.5}>
        {slotId}
      </text>
      {seed && (
        <>
          <text className="pod-name" x={12} y={50}>
            {spaced(seed.blueprint)}
          </text>
          <text className="pod-line" x={12} y={67}>
            {alphaText(seed)}
          </text>
          <text className="pod-line" x={12} y={82}>
            {worthText(seed)}
          </text>
        </>
      )}
    </>
  );
}

function alphaText(seed: SeedSeen): string {
  if (!isFelt(seed.stage)) return `${seed.epochs_in_stage} ep in stage`;
  const moving = seed.alpha_mode !== "HOLD" && seed.alpha !== seed.alpha_target;
  return `α ${seed.alpha.toFixed(2)}${moving ? ` → ${seed.alpha_target.toFixed(2)}` : ""}`;
}

function worthText(seed: SeedSeen): string {
  const size = seed.params > 0 ? `${figure(seed.params)} par` : "";
  const worth = seed.contribution === null ? "" : `${gain(seed.contribution)} pt`;
  return [size, worth].filter(Boolean).join(" · ");
}

/** What was decided about this slot after the epoch. */
function Acted({ op, refused, low }: { op: string; refused: boolean; low: boolean }) {
  const top = low ? POD.height - 28 : EMPTY_POD_HEIGHT - 12;
  return (
    <g
      className={refused ? "acted acted-refused" : "acted"}
      transform={`translate(${POD.width - 28} ${top})`}
    >
      <circle cx={12} cy={12} r={13} />
      <path d={opLook(op).path} transform="translate(3.6 3.6) scale(0.7)" />
      {refused && <path className="strike" d="M3 21 21 3" />}
    </g>
  );
}

function StageKey() {
  return (
    <ul className="stage-key" aria-label="Stages">
      {STAGE_NAMES.map((stage) => {
        const look = lookOf(stage);
        return (
          <li key={stage} className={`stage-${look.key}`} title={look.note}>
            <span className="stage-chip" aria-hidden="true">
              {look.letter}
            </span>
            {look.name}
          </li>
        );
      })}
    </ul>
  );
}
