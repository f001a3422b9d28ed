import { describe, expect, it } from "vitest";
import { battleReplay, CONVOY_RUN, DUEL_RUN } from "../mock/battle/run";
import type { Frame } from "../src/api/types";
import { loadScene } from "../src/scenes/loading";
import { actionOf } from "../src/scenes/tidebreak/action";
import { LAYERS, shipOf, type Battle } from "../src/scenes/tidebreak/battle";
import { contactWords, nearest } from "../src/scenes/tidebreak/Contacts";
import { tell } from "../src/scenes/tidebreak/event_words";
import { facts, gauges } from "../src/scenes/tidebreak/gauges";
import { halfLength } from "../src/scenes/tidebreak/hulls";
import { INKS } from "../src/scenes/tidebreak/inks";
import { journalOf } from "../src/scenes/tidebreak/journal";
import { agentName, moments } from "../src/scenes/tidebreak/moments";
import { movedBattle, trailsOf, turned, wakesOf } from "../src/scenes/tidebreak/motion";
import { reachesOf } from "../src/scenes/tidebreak/paint_reach";
import { levelsOf } from "../src/scenes/tidebreak/paint_sea";
import { roundLength } from "../src/scenes/tidebreak/plot";
import { battleOf } from "../src/scenes/tidebreak/reading";
import { pictureOf, sideOf } from "../src/scenes/tidebreak/seen";
import { nextSide } from "../src/scenes/tidebreak/view";
import { clock, compass, distance, endingWords } from "../src/scenes/tidebreak/words";
import { contrast } from "./contrast";
import { frame } from "./frames_of_tests";

const convoy = battleReplay(CONVOY_RUN).frames;
const duel = battleReplay(DUEL_RUN).frames;
const at = (frames: readonly Frame[], index: number): Battle => {
  const battle = battleOf(frames[index] ?? null);
  if (!battle) throw new Error(`frame ${index} shows no battle`);
  return battle;
};
const EVERYTHING = { surface: true, submerged: true, abyssal: true };

describe("reading a battle", () => {
  it("turns the world's coordinates into the chart's", () => {
    const told = convoy[0]!.render_state["ships"] as Record<string, Record<string, number>>;
    const ship = shipOf(at(convoy, 0), "4")!;
    expect(ship.y).toBe(-told["4"]!["y"]!);
    expect(ship.heading).toBeCloseTo(-told["4"]!["heading"]!);
    expect(at(convoy, 0).chart).toMatchObject({ x: 0, y: -12_000, width: 30_000, height: 12_000 });
  });

  it("knows thirteen ships, their layers and what is absent", () => {
    const battle = at(convoy, 0);
    expect(battle.ships).toHaveLength(13);
    expect(battle.ships.filter((ship) => ship.layer === "submerged")).toHaveLength(2);
    expect(battle.ships.every((ship) => ship.fate === null && ship.layer_next === null)).toBe(true);
    expect(battle.seen_by).toBeNull();
  });

  it("takes layers by number or by name, and what is beyond the last as air", () => {
    const ship = { name: "A", team: "blue", layer: "abyssal", layer_next: "submerged" };
    const state = {
      map: {},
      ships: { "0": ship },
      rounds: { "9": { weapon: "missile", layer: 3, seeker: [4000, 0.524] } },
    };
    const battle = battleOf(frame(0, { render_state: state }))!;
    expect(battle.rounds[0]?.seeker).toEqual({ range: 4000, half: 0.524 });
    expect(battle.ships[0]).toMatchObject({ layer: "abyssal", layer_next: "submerged" });
    expect(battle.rounds[0]?.layer).toBe("air");
    expect(battleOf(frame(0))).toBeNull();
  });
});

