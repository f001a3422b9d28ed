/** What somebody looks at in a town. */

import { MapView, useMapView } from "../map/view";

export const OVERLAYS = ["ties", "queues", "names"] as const;
export type Overlay = (typeof OVERLAYS)[number];

export const townView = new MapView<Overlay>(
  { ties: false, queues: true, names: true },
  {},
  { r: "ties", q: "queues", n: "names" },
);

export function follow(id: string | null): void {
  townView.follow(id);
}

export function useView() {
  return useMapView(townView);
}
