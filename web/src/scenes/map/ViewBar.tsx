/** Whom to follow, and what is drawn over the map. */

import type { ReactNode } from "react";
import { neighbour, useMapView, type MapView } from "./view";

interface Props<Overlay extends string, More extends object> {
  view: MapView<Overlay, More>;
  /** What one of those that can be followed is called: "citizen". */
  noun: string;
  nobody: string;
  people: readonly { id: string; name: string }[];
  /** A title and a key for each overlay, in order. */
  overlays: Record<Overlay, readonly [string, string]>;
  children?: ReactNode;
}

export function ViewBar<Overlay extends string, More extends object>(props: Props<Overlay, More>) {
  const { noun, nobody, people, overlays, children } = props;
  const store = props.view;
  const view = useMapView(store);
  const ids = people.map((one) => one.id);
  const here = view.followed !== null && ids.includes(view.followed);
  return (
    <div className="view-bar">
      <div className="row">
        <button
          type="button"
          aria-label={`Follow the ${noun} before`}
          onClick={() => store.follow(neighbour(ids, view.followed, -1))}
        >
          <kbd>,</kbd>
        </button>
        <label className="grow">
          <span className="visually-hidden">Follow</span>
          <select
            value={here ? (view.followed ?? "") : ""}
            onChange={(event) =>
              store.follow(event.target.value === "" ? null : event.target.value)
            }
          >
            <option value="">{nobody}</option>
            {people.map((one) => (
              <option key={one.id} value={one.id}>
                {one.name}
              </option>
            ))}
          </select>
        </label>
        <button
          type="button"
          aria-label={`Follow the next ${noun}`}
          onClick={() => store.follow(neighbour(ids, view.followed, 1))}
        >
          <kbd>.</kbd>
        </button>
      </div>
      <div className="chips" role="group" aria-label="On the map">
        <button
          type="button"
          aria-pressed={view.near && here}
          disabled={!here}
          onClick={() => store.pressed("c", ids)}
        >
          Close up <kbd>c</kbd>
        </button>
        <button type="button" aria-label="Nearer" onClick={() => store.pressed("+", ids)}>
          <kbd>+</kbd>
        </button>
        <button type="button" aria-label="Farther" onClick={() => store.pressed("-", ids)}>
          <kbd>−</kbd>
        </button>
        {(Object.keys(overlays) as Overlay[]).map((overlay) => (
          <button
            key={overlay}
            type="button"
            aria-pressed={view.overlays[overlay]}
            onClick={() => store.toggle(overlay)}
          >
            {overlays[overlay][0]} <kbd>{overlays[overlay][1]}</kbd>
          </button>
        ))}
      </div>
      {children}
    </div>
  );
}