describe("movement", () => {
  it("is halfway between two ticks, and turns the shorter way", () => {
    const [before, after] = [at(convoy, 99), at(convoy, 100)];
    const half = shipOf(movedBattle(after, before, 0.5), "4")!;
    const [a, b] = [shipOf(before, "4")!, shipOf(after, "4")!];
    expect(half.x).toBeCloseTo((a.x + b.x) / 2);
    expect(turned(3, -3, 0.5)).toBeCloseTo(Math.PI);
    expect(movedBattle(after, before, 1)).toBe(after);
  });

  it("leaves wakes and trails as far back as frames are known", () => {
    const earlier = (steps: number) => battleOf(convoy[200 - steps] ?? null);
    const battle = at(convoy, 200);
    expect(wakesOf(battle, earlier).get("0")?.length).toBe(31);
    expect(wakesOf(battle, () => null).get("0")).toHaveLength(1);
    const running = convoy.findIndex((one) =>
      battleOf(one)!.rounds.some((round) => round.weapon === "light_torpedo"),
    );
    const later = at(convoy, running + 5);
    const trails = trailsOf(later, (steps) => battleOf(convoy[running + 5 - steps] ?? null));
    expect([...trails.values()].some((way) => way.length === 6)).toBe(true);
  });
});

describe("what is shown", () => {
  const battle = at(convoy, 250);

  it("is everything in truth, and in a side's picture its own ships and tracks of the others", () => {
    expect(pictureOf(battle, null, EVERYTHING)).toMatchObject({ tracks: [] });
    const blue = pictureOf(battle, "blue", EVERYTHING);
    expect(blue.battle.ships.every((ship) => ship.team === "blue")).toBe(true);
    expect(blue.battle.rounds.every((round) => round.team === "blue")).toBe(true);
    expect(blue.tracks.length).toBeGreaterThan(0);
    expect(blue.battle.noise).toBeNull();
  });

  it("cannot be widened by a player beyond the own side", () => {
    const seen = { ...battle, seen_by: "blue" };
    expect(sideOf(seen, null)).toBe("blue");
    expect(sideOf(seen, "red")).toBe("blue");
    expect(pictureOf(seen, "red", EVERYTHING).battle.ships.some((one) => one.team === "red")).toBe(
      false,
    );
  });

  it("leaves out layers, but not whoever is about to enter a shown one", () => {
    const surface = { surface: true, submerged: false, abyssal: false };
    const start = at(convoy, 0);
    expect(pictureOf(start, null, surface).battle.ships).toHaveLength(11);
    const rising = convoy.findIndex((one) =>
      battleOf(one)!.ships.some((ship) => ship.layer_next !== null),
    );
    expect(pictureOf(at(convoy, rising), null, surface).battle.ships.length).toBeGreaterThan(
      at(convoy, rising).ships.filter((ship) => ship.layer === "surface").length,
    );
  });

  it("goes from the truth to each side and back", () => {
    expect(nextSide(null, ["blue", "red"])).toBe("blue");
    expect(nextSide("blue", ["blue", "red"])).toBe("red");
    expect(nextSide("red", ["blue", "red"])).toBeNull();
  });

  it("is framed around the ships in steps, never outside the sea", () => {
    const area = { ...battle.chart, margin: 100, closeUp: 4500, zoomMax: 24 };
    const action = actionOf(pictureOf(battle, null, EVERYTHING), area);
    expect(action.width).toBeLessThan(area.width);
    expect(action.x).toBeGreaterThanOrEqual(area.x);
    expect(action.y + action.height).toBeLessThanOrEqual(area.y + area.height + 1e-6);
    for (const ship of battle.ships.filter((one) => one.fate === null)) {
      expect(ship.x).toBeGreaterThanOrEqual(action.x);
      expect(ship.x).toBeLessThanOrEqual(action.x + action.width);
    }
  });
});

