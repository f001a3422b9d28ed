import { describe, expect, it } from "vitest";
import { MadeUpTown } from "../mock/town/life";
import { resident } from "../mock/town/residents";
import { closeTo, fitted, placeAt, within } from "../src/scenes/map/camera";
import { neighbour } from "../src/scenes/map/view";
import { curvePoints } from "../src/scenes/panel/Curve";
import { lastEvents } from "../src/scenes/panel/last_events";
import { Chronicle } from "../src/scenes/townlet/chronicle";
import { dayInWords } from "../src/scenes/townlet/day";
import { tell } from "../src/scenes/townlet/event_words";
import { historyOf } from "../src/scenes/townlet/history";
import { COAT_INK, coatOf, INKS } from "../src/scenes/townlet/inks";
import { daylight, twilight } from "../src/scenes/townlet/light";
import { between, citizenAt, standings } from "../src/scenes/townlet/motion";
import { outOfOrder, queueLines, tieLines } from "../src/scenes/townlet/overlays";
import { townOf, type Citizen, type Town } from "../src/scenes/townlet/town";
import { venuesOf } from "../src/scenes/townlet/venues";
import { areaOfTown } from "../src/scenes/townlet/stage";
import { townView } from "../src/scenes/townlet/view";
import {
  clockOf,
  doingWords,
  initialOf,
  nameOf,
  progressOf,
  weatherWords,
} from "../src/scenes/townlet/words";
import { frame } from "./frames_of_tests";
import { contrast } from "./contrast";

const frames = new MadeUpTown(8).frames(1000);
const townAt = (index: number): Town => {
  const town = townOf(frames[index] ?? null);
  if (!town) throw new Error(`frame ${index} has no town`);
  return town;
};
const chronicle = new Chronicle();
chronicle.read(frames);

function standing(id: string, x: number, y: number, change: Partial<Citizen> = {}) {
  const citizen = { ...resident(0), id, ties: [], ...change };
  return { citizen, x, y, presence: 1, walking: false };
}

describe("words", () => {
  it("give people names, heirs included", () => {
    expect(nameOf("alice")).toBe("Alice");
    expect(nameOf("alice#1")).toBe("Alice II");
    expect(nameOf("resident_03")).toBe("Resident 3");
    expect([initialOf("alice#2"), initialOf("resident_10")]).toEqual(["A", "10"]);
  });

  it("read the clock of a day that begins at four", () => {
    expect(clockOf(0)).toBe("04:00");
    expect(clockOf(250)).toBe("10:00");
    expect(clockOf(999)).toBe("03:58");
  });

  it("say what somebody does, the most telling first", () => {
    const town = townAt(0);
    const citizen = resident(0);
    expect(doingWords({ ...citizen, running: "use_shower" }, town)).toBe("is showering");
    expect(doingWords({ ...citizen, option: "GetFed" }, town)).toBe("wants to eat");
    const thing = town.objects.find((one) => one.type === "shower");
    const busy = { ...town, objects: [{ ...thing!, queue: ["bob", "alice"] }] };
    expect(doingWords({ ...citizen, waiting: thing!.id }, busy)).toBe(
      "waits for shower 1, place 2 in line",
    );
  });

  it("say who argues with whom and what the weather is", () => {
    const town = townAt(0);
    const citizen = { ...resident(0), waiting: "shower_1", argues_with: "bob" };
    expect(doingWords(citizen, town)).toBe("argues with Bob");
    const under = (now: "sunny" | "rainy" | "cold") =>
      weatherWords({ ...town, weather: { now, ordered: false } });
    expect([weatherWords(town), under("sunny")]).toEqual([null, null]);
    expect([under("rainy"), under("cold")]).toEqual(["Rain", "Bitter cold"]);
    const event = { tick: 1, seq: 1, agent_id: "alice", other_id: "bob", object_id: "shower_1" };
    expect(tell({ ...event, event: "public_argument" }).text).toBe(
      "Alice and Bob argue at shower 1",
    );
    expect(tell({ event: "weather_changed", tick: 1, seq: 2, reason: "rainy" }).text).toBe(
      "It begins to rain",
    );
    expect(tell({ ...event, event: "meal_spoiled", meals: 2 }).text).toBe(
      "Alice throws away 2 meals",
    );
  });

  it("measure how far something has come", () => {
    const citizen = { ...resident(0), running: "use_shower", runs_from: 100, runs_until: 130 };
    expect(progressOf(citizen, 100)).toBe(0);
    expect(progressOf(citizen, 115)).toBe(0.5);
    expect(progressOf({ ...citizen, running: null }, 115)).toBeNull();
  });

  it("tell known events as sentences and unknown ones by name", () => {
    const event = { tick: 1, seq: 1, agent_id: "alice", other_id: "bob" };
    expect(tell({ ...event, event: "chat_success" })).toEqual({
      story: "social",
      tone: "good",
      text: "Alice has a good talk with Bob",
    });
    expect(
      tell({ ...event, event: "agent_removed", reason: "eviction", days_lived: 2.5 }).text,
    ).toBe("Alice leaves: was evicted after 2.5 days");
    expect(tell({ ...event, event: "new_thing" }).text).toBe("Alice: New thing");
  });
});

