/** Small parts the town's panels share. */

import { ViewBar } from "../map/ViewBar";
import { coatOf } from "./inks";
import { ICONS, type IconName } from "./icons";
import type { Citizen } from "./town";
import { townView, type Overlay } from "./view";
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

const OVERLAY_TITLES: Record<Overlay, readonly [string, string]> = {
  ties: ["Ties", "r"],
  queues: ["Queues", "q"],
  names: ["Names", "n"],
};

export function TownViewBar({ people }: { people: readonly Citizen[] }) {
  return (
    <ViewBar
      view={townView}
      noun="citizen"
      nobody="Nobody in particular"
      people={people.map(({ id }) => ({ id, name: nameOf(id) }))}
      overlays={OVERLAY_TITLES}
    />
  );
}
