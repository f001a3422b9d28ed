import { describe, expect, it } from "vitest";
import { appended, mergeRun } from "../src/api/catalogue";
import { replayOfLines, timelineOf } from "../src/api/sample";
import type { ReplayEntry, Run, WindowRow } from "../src/api/types";
import { flatRow, tablesOf } from "../src/pages/analyse/report_tables";
import { bestReplays } from "../src/pages/home/replays";
import { ranking } from "../src/pages/play/ranking";
import { settingFields, settingsOf } from "../src/pages/play/settings";
import { readAddress, writeAddress } from "../src/pages/watch/address";
import { frameOfSession, NO_ACTION } from "../src/player/reel";
import { sceneOfWorldId } from "../src/scenes/loading";
import { ago, axisLabels, figure, metricTitle, percent } from "../src/shell/figures";
import { formatRoute, parseRoute } from "../src/shell/route";
import { frame } from "./frames_of_tests";

describe("routes", () => {
  it("survive being written and read", () => {
    const hash = formatRoute("watch", { run: "a b", replay: "r/1", frame: 0, none: null });
    expect(parseRoute(hash)).toEqual({
      page: "watch",
      params: { run: "a b", replay: "r/1", frame: "0" },
    });
  });

  it("lead home when they lead nowhere", () => {
    expect(parseRoute("#/nowhere?x=1").page).toBe("home");
    expect(parseRoute("").page).toBe("home");
  });

  it("of Watch carry two replays, a frame and how to play them", () => {
    const address = readAddress({
      run: "a",
      replay: "p",
      run2: "b",
      replay2: "q",
      frame: "12",
      transport: "ws",
      lockstep: "ticks",
    });
    expect(readAddress(parseRoute(writeAddress(address)).params)).toEqual(address);
    expect(readAddress({ run: "a", frame: "-3" })).toMatchObject({
      replay: null,
      run: "a",
      frame: null,
    });
  });
});

describe("marks of an axis", () => {
  it("tell neighbours apart", () => {
    expect(axisLabels([0.9, 0.95, 1])).toEqual(["0.90", "0.95", "1.00"]);
    expect(axisLabels([-0.003, -0.0025, -0.002])).toEqual(["-0.0030", "-0.0025", "-0.0020"]);
    expect(axisLabels([0, 5_000, 10_000])).toEqual(["0", "5,000", "10,000"]);
    expect(axisLabels([1e6, 1.25e6, null])).toEqual(["1.00 M", "1.25 M", ""]);
  });

  it("stand alone on a logarithmic axis", () => {
    expect(axisLabels([1, 10, 100, 1e6])).toEqual(["1", "10", "100", "1.00 M"]);
    expect(axisLabels([7])).toEqual(["7"]);
  });
});

describe("figures", () => {
  it("are short", () => {
    expect(figure(1234567)).toBe("1.23 M");
    expect(figure(0.00001)).toBe("1.0e-5");
    expect(figure(null)).toBe("–");
    expect(percent(0.826, 1)).toBe("82.6 %");
    expect(metricTitle("value_lost_mean")).toBe("Value lost (mean)");
  });

  it("tell time as distance", () => {
    const now = Date.parse("2026-01-01T12:00:00Z");
    expect(ago("2026-01-01T11:58:00Z", now)).toBe("2 minutes ago");
    expect(ago("nonsense", now)).toBe("–");
  });
});