describe("a frame", () => {
  it("without a town is none", () => {
    expect(townOf(frame(0))).toBeNull();
    expect(townOf(null)).toBeNull();
  });
});

describe("a day in words", () => {
  const lines = (id: string, at: number) => dayInWords(chronicle.entriesOf(id), 0, 1000, at);

  it("tells a shift as long as it was paid for", () => {
    const shift = lines("alice", 999).find((line) => line.kind === "work");
    expect(shift?.text).toBe("Worked as grocer");
    expect((shift?.until ?? 0) - (shift?.from ?? 0)).toBeGreaterThan(100);
    expect(lines("alice", 300).find((line) => line.kind === "work")).toMatchObject({
      text: "Works as grocer",
      until: null,
    });
  });

  it("tells nothing of what comes later", () => {
    expect(lines("alice", 250).every((line) => line.from <= 251)).toBe(true);
    expect(lines("alice", 250).length).toBeLessThan(lines("alice", 999).length);
  });

  it("joins talks with the same person", () => {
    const talk = (from: number, other: string) => ({
      kind: "talk" as const,
      tone: "good" as const,
      frame: from,
      endFrame: from,
      from,
      until: from,
      doing: `Talked with ${other}`,
      done: `Talked with ${other}`,
      other,
    });
    const told = dayInWords([talk(10, "bob"), talk(50, "bob"), talk(60, "eve")], 0, 1000, 99);
    expect(told.map((line) => line.text)).toEqual(["Talked with bob, 2 times", "Talked with eve"]);
  });

  it("remembers who left and why", () => {
    expect(chronicle.departures).toMatchObject([{ id: "heidi", reason: "eviction", days: 0.5 }]);
    expect(lines("heidi", 999).at(-1)?.text).toBe("Was evicted and left town");
  });

  it("reads frames that come later only once", () => {
    const growing = new Chronicle();
    growing.read(frames.slice(0, 500));
    growing.read(frames);
    growing.read(frames);
    expect(growing.events.length).toBe(chronicle.events.length);
  });

  it("finds the newest events up to a frame", () => {
    const found = lastEvents(chronicle.events, 480, 3, () => true);
    expect(found).toHaveLength(3);
    expect(found.every((told) => told.frame <= 480)).toBe(true);
    expect(lastEvents(chronicle.events, -1, 3, () => true)).toEqual([]);
  });
});

describe("motion", () => {
  it("walks between neighbouring tiles and jumps over longer ways", () => {
    expect(between([1, 1], [2, 1], 0.5)).toEqual([1.5, 1]);
    expect(between([1, 1], [20, 9], 0.5)).toEqual([20, 9]);
  });

  it("fades those who come and those who go", () => {
    const [before, after] = [townAt(479), townAt(480)];
    const going = standings(after, before, 0.25).find((one) => one.citizen.id === "heidi");
    expect(going?.presence).toBe(0.75);
    const coming = standings(townAt(494), townAt(493), 0.25).find((one) => one.presence < 1);
    expect(coming?.citizen.id).toBe("heidi#1");
  });

  it("finds whom a click means", () => {
    const all = [standing("a", 4, 4), standing("b", 6, 4)];
    expect(citizenAt(all, 6.4, 4.4, 1.1)?.id).toBe("b");
    expect(citizenAt(all, 20, 20, 1.1)).toBeNull();
  });
});