describe("the journal", () => {
  const journal = journalOf(convoy, null);

  it("tells the chain that led to a sinking, root first", () => {
    const sinking = journal.happenings.find(({ event }) => event.kind === "destroyed")!;
    const kinds = journal.chainOf(sinking.event.id).map(({ event }) => event.kind);
    expect(kinds).toEqual(["order", "fired", "hit", "destroyed"]);
    const [root, ...rest] = journal.chainOf(sinking.event.id);
    expect(rest.every(({ event }) => event.trace === root!.event.id)).toBe(true);
    expect(journal.ledTo(root!.event.id).map(({ event }) => event.kind)).toContain("fired");
  });

  it("begins at the root where a link in between was dropped, and ends where causes go round", () => {
    const told = (id: number, cause: number, trace: number) => ({ id, cause, trace, kind: "hit" });
    const state = (events: object[]) => ({ map: {}, ships: {}, events });
    const gap = journalOf(
      [frame(0, { render_state: state([told(1, 0, 1), told(5, 4, 1)]) })],
      null,
    );
    expect(gap.chainOf(5).map(({ event }) => event.id)).toEqual([1, 5]);
    const round = journalOf(
      [frame(0, { render_state: state([told(1, 2, 1), told(2, 1, 1)]) })],
      null,
    );
    expect(round.chainOf(2).map(({ event }) => event.id)).toEqual([1, 2]);
    expect(round.chainOf(99)).toEqual([]);
  });

  it("speaks of every event, with names where they are known", () => {
    for (const { event } of journal.happenings) {
      expect(tell(event, journal.nameOf).text).not.toMatch(/undefined|null|_/);
    }
    const event = {
      ...journal.happenings[0]!.event,
      kind: "hit",
      source: "4",
      target: "8",
      value: 25,
    };
    expect(tell(event, journal.nameOf).text).toBe("Pike is hit by Resolute, 25 points");
    expect(tell({ ...event, source: null }, journal.nameOf).text).toBe("Pike is hit, 25 points");
    expect(tell({ ...event, kind: "new_kind" }, journal.nameOf).text).toBe("New kind");
  });

  it("puts nobody in the place of whoever is not named", () => {
    const names: Record<string, string> = { "1": "Kestrel", "2": "Pike" };
    const words = (kind: string, source: string | null, target: string | null) =>
      tell({ ...journal.happenings[0]!.event, value: 0, kind, source, target }, (id) =>
        id === null ? null : (names[id] ?? null),
      ).text;
    expect(words("destroyed", "1", "2")).toBe("Pike is sunk by Kestrel");
    expect(words("destroyed", "1", null)).toBe("A ship is sunk by Kestrel");
    expect(words("destroyed", null, "1")).toBe("Kestrel is sunk");
    expect(words("destroyed", "1", "1")).toBe("Kestrel is sunk");
    expect(words("damaged", "1", null)).toBe("A ship takes damage");
    expect(words("fire_started", "1", null)).toBe("Fire aboard a ship");
    expect(words("fired", null, "1")).toBe("Somebody fires at Kestrel");
    expect(words("collided", null, "1")).toBe("Kestrel collides with something");
    expect(words("surrendered", "1", "2")).toBe("Kestrel surrenders");
    expect(words("surrendered", null, "1")).toBe("A ship surrenders");
    expect(words("squadron_lost", "1", "30")).toBe("Kestrel destroys a squadron");
    expect(words("squadron_launched", "30", "1")).toBe("Kestrel launches a squadron");
  });

  it("marks losses on the scrubber and leaves shots out", () => {
    const names = moments(convoy, null).map((one) => one.name);
    expect(names.some((name) => name.includes("is sunk"))).toBe(true);
    expect(names.some((name) => name.includes("fires"))).toBe(false);
    expect(moments(convoy, null).length).toBeLessThan(120);
    expect(agentName(convoy[0]!, 4)).toBe("Resolute");
  });
});