describe("runs and replays", () => {
  const run = (run_id: string, updated_at: string) => ({ run_id, updated_at }) as Run;
  it("are replaced, and sorted by news", () => {
    const merged = mergeRun([run("a", "1"), run("b", "2")], run("a", "3"));
    expect(merged.map((one) => one.run_id)).toEqual(["a", "b"]);
    expect(merged).toHaveLength(2);
  });

  it("give each world its turn among the best", () => {
    const entry = (run_id: string, return_total: number) =>
      ({ run_id, return_total }) as ReplayEntry;
    const runs = [
      { run_id: "a", world: "x", best_replay: entry("a", 90) },
      { run_id: "b", world: "x", best_replay: entry("b", 80) },
      { run_id: "c", world: "y", best_replay: entry("c", 1) },
    ] as Run[];
    expect(bestReplays(runs).map((one) => one.run_id)).toEqual(["a", "c", "b"]);
  });

  it("keep a window told twice once", () => {
    const row = (window_id: number) => ({ window_id, env_steps_total: 0 }) as WindowRow;
    expect(appended([row(0), row(1)], row(1)).map((one) => one.window_id)).toEqual([0, 1]);
  });

  it("are told as a timeline", () => {
    const header = { kind: "header", world: "w" };
    const lines = [
      header,
      frame(0, { reward: 1, terms: { a: 1 }, events: ["x"] }),
      frame(1, { terms: { a: 2 } }),
    ];
    const timeline = timelineOf(
      replayOfLines(lines.map((one) => JSON.stringify(one)).join("\n")),
      "r",
      "p",
    );
    expect(timeline).toMatchObject({
      frames: 2,
      ticks: 2,
      events: [{ frame: 0, name: "x" }],
      reward: [1, 0],
      terms: { a: 3 },
    });
  });
});

describe("playing", () => {
  const outcome = (return_total: number) => ({ return_total, steps: 1, ticks: 1, stats: {} });
  it("ends in a ranking where ties are yours", () => {
    const places = ranking({
      you: outcome(5),
      players: [
        { name: "bot", kind: "bot", outcome: outcome(5) },
        { name: "oracle", kind: "oracle", outcome: outcome(10) },
      ],
    });
    expect(places.map((place) => place.name)).toEqual(["oracle", "You", "bot"]);
    expect(places.map((place) => place.share)).toEqual([1, 0, 0]);
  });

  it("shows what is seen before the first step", () => {
    const shown = frameOfSession({ frame: null, obs: [1], info: { a: 1 }, ticks: 0 } as never);
    expect(shown.action).toBe(NO_ACTION);
    expect(shown.render_state.observation).toEqual([1]);
  });

  it("offers the numbers of a schema as fields", () => {
    const world = {
      settings_schema: { properties: { time_max: { type: "number" }, name: { type: "string" } } },
      defaults: { time_max: 20 },
    } as never;
    const fields = settingFields(world);
    expect(fields.map((field) => field.name)).toEqual(["time_max"]);
    expect(settingsOf(fields, { time_max: " 30 " })).toEqual({ time_max: 30 });
    expect(settingsOf(fields, { time_max: "soon" })).toEqual({ time_max: "soon" });
    expect(settingsOf(fields, {})).toEqual({});
  });

  it("offers what a schema lets one choose from", () => {
    const opponent = { anyOf: [{ type: "string", enum: ["line", "pursuer"] }, { const: "any" }] };
    const level = { type: "string", enum: ["1", "2"] };
    const world = {
      settings_schema: { properties: { opponent, level, package: { type: "string" } } },
      defaults: { opponent: "line", level: "1" },
    } as never;
    const fields = settingFields(world);
    expect(fields.map((field) => field.choices)).toEqual([
      ["line", "pursuer", "any"],
      ["1", "2"],
    ]);
    expect(fields[0]?.standard).toBe("line");
    expect(settingsOf(fields, { opponent: "any", level: "2" })).toEqual({
      opponent: "any",
      level: "2",
    });
  });
});

describe("reports", () => {
  it("become tables of rows", () => {
    const [table] = tablesOf([
      { n: 1, speed: { p50: 2, p95: 3 } },
      { n: 8, speed: { p50: 4, p95: 5 } },
    ]);
    expect(table?.columns).toEqual(["n", "speed.p50", "speed.p95"]);
    expect(table?.rows).toEqual([
      [1, 2, 3],
      [8, 4, 5],
    ]);
  });

  it("name rows that are named", () => {
    const [table] = tablesOf({ players: { a: { x: 1 }, b: { x: 2 } } });
    expect(table?.title).toBe("Players");
    expect(table?.rows).toEqual([
      ["a", 1],
      ["b", 2],
    ]);
  });

  it("shorten long lists", () => {
    expect(flatRow({ list: [1, 2], many: Array.from({ length: 90 }, (_, i) => i) })).toEqual({
      list: "1, 2",
      many: "90 values",
    });
  });
});

describe("scenes", () => {
  it("are guessed from a world's id", () => {
    expect(sceneOfWorldId("prospector-v2")).toBe("prospector");
    expect(sceneOfWorldId(null)).toBe("");
  });
});
