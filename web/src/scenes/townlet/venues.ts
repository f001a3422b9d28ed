/** The places a town has, found from what stands in them. */

import type { Thing, Town } from "./town";

export const VENUES = ["home", "gym", "cafe", "grocer", "office", "park", "bus"] as const;
export type VenueName = (typeof VENUES)[number];

export const VENUE_TITLES: Record<VenueName, string> = {
  home: "Homes",
  gym: "Gym",
  cafe: "Café",
  grocer: "Grocer",
  office: "Office",
  park: "Park",
  bus: "Bus stop",
};

const VENUE_OF_TYPE: Record<string, VenueName> = {
  bed: "home",
  stove: "home",
  wardrobe: "home",
  shower: "gym",
  fridge: "cafe",
  counter: "cafe",
  shelf: "grocer",
  till: "grocer",
  desk: "office",
  bench: "park",
};

export interface Venue {
  name: VenueName;
  title: string;
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Room around the things of a venue, in tiles. */
const MARGIN = 2;
/** Things of a venue farther apart than this are two places. */
const REACH = 9;

/** Where a thing belongs: as the town says, else as its kind suggests. */
export function venueOf(thing: Thing): VenueName | null {
  const said = VENUES.find((name) => name === thing.venue);
  return said ?? VENUE_OF_TYPE[thing.type] ?? null;
}

/** Areas around groups of things that belong together, kept inside the grid; and the bus stop. */
export function venuesOf(town: Pick<Town, "objects" | "size" | "bus_stop">): Venue[] {
  const places = VENUES.flatMap((name) =>
    groups(town.objects.filter((thing) => venueOf(thing) === name)).map((group) =>
      areaOf(name, group, town.size),
    ),
  );
  return [...places, areaOf("bus", [{ position: town.bus_stop }], town.size)];
}

function groups(things: readonly Thing[]): Thing[][] {
  const found: Thing[][] = [];
  for (const thing of things) {
    const near = found.filter((group) => group.some((other) => distance(thing, other) <= REACH));
    const joined = [thing, ...near.flat()];
    found.splice(0, found.length, ...found.filter((group) => !near.includes(group)), joined);
  }
  return found;
}

function distance(a: Thing, b: Thing): number {
  return Math.max(Math.abs(a.position[0] - b.position[0]), Math.abs(a.position[1] - b.position[1]));
}

function areaOf(
  name: VenueName,
  group: readonly Pick<Thing, "position">[],
  [width, height]: readonly [number, number],
): Venue {
  const xs = group.map((thing) => thing.position[0]);
  const ys = group.map((thing) => thing.position[1]);
  const margin = name === "bus" ? 1 : MARGIN;
  const left = Math.max(0, Math.min(...xs) - margin);
  const top = Math.max(0, Math.min(...ys) - margin);
  return {
    name,
    title: VENUE_TITLES[name],
    x: left,
    y: top,
    width: Math.min(width, Math.max(...xs) + margin + 1) - left,
    height: Math.min(height, Math.max(...ys) + margin + 1) - top,
  };
}