describe("overlays", () => {
  it("draw one line for a pair, green for friends and red for rivals", () => {
    const tie = { other: "b", trust: 0.4, familiarity: 0.4, rivalry: 0 };
    const back = { other: "a", trust: 0, familiarity: 0, rivalry: 0.2 };
    const all = [standing("a", 0, 0, { ties: [tie] }), standing("b", 2, 0, { ties: [back] })];
    const [line, ...more] = tieLines(all, null);
    expect(more).toEqual([]);
    expect(line?.warmth).toBeCloseTo(0.1);
    expect(line).toMatchObject({ x1: 0.5, x2: 2.5 });
    expect(tieLines(all, "c")).toEqual([]);
  });

  it("lead from a thing through those who wait for it", () => {
    const thing = { ...townAt(0).objects[10]!, queue: ["a", "gone", "b"] };
    const [line] = queueLines([thing], [standing("a", 20, 22), standing("b", 20, 23)]);
    expect(line?.points.map(({ y }) => y)).toEqual([20.5, 22.5, 23.5]);
    expect(queueLines([{ ...thing, queue: [] }], [])).toEqual([]);
  });

  it("mark what an outage stops", () => {
    const shower = townAt(0).objects.find((one) => one.type === "shower")!;
    const bed = townAt(0).objects.find((one) => one.type === "bed")!;
    expect(outOfOrder(shower, { power: false, water: true })).toBe("power");
    expect(outOfOrder(shower, { power: true, water: false })).toBe("water");
    expect(outOfOrder(bed, { power: false, water: false })).toBeNull();
    expect(outOfOrder({ ...bed, closed: true }, { power: true, water: true })).toBe("closed");
  });
});

describe("the map", () => {
  it("has an area for every venue, inside the grid, around all its things", () => {
    const venues = venuesOf(townAt(0));
    expect(venues.map((venue) => venue.title).sort()).toEqual(
      ["Bus stop", "Café", "Grocer", "Gym", "Homes", "Office", "Park"].sort(),
    );
    const homes = venues.find((venue) => venue.name === "home")!;
    expect([homes.x, homes.y, homes.width, homes.height]).toEqual([2, 2, 41, 11]);
    expect(venues.every((venue) => venue.x >= 0 && venue.x + venue.width <= 48)).toBe(true);
  });

  it("keeps whom is followed in view and the edge outside", () => {
    const room = { width: 1000, height: 600 };
    const whole = fitted(areaOfTown([48, 48]), room);
    expect(whole.scale * 48).toBeLessThanOrEqual(600);
    const near = closeTo(areaOfTown([48, 48]), room, 1, 1, 1);
    expect(near.scale).toBeGreaterThan(whole.scale);
    expect(near.x - room.width / near.scale / 2).toBeCloseTo(-0.5);
    expect(within(areaOfTown([48, 48]), room, { ...whole, x: 900 }).x).toBe(24);
  });

  it("knows the place under the pointer", () => {
    const camera = { x: 10, y: 20, scale: 10 };
    expect(placeAt(camera, { width: 200, height: 100 }, 100, 50)).toEqual({ x: 10, y: 20 });
    expect(placeAt(camera, { width: 200, height: 100 }, 110, 40)).toEqual({ x: 11, y: 19 });
  });

  it("is bright by day and dark at night", () => {
    expect([daylight(0), daylight(300), daylight(900)]).toEqual([0, 1, 0]);
    expect(daylight(83)).toBeCloseTo(0.5);
    expect(twilight(83)).toBeCloseTo(1);
  });
});

describe("curves", () => {
  it("show the last day of somebody, nothing before they came", () => {
    const values = historyOf(frames, 600, 200, "heidi#1", (citizen) => citizen.wallet);
    expect(values[0]).toBeNull();
    expect(values.at(-1)).toBeTypeOf("number");
    expect(curvePoints([0, null, 1], 1)).toBe("0.0,23.0 100.0,1.0");
  });
});

describe("the view", () => {
  it("goes from one citizen to the next and round again", () => {
    expect(neighbour(["a", "b"], null, 1)).toBe("a");
    expect(neighbour(["a", "b"], "b", 1)).toBe("a");
    expect(neighbour(["a", "b"], "a", -1)).toBe("b");
    expect(neighbour([], "a", 1)).toBeNull();
  });

  it("answers to keys", () => {
    townView.change({ followed: null, near: false });
    expect(townView.pressed(".", ["a", "b"])).toBe(true);
    expect(townView.current()).toMatchObject({ followed: "a", near: true });
    const before = townView.current().overlays.ties;
    expect(townView.pressed("r", [])).toBe(true);
    expect(townView.current().overlays.ties).toBe(!before);
    expect(townView.pressed("x", [])).toBe(false);
  });
});

describe("colours", () => {
  it("hold AA for writing on coats and on cards", () => {
    for (let serial = 0; serial < 12; serial++) {
      expect(contrast(coatOf(serial), COAT_INK)).toBeGreaterThan(4.5);
    }
    const grounds = { dark: "#0c1326", light: "#fffdf9" };
    for (const theme of ["dark", "light"] as const) {
      for (const ink of ["text", "muted", "good", "warn", "bad", "gold"] as const) {
        expect(contrast(INKS[theme][ink], grounds[theme])).toBeGreaterThan(4.5);
      }
    }
  });
});
