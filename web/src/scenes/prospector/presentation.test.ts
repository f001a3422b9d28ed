import { describe, expect, it } from "vitest";
import type { Frame } from "../../api/types";
import { DEFAULT_EFFECTS } from "../../assets/defaults";
import { fieldOf, rockSpot } from "./field";
import { facts, gauges } from "./gauges";
import { threatOf } from "./minimap";
import { notesOf } from "./notes";
import { LENGTH, readObservation } from "./reading";
import { recipeOf } from "./recipes";

function seen(changes: Record<number, number>): number[] {
  const observation = new Array<number>(LENGTH).fill(0);
  for (const [index, value] of Object.entries(changes)) observation[Number(index)] = value;
  return observation;
}

function frame(changes: Record<number, number>, info: Record<string, number> = {}): Frame {
  return {
    schema_version: 1,
    frame_index: 0,
    t: 1,
    dt: 1,
    action: 6,
    reward: 0,
    terminated: false,
    truncated: false,
    render_state: { observation: seen(changes) },
    events: [],
    info,
  };
}

describe("gauges", () => {
  it("judges what must stay high and what must stay low", () => {
    const tones = Object.fromEntries(
      gauges(frame({ 0: 0.1, 1: 0.5, 2: 0.9, 3: 1, 5: 0.2, 6: 1 })).map(({ label, tone }) => [
        label,
        tone,
      ]),
    );
    expect(tones).toEqual({
      Fuel: "bad",
      Hull: "warn",
      Heat: "bad",
      Tool: "good",
      Cargo: "plain",
      Alert: "good",
      Time: "good",
    });
  });

  it("keeps values within 0 and 1 and says them in words", () => {
    const dials = gauges(frame({ 0: 1.5, 4: 0.25 }, { time_remaining: 1999 }));
    for (const { value, text } of dials) {
      expect(value).toBeGreaterThanOrEqual(0);
      expect(value).toBeLessThanOrEqual(1);
      expect(text).not.toBe("");
    }
    expect(dials.find(({ label }) => label === "Cargo")?.text).toBe("50 / 200");
    expect(dials.find(({ label }) => label === "Time")?.text).toBe("1999 ticks");
  });
});

describe("facts", () => {
  const told = (changes: Record<number, number>, info = {}) =>
    Object.fromEntries(facts(frame(changes, info)).map(({ label, text }) => [label, text]));

  it("says where the ship is and what it carries", () => {
    const field = told({ 8: 0.1, 10: 0.05, 20: 1, 22: 5 / 31, 23: 1 / 31 }, { credits: 12345.6 });
    expect(field["Where"]).toBe("Rock field 5, 1 lane from home");
    expect(field["Hold"]).toBe("20 iron, 10 water ice");
    expect(field["Credits"]).toBe("12,346");
    expect(told({ 17: 1, 19: 1 })["Where"]).toBe("Docked at the station");
  });

  it("describes the selected rock by its two likeliest parts", () => {
    const rock = { 68: 1, 69: 0.6, 70: 0.3, 71: 0.1, 75: 0.5, 76: 0.25, 77: 0.9, 78: 1 };
    expect(told(rock)["Rock"]).toBe(
      "1, 60 % iron, 30 % nickel; 75 % left, stability 50 %, 90 % sure",
    );
    expect(told({})["Rock"]).toBe("none selected");
  });

  it("admits that a price shown at its base may be higher", () => {
    expect(told({ 244: 1, 250: 0.02, 256: 0.2 })["Iron price"]).toBe(
      "≥ 100 % of base ▲ 2.0, 100 in stock",
    );
  });
});

describe("notes", () => {
  const colors = [1, 2, 3, 4, 5, 6];
  const note = (before: Record<number, number>, after: Record<number, number>) =>
    notesOf(readObservation(seen(before)), readObservation(seen(after)), colors).map(
      ({ text }) => text,
    );

  it("tells what was dug and what was lost", () => {
    expect(note({ 1: 1 }, { 1: 0.9, 8: 0.05 })).toEqual(["−10 hull", "+10 iron"]);
  });

  it("tells a sale as money, not as lost cargo", () => {
    const credits = Math.log1p(300) / Math.log1p(10_000_000);
    expect(note({ 8: 0.05 }, { 7: credits })).toEqual(["+300 cr"]);
  });

  it("says nothing where nothing changed", () => {
    expect(note({ 1: 1 }, { 1: 0.995 })).toEqual([]);
  });
});

describe("the field", () => {
  it.each([
    [1200, 700],
    [360, 640],
    [320, 240],
  ])("keeps every rock on a host of %i by %i", (width, height) => {
    const field = fieldOf(width, height);
    for (let slot = 0; slot < 16; slot += 1) {
      const { x, y } = rockSpot(field, slot, 0, { x: 0, y: 0 });
      expect(x).toBeGreaterThan(0.02 * width);
      expect(x).toBeLessThan(0.98 * width);
      expect(y).toBeGreaterThan(0.02 * height);
      expect(y).toBeLessThan(0.98 * height);
    }
  });

  it("puts what is known nearer", () => {
    const field = fieldOf(800, 600);
    const away = (confidence: number) =>
      rockSpot(field, 0, confidence, { x: 0, y: 0 }).x - field.centerX;
    expect(away(0.9)).toBeLessThan(away(0.1));
  });
});

describe("threats", () => {
  it("are red from 0.75, amber from 0.45, else green", () => {
    const lane = { exists: true, kind: "cluster" as const, ticks: 1, fuel: 1, threat: 0 };
    expect([0.75, 0.74, 0.45, 0.44].map((threat) => threatOf({ ...lane, threat }))).toEqual([
      "high",
      "middle",
      "middle",
      "low",
    ]);
  });
});

describe("recipes", () => {
  it("know how every effect moves", () => {
    const rows = [...DEFAULT_EFFECTS.actions, ...Object.values(DEFAULT_EFFECTS.events)];
    for (const { vfx } of rows)
      expect(recipeOf(vfx) !== null || vfx === "vfx.none", vfx).toBe(true);
  });
});
