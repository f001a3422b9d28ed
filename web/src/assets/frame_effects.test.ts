import { describe, expect, it } from "vitest";
import type { Frame } from "../api/types";
import { cues } from "../scenes/prospector/cues";
import { assetsOf } from "./assets";
import { effectsOfFrame } from "./frame_effects";

const assets = assetsOf({ graphics: {}, audio: {}, effects: {} }, "./assets");

function frame(action: number, events: string[]): Frame {
  return {
    schema_version: 1,
    frame_index: 0,
    t: 1,
    dt: 1,
    action,
    reward: 0,
    terminated: false,
    truncated: false,
    render_state: { observation: [] },
    events,
  };
}

const vfx = (action: number, events: string[]) =>
  effectsOfFrame(assets, frame(action, events)).events.map((event) => event.vfx);

describe("effectsOfFrame", () => {
  it("gives the action and its events", () => {
    const told = effectsOfFrame(assets, frame(30, ["fracture"]));
    expect(told.action?.vfx).toBe("vfx.mine.aggressive");
    expect(told.events).toEqual([
      { name: "fracture", vfx: "vfx.explosion.medium", cue: "sfx.event.explosion" },
    ]);
  });

  it("shows the refusal instead of a refused action", () => {
    const told = effectsOfFrame(assets, frame(42, ["invalid_action"]));
    expect(told.action).toBeNull();
    expect(told.events.map((event) => event.cue)).toEqual(["ui.error"]);
  });

  it("explodes for an end without a reason only", () => {
    expect(vfx(6, ["terminated"])).toEqual(["vfx.explosion.medium"]);
    expect(vfx(68, ["terminated"])).toEqual([]);
    expect(vfx(6, ["stranded", "terminated"])).toEqual(["vfx.event.engine_fail"]);
    expect(vfx(6, ["destroyed", "terminated"])).toEqual(["vfx.explosion.large"]);
  });

  it("ends a run once where both action and event say so", () => {
    const told = effectsOfFrame(assets, frame(68, ["cash_out"]));
    expect(told.action?.vfx).toBe("vfx.ui.run_end");
    expect(told.events).toEqual([]);
  });

  it("passes over events it does not know", () => {
    expect(vfx(6, ["eclipse"])).toEqual([]);
  });
});

describe("cues", () => {
  it("plays the action first and nothing twice", () => {
    expect(cues(assets, frame(29, ["fracture", "fracture"]))).toEqual([
      "sfx.mine.mid",
      "sfx.event.explosion",
    ]);
  });

  it("is silent for a hold, and for actions at high speed", () => {
    expect(cues(assets, frame(6, []))).toEqual([]);
    expect(cues(assets, frame(29, ["overheat_tick"]), 16)).toEqual(["sfx.event.overheat_alarm"]);
  });
});
