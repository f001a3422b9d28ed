import { describe, expect, it } from "vitest";
import { configKey, configRows, groupsByConfig } from "../src/charts/configs";
import {
  csvOf,
  curveOf,
  forLog,
  joined,
  metricsOf,
  smoothed,
  valuesAt,
} from "../src/charts/curves";
import { stackExtent } from "../src/charts/stacked";

const ROWS = [
  { window_id: 0, env_steps_total: 100, return_mean: 1, profit_mean: null, wall_seconds: 2 },
  { window_id: 1, env_steps_total: 200, return_mean: 3, profit_mean: 5, wall_seconds: 3 },
];

describe("curves", () => {
  it("know which fields are measured, and show nulls as gaps", () => {
    expect(metricsOf(ROWS)).toEqual(["return_mean", "profit_mean", "wall_seconds"]);
    expect(curveOf("a", ROWS, "profit_mean", "ticks")).toEqual({
      name: "a",
      x: [100, 200],
      y: [null, 5],
    });
    expect(curveOf("a", ROWS, "return_mean", "seconds").x).toEqual([2, 5]);
  });

  it("are smoothed without a bias at the start", () => {
    expect(smoothed([4, 4, 4], 0.9)).toEqual([4, 4, 4].map((v) => expect.closeTo(v, 9) as number));
    expect(smoothed([1, null, 3], 0)).toEqual([1, null, 3]);
    expect(smoothed([0, 10], 0.5)[1]).toBeCloseTo(20 / 3);
  });

  it("have values between their points but not beyond them", () => {
    const curve = { name: "", x: [0, 10, 20], y: [0, null, 2] };
    expect(valuesAt(curve, [-1, 0, 5, 20, 25])).toEqual([null, 0, 0.5, 2, null]);
  });

  it("join to a mean with the room between seeds", () => {
    const band = joined("two", [
      { name: "a", x: [1, 2], y: [0, 2] },
      { name: "b", x: [1, 2], y: [4, 4] },
    ]);
    expect(band.y).toEqual([2, 3]);
    expect(band.low).toEqual([0, 2]);
    expect(band.high).toEqual([4, 4]);
  });

  it("leave nought off a log axis", () => {
    expect(forLog([0, -1, null, 2])).toEqual([null, null, null, 2]);
  });

  it("become a table", () => {
    const text = csvOf("ticks", [
      { name: "a, b", x: [1, 2], y: [0.5, null] },
      { name: "c", x: [2], y: [7] },
    ]);
    expect(text).toBe('ticks,"a, b",c\n1,0.5,\n2,,7\n');
  });
});

describe("stacked bars", () => {
  it("are as high as what was won and lost at once", () => {
    const columns = [{ from: 0, to: 1, sums: { a: 2, b: 1, c: -4 } }];
    expect(stackExtent(columns)).toEqual({ up: 3, down: 4 });
  });
});

describe("configs", () => {
  const config = (seed: number, clip = 0.2) => ({
    run: { seed, root: "x" },
    ppo: { clip, hidden: [8] },
  });

  it("are equal but for seed and place", () => {
    expect(configKey(config(1))).toBe(configKey(config(2)));
    expect(configKey(config(1))).not.toBe(configKey(config(1, 0.3)));
  });

  it("group runs", () => {
    const groups = groupsByConfig([
      { id: "a", config: config(0) },
      { id: "b", config: config(1) },
      { id: "c", config: config(0, 0.1) },
      { id: "d", config: null },
    ]);
    expect(groups.map((group) => group.runs)).toEqual([["a", "b"], ["c"], ["d"]]);
  });

  it("are compared setting by setting", () => {
    const rows = configRows([config(0), { ...config(0), extra: {} }]);
    expect(rows.filter((row) => row.differs)).toEqual([
      { name: "extra", values: [null, "{}"], differs: true },
    ]);
  });
});
