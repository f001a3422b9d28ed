import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { MadeUpTown } from "../mock/town/life";
import { resident } from "../mock/town/residents";
import type { Frame } from "../src/api/types";
import { loadScene } from "../src/scenes/loading";
import { Needs, Standing } from "../src/scenes/townlet/CitizenPanel";
import { termsOfDay } from "../src/scenes/townlet/Earnings";
import { isNews } from "../src/scenes/townlet/event_words";
import { heirOf } from "../src/scenes/townlet/Farewell";
import { gauges } from "../src/scenes/townlet/gauges";
import { agentName, moments } from "../src/scenes/townlet/moments";
import { sorted } from "../src/scenes/townlet/Residents";
import { townOf, wellBeing, type Town } from "../src/scenes/townlet/town";
import { Trail } from "../src/scenes/townlet/trail";
import { venuesOf } from "../src/scenes/townlet/venues";
import { because, cityWords, itemWords, lengthOf } from "../src/scenes/townlet/words";
import { frame } from "./frames_of_tests";

const frames = new MadeUpTown(8).frames(1100);
const townAt = (index: number): Town => {
  const town = townOf(frames[index] ?? null);
  if (!town) throw new Error(`frame ${index} has no town`);
  return town;
};

/** A town of one, as the core tells it. */
const told = frame(0, {
  render_state: {
    ground: {
      size: [20, 10],
      ticks_per_day: 500,
      bus_stop: [1, 4],
      jobs: { cook: { start: 100, end: 200, site: [5, 5], radius: 2 } },
      map: ["#".repeat(20)],
    },
    tick: 3,
    day: 0,
    tod: 3,
    agents: {
      ann: {
        seat: 1,
        serial: 4,
        position: [2, 3],
        option: "GetFed",
        needs: { hunger: 0.2, hygiene: 0.9, energy: 0.8 },
        wallet: 1.5,
        inventory: {},
        profile: "stoic",
        traits: [0, 0, 0],
        since: 0,
        target: "grill",
        job: { job_id: "cook", shift_state: "pre" },
        ties: { bob: { trust: 0.1, familiarity: 0.2, rivalry: 0 } },
      },
    },
    objects: {
      grill: { type: "grill", position: [4, 4], queue: [], stock: {}, venue: "cafe", power: true },
    },
    prices: {},
    utilities: { power: true, water: true },
    perturbations: { 7: { spec: "dark", kind: "blackout", ends: 9 } },
    events: [],
  },
});

describe("a portrait", () => {
  const town = townOf(told);

  it("is read with all that it leaves out", () => {
    expect(town?.agents[0]).toMatchObject({
      id: "ann",
      running: null,
      waiting: null,
      target: "grill",
      hospital: false,
      job: { job_id: "cook", exit_pending: false },
      ties: [{ other: "bob", trust: 0.1 }],
    });
    expect(town?.objects[0]).toMatchObject({ id: "grill", holder: null, closed: false });
    expect(town).toMatchObject({ ticks_per_day: 500, size: [20, 10], bus_stop: [1, 4] });
    expect(town?.perturbations).toEqual([{ id: "7", spec: "dark", kind: "blackout", ends: 9 }]);
  });

  it("says itself where a thing belongs, and where the bus stops", () => {
    const venues = venuesOf(town!);
    expect(venues.map((venue) => venue.name)).toEqual(["cafe", "bus"]);
    expect(venues[1]).toMatchObject({ x: 0, y: 3, width: 3, height: 3 });
  });
});

describe("moments", () => {
  it("mark arrivals, farewells, outages and days, in order and in words", () => {
    const found = moments(frames);
    expect(found.map((one) => one.frame)).toEqual(
      found.map((one) => one.frame).sort((a, b) => a - b),
    );
    expect(found).toContainEqual({ frame: 300, name: "The power goes out", tone: "bad" });
    expect(found).toContainEqual({ frame: 494, name: "Heidi II arrives in town", tone: "good" });
    expect(found).toContainEqual({ frame: 999, name: "Day 2", tone: "plain" });
    expect(found.some((one) => one.name.includes("talk"))).toBe(false);
  });

  it("know who sits where", () => {
    expect(agentName(frames[0]!, 0)).toBe("Alice");
    expect(agentName(frames[485]!, 7)).toBe("Seat 8, free");
    expect(agentName(frames[500]!, 7)).toBe("Heidi II");
    expect(agentName(frame(0), 0)).toBeNull();
  });
});

describe("words", () => {
  it("measure time by the town's clock", () => {
    expect(lengthOf(60, 1000)).toBe("1 h 26 min");
    expect(lengthOf(125, 1000)).toBe("3 h");
    expect(lengthOf(1, 1000)).toBe("1 min");
  });

  it("tell what the city is up to", () => {
    const event = { id: "1", spec: "x", ends: 9 };
    expect(cityWords({ ...event, kind: "outage" })).toBe("No water");
    expect(cityWords({ ...event, kind: "facility_closure", place: "shower_1" })).toBe(
      "Shower 1 is closed",
    );
    expect(
      cityWords({ ...event, kind: "arranged_meet", place: "cafe", targets: ["ann", "bob"] }),
    ).toBe("Ann and Bob are to meet at the cafe");
    expect(cityWords({ ...event, kind: "new_kind", spec: "odd_thing" })).toBe("Odd thing");
  });

  it("say why something failed, and what is carried", () => {
    expect(because("insufficient_funds")).toBe("not enough money");
    expect(because("new_reason")).toBe("new reason");
    expect(itemWords("meal", 1)).toBe("a packed meal");
    expect(itemWords("food_raw", 2)).toBe("2 bags of groceries");
  });

  it("leave out what is told twice", () => {
    const event = { tick: 1, seq: 1 };
    expect(isNews({ ...event, event: "sleep_complete" })).toBe(false);
    expect(isNews({ ...event, event: "affordance_finish" })).toBe(true);
  });
});

