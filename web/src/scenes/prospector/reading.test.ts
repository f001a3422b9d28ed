import { describe, expect, it } from "vitest";
import type { Frame } from "../../api/types";
import { LENGTH, actionOf, readObservation, sightOf } from "./reading";

function blank(): number[] {
  return new Array<number>(LENGTH).fill(0);
}

function frameWith(observation: number[], extra: Partial<Frame> = {}): Frame {
  return {
    schema_version: 1,
    frame_index: 0,
    t: 1,
    dt: 1,
    action: 6,
    reward: 0,
    terminated: false,
    truncated: false,
    render_state: { observation },
    events: [],
    ...extra,
  };
}

describe("readObservation", () => {
  it("reads ship and place", () => {
    const seen = blank();
    seen[0] = 0.94;
    seen[2] = 0.3;
    seen[8] = 0.25;
    seen[14] = 0.25;
    seen[20] = 1;
    seen[22] = 5 / 31;
    seen[23] = 2 / 31;
    const { ship, place } = readObservation(seen);
    expect(ship.fuel).toBe(0.94);
    expect(ship.heat).toBe(0.3);
    expect(ship.cargoUnits[0]).toBe(50);
    expect(ship.repairKits).toBe(3);
    expect(place).toEqual({
      index: 5,
      kind: "cluster",
      atStation: false,
      miningActive: false,
      hopsToStation: 2,
    });
  });

  it("reads the last lane at 59 and leaves empty slots empty", () => {
    const seen = blank();
    seen.splice(59, 7, 1, 0, 0, 1, 0.875, 0.5, 0.8);
    const { lanes } = readObservation(seen);
    expect(lanes).toHaveLength(6);
    expect(lanes[5]).toEqual({ exists: true, kind: "hazard", ticks: 7, fuel: 80, threat: 0.8 });
    expect(lanes[4]?.exists).toBe(false);
  });

  it("reads the last rock at 233 and says which is selected", () => {
    const seen = blank();
    seen.splice(233, 11, 1, 0.1, 0.1, 0.1, 0.5, 0.1, 0.1, 0.4, 0.7, 0.9, 1);
    const { rocks, selected } = readObservation(seen);
    expect(selected).toBe(15);
    expect(rocks[15]).toMatchObject({
      exists: true,
      dominant: 3,
      stability: 0.4,
      depletion: 0.7,
      confidence: 0.9,
    });
  });

  it("reads the market, with the two hidden stocks as null", () => {
    const seen = blank();
    seen.splice(244, 16, 1, 0.9, 0.8, 0.7, 0.6, 0.5, 0.1, -0.1, 0, 0, 0, 0.02, 0.2, 0.4, 0.6, 0.8);
    const { market } = readObservation(seen);
    expect(market.priceShares).toEqual([1, 0.9, 0.8, 0.7, 0.6, 0.5]);
    expect(market.changeCredits[1]).toBe(-10);
    expect(market.stockUnits).toEqual([100, null, 200, 300, 400, null]);
  });

  it("has no selection where no rock is selected", () => {
    expect(readObservation(blank()).selected).toBe(-1);
  });

  it("reads a short or broken observation as zeros", () => {
    const sight = readObservation([0.5, Number.NaN]);
    expect(sight.ship.fuel).toBe(0.5);
    expect(sight.ship.hull).toBe(0);
    expect(sight.rocks.every((rock) => !rock.exists)).toBe(true);
  });
});

describe("sightOf", () => {
  it("takes exact credits where the frame has them, else undoes the logarithm", () => {
    const seen = blank();
    seen[7] = Math.log1p(1234) / Math.log1p(10_000_000);
    expect(sightOf(frameWith(seen)).ship.credits).toBeCloseTo(1234, 6);
    expect(sightOf(frameWith(seen, { info: { credits: 1234.5 } })).ship.credits).toBe(1234.5);
  });

  it("reads the first agent's observation where there are several", () => {
    const seen = blank();
    seen[1] = 0.5;
    const frame = frameWith([], { render_state: { observation: [seen, blank()] } });
    expect(sightOf(frame).ship.hull).toBe(0.5);
  });

  it("reads a frame once", () => {
    const frame = frameWith(blank());
    expect(sightOf(frame)).toBe(sightOf(frame));
  });
});

describe("actionOf", () => {
  it("finds the first head's action however it is nested", () => {
    expect(actionOf(frameWith(blank(), { action: 28 }))).toBe(28);
    expect(actionOf(frameWith(blank(), { action: [[29]] }))).toBe(29);
    expect(actionOf(frameWith(blank(), { action: [] }))).toBe(6);
  });
});
