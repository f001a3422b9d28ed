import { describe, expect, it } from "vitest";
import { newClock } from "../src/player/clock";
import { keyframes, marks, nextKeyframe, previousKeyframe, toneOf } from "../src/player/keyframes";
import { pressed } from "../src/player/keys";

const EVENTS = [
  { frame: 3, name: "fracture" },
  { frame: 3, name: "destroyed" },
  { frame: 7, name: "cash_out" },
];

describe("keyframes", () => {
  it("are the ends, the events and the largest rewards", () => {
    expect(keyframes(EVENTS, [0, 0, 0, 0, 0, 9], 1, 10)).toEqual([0, 3, 5, 7, 9]);
  });

  it("know that rewards may be thinned", () => {
    expect(keyframes([], [0, 4], 5, 10)).toEqual([0, 5, 9]);
  });

  it("are found on either side", () => {
    expect(nextKeyframe([0, 3, 9], 3)).toBe(9);
    expect(nextKeyframe([0, 3, 9], 9)).toBeNull();
    expect(previousKeyframe([0, 3, 9], 3)).toBe(0);
  });

  it("are none in an empty replay", () => {
    expect(keyframes(EVENTS, [1], 1, 0)).toEqual([]);
  });
});

describe("marks", () => {
  it("join neighbours and show the gravest", () => {
    const found = marks(EVENTS, 10, 100);
    expect(found.map((mark) => mark.frame)).toEqual([3, 7]);
    expect(found[0]?.tone).toBe("bad");
    expect(found[0]?.names).toEqual(["Fracture", "Destroyed"]);
  });

  it("judge no word they do not know", () => {
    expect(toneOf("something_new")).toBe("plain");
    expect(toneOf("keeper_0:lost")).toBe("bad");
  });
});

describe("keys", () => {
  const clock = { ...newClock(), available: 10, total: 10, position: 4 };
  const at = (key: string, shift = false) => pressed(clock, key, shift, [0, 3, 9])?.position;

  it("step, jump and go to the ends", () => {
    expect(at("ArrowRight")).toBe(5);
    expect(at("ArrowLeft")).toBe(3);
    expect(at("ArrowRight", true)).toBe(9);
    expect(at("ArrowLeft", true)).toBe(3);
    expect(at("Home")).toBe(0);
    expect(at("End")).toBe(9);
  });

  it("leave unknown keys alone", () => {
    expect(pressed(clock, "x", false, [])).toBeNull();
  });

  it("change speed and loop", () => {
    expect(pressed(clock, "]", false, [])?.speed).toBe(2);
    expect(pressed(clock, "[", false, [])?.speed).toBe(0.5);
    expect(pressed(clock, "l", false, [])?.loop).toBe(true);
    expect(pressed(clock, " ", false, [])?.playing).toBe(true);
  });
});
