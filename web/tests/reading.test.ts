import { describe, expect, it } from "vitest";
import * as reading from "../src/player/reading";
import { frame } from "./frames_of_tests";

const WORDS = {
  obs_names: ["oil"],
  action_names: [["STAY_HERE", "GO"], ["REST"]],
  agents: ["a", "b"],
};

describe("frames of one agent", () => {
  const one = frame(0, {
    action: 1,
    reward: 2,
    terms: { a: 2 },
    render_state: { observation: [0.5] },
  });
  it("give values as they are", () => {
    expect(reading.agentCount(one)).toBe(1);
    expect(reading.choicesOf(one, 0)).toEqual([1]);
    expect(reading.observationOf(one, 0)).toEqual([0.5]);
    expect(reading.rewardTotal(one)).toBe(2);
    expect(reading.noteOf(one, 0)).toBeNull();
  });
});

describe("frames of several agents", () => {
  const two = frame(0, {
    action: [
      [0, 0],
      [1, 0],
    ],
    reward: [1, -3],
    terms: [{ lamp: 1 }, { lost: -3 }],
    render_state: { observation: [[0.1], [0.2]] },
    policy: [null, { value: 4, probability: 0.5, probabilities: [[0.5, 0.5], [1]] }],
  });
  it("are read by agent", () => {
    expect(reading.agentCount(two)).toBe(2);
    expect(reading.choicesOf(two, 1)).toEqual([1, 0]);
    expect(reading.observationOf(two, 1)).toEqual([0.2]);
    expect(reading.rewardTotal(two)).toBe(-2);
    expect(reading.rewardOf(two, 1)).toBe(-3);
    expect(reading.noteOf(two, 1)?.value).toBe(4);
  });

  it("add up to columns of terms", () => {
    expect(reading.termColumns([two, two, two], 2)).toEqual([
      { from: 0, to: 2, sums: { lamp: 2, lost: -6 } },
      { from: 2, to: 3, sums: { lamp: 1, lost: -3 } },
    ]);
  });
});

describe("choices", () => {
  it("are spoken", () => {
    expect(reading.choiceName(WORDS, 0, 0)).toBe("Stay here");
    expect(reading.choiceName(WORDS, 3, 9)).toBe("choice 9");
  });

  it("list the likeliest, and always the one taken", () => {
    const shown = reading.alternatives([0.5, 0.3, 0.15, 0.05, 0], 3, 2);
    expect(shown.map((one) => one.choice)).toEqual([0, 3]);
    expect(shown[1]?.taken).toBe(true);
  });
});
