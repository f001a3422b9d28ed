/** Small parts the town's panels share. */

import { coatOf } from "./inks";
import { ICONS, type IconName } from "./icons";
import { curvePoints } from "./history";
import type { Citizen } from "./town";
import { changeView, follow, neighbour, toggleOverlay, useView, type Overlay } from "./view";
import { initialOf, nameOf } from "./words";

export function Sign({ name }: { name: IconName }) {
  return (
    <svg className="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={ICONS[name]} />
    </svg>
  );
}

export function Face({ citizen }: { citizen: Pick<Citizen, "id" | "serial"> }) {
  return (
    <span className="face" style={{ background: coatOf(citizen.serial) }} aria-hidden="true">
      {initialOf(citizen.id)}
    </span>
  );
}

interface CurveProps {
  values: readonly (number | null)[];
  top: number;
  label: string;
  tone?: string;
}

export function Curve({ values, top, label, tone = "plain" }: CurveProps) {
  return (
    <svg
      className={`town-curve tone-${tone}`}
      viewBox="0 0 100 24"
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      <polyline points={curvePoints(values, top)} vectorEffect="non-scaling-stroke" />
    </svg>
  );
}

export function NeedBar({ value, tone }: { value: number; tone: string }) {
  return (
    <span className={`need-bar gauge-${tone}`} aria-hidden="true">
      <span className="gauge-fill" style={{ width: `${Math.min(1, Math.max(0, value)) * 100}%` }} />
    </span>
  );
}

const OVERLAY_TITLES: Record<Overlay, [string, string]> = {
  ties: ["Ties", "r"],
  queues: ["Queues", "q"],
  names: ["Names", "n"],
};

/** Whom to follow, and what is drawn over the map. */
export function ViewBar({ people }: { people: readonly Citizen[] }) {
  const view = useView();
  const ids = people.map((citizen) => citizen.id);
  const here = view.followed !== null && ids.includes(view.followed);
  return (
    <div className="view-bar">
      <div className="row">
        <button
          type="button"
          aria-label="Follow the citizen before"
          onClick={() => follow(neighbour(ids, view.followed, -1))}
        >
          <kbd>,</kbd>
        </button>
        <label className="grow">
          <span className="visually-hidden">Follow</span>
          <select
            value={here ? (view.followed ?? "") : ""}
            onChange={(event) => follow(event.target.value === "" ? null : event.target.value)}
          >
            <option value="">Nobody in particular</option>
            {people.map((citizen) => (
              <option key={citizen.id} value={citizen.id}>
                {nameOf(citizen.id)}
              </option>
            ))}
          </select>
        </label>
        <button
          type="button"
          aria-label="Follow the next citizen"
          onClick={() => follow(neighbour(ids, view.followed, 1))}
        >
          <kbd>.</kbd>
        </button>
      </div>
      <div className="chips" role="group" aria-label="On the map">
        <button
          type="button"
          aria-pressed={view.near && here}
          disabled={!here}
          onClick={() => changeView({ near: !view.near })}
        >
          Close up <kbd>c</kbd>
        </button>
        {(Object.keys(OVERLAY_TITLES) as Overlay[]).map((overlay) => (
          <button
            key={overlay}
            type="button"
            aria-pressed={view.overlays[overlay]}
            onClick={() => toggleOverlay(overlay)}
          >
            {OVERLAY_TITLES[overlay][0]} <kbd>{OVERLAY_TITLES[overlay][1]}</kbd>
          </button>
        ))}
      </div>
    </div>
  );
}