describe("dials and words", () => {
  it("show both sides to who watches, and the own ship to who plays", () => {
    expect(gauges(at(duel, 0)).map((one) => one.label)).toEqual(["Blue", "Red"]);
    const played = { ...at(duel, 0), seen_by: "red" };
    expect(gauges(played).map((one) => one.label)).toEqual(["Hull", "Morale", "Fuel"]);
    expect(facts(played, "red").map((one) => one.label)).toContain("Course");
  });

  it("are what a sailor would say", () => {
    expect(compass(-Math.PI / 2)).toBe(0);
    expect(compass(0)).toBe(90);
    expect(compass(Math.PI)).toBe(270);
    expect([clock(247), distance(830), distance(4200), distance(16_000)]).toEqual([
      "04:07",
      "830 m",
      "4.2 km",
      "16 km",
    ]);
    const over = { ...at(duel, 0), ended_by: "time_limit", winner: "blue" };
    expect(endingWords(over)).toBe("Blue wins: time is up");
    expect(endingWords({ ...over, winner: null })).toBe("A draw: time is up");
  });

  it("order contacts by how well they are known", () => {
    const battle = at(convoy, 250);
    const from = shipOf(battle, "4")!;
    const sorted = nearest(battle.knowledge["blue"]!, from);
    expect(sorted.map((one) => one.quality)).toEqual(
      sorted.map((one) => one.quality).toSorted((a, b) => b - a),
    );
    expect(contactWords(sorted[0]!)).toMatch(/^(Hostile|Unknown), Q\d/);
  });

  it("join mounts of one weapon", () => {
    const mount = { weapon: "medium_gun", group: "gun", range: 8000, rounds: 5, ready: false };
    const joined = reachesOf([mount, { ...mount, ready: true, rounds: 7 }]);
    expect(joined).toEqual([{ weapon: "medium_gun", range: 8000, rounds: 12, ready: true }]);
    expect(reachesOf([{ ...mount, ready: true, rounds: 0 }])[0]?.ready).toBe(false);
  });
});

describe("the plot", () => {
  it("draws hulls to scale, but never too small to see", () => {
    const corvette = { hull: "corvette", size: "S", r: 45 };
    expect(halfLength(corvette, 1)).toBe(45);
    expect(halfLength(corvette, 0.01)).toBeGreaterThanOrEqual(8);
    expect(halfLength({ hull: "arcology", size: "XL", r: 400 }, 0.01)).toBeGreaterThan(
      halfLength(corvette, 0.01),
    );
  });

  it("has round lengths on its scale and loudness between 0 and 1", () => {
    expect(roundLength(0.07, 130)).toBe(1000);
    expect(roundLength(0.001, 130)).toBe(50_000);
    const noise = convoy.map((one) => battleOf(one)!.noise).find((one) => one !== null)!;
    expect(Object.keys(noise.layers)).toEqual(["surface", "submerged"]);
    for (const layer of ["surface", "submerged"] as const) {
      const levels = levelsOf(noise, layer);
      expect(levels).toHaveLength(noise.w * noise.h);
      expect(Math.min(...levels)).toBe(0);
      expect(Math.max(...levels)).toBeLessThanOrEqual(1);
    }
  });

  it("writes in colours that hold AA on its cards and on the sea", () => {
    const grounds = { dark: "#0a1220", light: "#fffdf9" };
    for (const theme of ["dark", "light"] as const) {
      const inks = INKS[theme];
      for (const ink of ["text", "muted", "good", "warn", "bad", "gold"] as const) {
        expect(contrast(inks[ink], grounds[theme]), `${theme} ${ink}`).toBeGreaterThan(4.5);
      }
      for (const ink of inks.teams) expect(contrast(ink, inks.seaLit), ink).toBeGreaterThan(4.5);
      expect(contrast(inks.bad, inks.seaLit)).toBeGreaterThan(4.5);
    }
  });

  it("is found by the world's name and brings its panels", async () => {
    const module = await loadScene("tidebreak");
    expect(module.panels?.map((panel) => panel.name)).toEqual(["ship", "state", "events"]);
    expect(LAYERS).toHaveLength(3);
  });
});