describe("a card", () => {
  it("adds up the terms of the day, largest first, without crumbs", () => {
    const earning = [0, 1, 2, 3].map((at) =>
      frame(at, { terms: [{}, { wage: 0.02, shaping: -0.5, clip_adjustment: 1e-18 }] }),
    );
    expect(Object.entries(termsOfDay(earning, 3, 1, 2))).toEqual([
      ["shaping", -1],
      ["wage", 0.04],
    ]);
    expect(termsOfDay(earning, 3, 0, 3)).toEqual({});
    // The frame in which a day begins shows the last tick of the one before.
    expect(termsOfDay(earning, 3, 1, 0)).toEqual({});
  });

  it("says nothing of the shifts of whoever has no job", () => {
    const town = townAt(0);
    const card = (job_id: string | null) => {
      const citizen = { ...resident(0), ties: [], job: { ...resident(0).job, job_id } };
      const shown = { citizen, town, frames, at: 0, perDay: 1000 };
      return renderToStaticMarkup(createElement(Standing, shown));
    };
    const said = (label: string, text: string) => `<dt>${label}</dt><dd>${text}</dd>`;
    for (const label of ["Shift", "Attendance"]) {
      expect(card(null)).toContain(said(label, "–"));
      expect(card("grocer")).not.toContain(said(label, "–"));
    }
  });

  it("leads from somebody who left to whoever has the name now", () => {
    expect(heirOf(townAt(600), "heidi")).toBe("heidi#1");
    expect(heirOf(townAt(485), "heidi")).toBeNull();
  });

  it("finds the needy and the rich", () => {
    const people = [
      { ...resident(0), wallet: 1, needs: { hunger: 0.9, hygiene: 0.9, energy: 0.9 } },
      { ...resident(1), wallet: 9, needs: { hunger: 0.1, hygiene: 0.9, energy: 0.9 } },
    ];
    expect(sorted(people, "needy").map((one) => one.seat)).toEqual([1, 0]);
    expect(sorted(people, "rich").map((one) => one.seat)).toEqual([1, 0]);
    expect(sorted(people, "seat").map((one) => one.seat)).toEqual([0, 1]);
  });
});

describe("warmth", () => {
  const told = (warmth?: number) =>
    frame(0, {
      render_state: {
        ...(frames[0]!.render_state as object),
        agents: {
          ann: { seat: 0, ties: {}, job: {}, ...(warmth === undefined ? {} : { warmth }) },
          bob: { seat: 1, ties: {}, job: {}, ...(warmth === undefined ? {} : { warmth: 1 }) },
        },
      },
    });
  const needs = (from: Frame) =>
    renderToStaticMarkup(
      createElement(Needs, {
        citizen: townOf(from)!.agents[0]!,
        frames: [from],
        at: 0,
        perDay: 500,
      }),
    );

  it("is a fourth bar on the card where the cold is felt, and none elsewhere", () => {
    const bars = needs(told(0.15)).match(/<li>.*?<\/li>/g) ?? [];
    expect(bars).toHaveLength(4);
    expect(bars[3]).toContain("<span>Warmth</span>");
    expect(bars[3]).toContain("gauge-bad");
    expect(bars[3]).toContain("width:15%");
    expect(bars[3]).toContain("Warmth over the last day");
    expect(needs(told()).match(/<li>/g)).toHaveLength(3);
    expect(needs(told())).not.toContain("Warmth");
  });

  it("is a dial of the town, and makes who is cold the worst off", () => {
    const dials = gauges(told(0.3));
    expect(dials.map((one) => one.label)).toEqual(["Hunger", "Hygiene", "Energy", "Warmth"]);
    expect(dials[3]).toMatchObject({ value: 0.65, tone: "good", text: "65 %" });
    expect(gauges(told())).toHaveLength(3);
    expect(wellBeing(townOf(told(0.15))!.agents[0]!)).toBe(0.15);
    expect(wellBeing(townOf(told())!.agents[0]!)).toBe(1);
  });
});

describe("a trail", () => {
  const walk = (tick: number, x: number): Town => ({
    ...townAt(0),
    tick,
    agents: [{ ...resident(0), position: [x, 5] }],
  });

  it("grows step by step and begins anew after a jump", () => {
    const trail = new Trail();
    for (const [tick, x] of [
      [1, 1],
      [2, 2],
      [3, 2],
      [4, 3],
    ] as const)
      trail.take(walk(tick, x), "alice");
    expect(trail.way).toEqual([
      [1, 5],
      [2, 5],
    ]);
    trail.take(walk(900, 9), "alice");
    expect(trail.way).toEqual([]);
  });
});

describe("sounds", () => {
  it("are none in a town, whatever a ship would sound like", async () => {
    expect("cues" in (await loadScene("townlet"))).toBe(false);
  });
});

describe("a frame of the made-up town", () => {
  it("is told without nulls, as a portrait must be", () => {
    const seen = JSON.stringify((frames[500] as Frame).render_state);
    expect(seen).not.toContain("null");
  });
});
