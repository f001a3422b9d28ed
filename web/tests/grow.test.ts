import { afterEach, describe, expect, it, vi } from "vitest";
import type { Happening, Kinds, SeedSeen, SlotPlace, WorldEvent } from "../src/api/growth";
import {
  epochAt,
  epochScale,
  epochTicks,
  linePath,
  rangeOf,
  roundTicks,
} from "../src/charts/epochs";
import { readAddress, writeAddress } from "../src/pages/grow/address";
import { beside, chosenOf, hostsOf } from "../src/pages/grow/choosing";
import {
  anomaliesOf,
  episodeOf,
  momentAt,
  slotsOf,
  stopsOf,
  termsOf,
} from "../src/pages/grow/episode";
import { gathered } from "../src/pages/grow/growing";
import { drawingOf, stepsOf, type Box } from "../src/pages/grow/layout";
import { decisionWords, pictureWords, wordsOf } from "../src/pages/grow/words";
import { parseRoute } from "../src/shell/route";

const place = (slot_id: string, order: number, more: Partial<SlotPlace> = {}): SlotPlace => ({
  ...{ slot_id, order, row: 0, col: order, position: 0, surface: "PRE_POOL", channels: 8 },
  ...more,
});

const seed = (slot_id: string, stage: string, more: Partial<SeedSeen> = {}): SeedSeen =>
  ({
    ...{ slot_id, stage, seed_id: "s", blueprint: "conv_light", alpha: 0, alpha_target: 1 },
    ...{ contribution: null, accuracy_without: null, ...more },
  }) as SeedSeen;

const epoch = (at: number, seeds: SeedSeen[] = []) =>
  ({ kind: "EPOCH_COMPLETED", epoch: at, val_accuracy: at, seeds }) as unknown as WorldEvent;

const decision = (at: number, op: string, more: object = {}) =>
  ({
    ...{ kind: "ANALYTICS_SNAPSHOT:last_action", epoch: at, op, slot_id: "", success: true },
    ...{ blueprint: null, reason: "", components: {}, ...more },
  }) as unknown as WorldEvent;

const happening = (kind: string, more: object = {}) =>
  ({ kind, epoch: 2, ...more }) as unknown as Happening;

const KINDS: Kinds = {
  GRADIENT_PATHOLOGY_DETECTED: { label: "Exploding gradients", severity: "warning" },
  GOVERNOR_ROLLBACK: { label: "Rolled back", severity: "critical" },
  SEED_GATE_EVALUATED: { label: "Gate", severity: "info" },
};

describe("an episode", () => {
  const events = [
    epoch(1),
    decision(1, "GERMINATE", { slot_id: "b", blueprint: "norm", components: { rent: -1 } }),
    epoch(2, [seed("b", "TRAINING")]),
    happening("GRADIENT_PATHOLOGY_DETECTED"),
    happening("GOVERNOR_ROLLBACK"),
    happening("MORPHOLOGY_CAUSAL_LOG"),
    decision(2, "WAIT", { components: { rent: -1, bonus: 5 } }),
    epoch(3, [seed("b", "BLENDING", { alpha: 0.5 })]),
    decision(3, "WAIT"),
    epoch(4, [seed("b", "BLENDING", { alpha: 1 })]),
  ];
  const episode = episodeOf(events, [place("b", 1), place("a", 0)]);

  it("has a moment for each epoch, with what was decided after it", () => {
    expect(episode.moments.map((moment) => moment.epoch)).toEqual([1, 2, 3, 4]);
    expect(episode.moments[0]?.decision?.op).toBe("GERMINATE");
    expect(episode.moments[3]?.decision).toBeNull();
    expect(episode.moments[1]?.happenings).toHaveLength(2);
  });

  it("has a lane for each slot in forward order, cut where the stage changes", () => {
    expect(episode.lanes.map((lane) => lane.slot.slot_id)).toEqual(["a", "b"]);
    expect(episode.lanes[0]?.spans).toEqual([{ from: 0, to: 3, stage: "DORMANT", blueprint: "" }]);
    const spans = episode.lanes[1]?.spans.map(({ from, to, stage }) => [from, to, stage]);
    expect(spans).toEqual([
      [0, 0, "DORMANT"],
      [1, 1, "TRAINING"],
      [2, 3, "BLENDING"],
    ]);
    expect(episode.lanes[1]?.alphas).toEqual([null, 0, 0.5, 1]);
  });

  it("shows a slot that the run's beginning did not name", () => {
    expect(slotsOf(episode.moments, []).map((slot) => slot.slot_id)).toEqual(["b"]);
  });

  it("stops where somebody acted and where something is odd, the gravest first", () => {
    expect(stopsOf(episode, KINDS)).toEqual([0, 1, 3]);
    const odd = anomaliesOf(episode.moments[1]!, KINDS).map((event) => event.kind);
    expect(odd).toEqual(["GOVERNOR_ROLLBACK", "GRADIENT_PATHOLOGY_DETECTED"]);
  });

  it("takes an event's own severity over its kind's", () => {
    const shut = happening("SEED_GATE_EVALUATED", { severity: "critical" });
    const told = episodeOf([shut, happening("SEED_GATE_EVALUATED")], []);
    expect(anomaliesOf(told.moments[0]!, KINDS)).toEqual([shut]);
  });

  it("orders terms by how much they moved", () => {
    expect(termsOf(episode.moments)).toEqual(["bonus", "rent"]);
  });

  it("finds the moment of an epoch, also of one that is missing", () => {
    expect(momentAt(episode.moments, 3)).toBe(2);
    expect(momentAt(episode.moments, 99)).toBe(3);
    expect(momentAt(episode.moments, 0)).toBe(0);
  });
});

describe("following an episode", () => {
  afterEach(() => vi.unstubAllGlobals());

  const nothing = { key: "k", edition: "", offset: 0, damaged: 0, events: [], error: null };
  const answers = (pages: object[]) => {
    const asked: string[] = [];
    vi.stubGlobal("window", { location: { origin: "http://lab" } });
    vi.stubGlobal("sessionStorage", { getItem: () => null });
    vi.stubGlobal("fetch", (url: string) => {
      asked.push(url.replace("http://lab/api/v1", ""));
      return Promise.resolve(Response.json(pages.shift()));
    });
    return asked;
  };
  const page = (edition: string, next_offset: number, has_more: boolean, ...at: number[]) => ({
    ...{ edition, next_offset, has_more, damaged: 0, count: at.length },
    events: at.map((one) => epoch(one)),
  });
  const gather = (from: Parameters<typeof gathered>[2]) =>
    gathered("r", { env: 1, episode: 2 }, from, new AbortController().signal);

  it("asks page by page, and later only for what is new", async () => {
    const asked = answers([
      page("e", 2, true, 1, 2),
      page("e", 3, false, 3),
      page("e", 4, false, 4),
    ]);
    const first = await gather(nothing);
    expect(first.events.map((event) => event.epoch)).toEqual([1, 2, 3]);
    const second = await gather(first);
    expect(second.events.map((event) => event.epoch)).toEqual([1, 2, 3, 4]);
    expect(asked.map((url) => url.split("offset=")[1])).toEqual(["0", "2", "3"]);
  });

  it("begins anew where the file was cut back", async () => {
    const asked = answers([page("new", 9, false), page("new", 1, false, 1)]);
    const held = { ...nothing, edition: "old", offset: 9, events: [epoch(1), epoch(2)] };
    const again = await gather(held);
    expect(again.events.map((event) => event.epoch)).toEqual([1]);
    expect(asked.map((url) => url.split("offset=")[1])).toEqual(["9", "0"]);
  });
});

describe("a link to Grow", () => {
  it("carries run, host, episode and epoch", () => {
    const address = { run: "a b", env: 0, episode: 12, epoch: 7 };
    const route = parseRoute(writeAddress(address));
    expect(route.page).toBe("grow");
    expect(readAddress(route.params)).toEqual(address);
    expect(readAddress({ run: "a", env: "-1", episode: "x", epoch: "1e9" })).toEqual({
      ...{ run: "a", env: null, episode: null, epoch: null },
    });
  });

  it("means the newest episode of the first host where it names none", () => {
    const row = (env: number, episode: number) => ({ env, episode }) as never;
    const rows = [row(1, 3), row(0, 2), row(1, 2), row(0, 1)];
    const open = { run: "r", env: null, episode: null, epoch: null };
    expect(chosenOf(rows, open)).toEqual({ env: 0, episode: 2 });
    expect(chosenOf(rows, { ...open, env: 1 })).toEqual({ env: 1, episode: 3 });
    expect(chosenOf(rows, { ...open, env: 5, episode: 9 })).toEqual({ env: 5, episode: 9 });
    expect(chosenOf([], open)).toBeNull();
    expect(hostsOf(rows)).toEqual([0, 1]);
    expect(beside(rows, { env: 0, episode: 1 }, 1)).toEqual({ env: 0, episode: 2 });
    expect(beside(rows, { env: 0, episode: 2 }, 1)).toBeNull();
  });
});

describe("the drawing of a network", () => {
  const slots = [
    place("r0c0", 0, { col: 0 }),
    place("r0c1", 2, { col: 1, channels: 16 }),
    place("r1c0", 1, { col: 0, row: 1, surface: "POST_POOL" }),
  ];

  it("puts blocks, pools and slots in forward order", () => {
    const named = stepsOf(slots, "cnn", 10).map((step) =>
      "part" in step ? step.part.title : step.slot.slot_id,
    );
    expect(named).toEqual([
      ...["input", "block 1", "r0c0", "pool", "r1c0", "block 2", "r0c1", "head"],
    ]);
  });

  const apart = (a: Box, b: Box) =>
    a.x + a.width <= b.x || b.x + b.width <= a.x || a.y + a.height <= b.y || b.y + b.height <= a.y;

  it.each([false, true])("keeps everything apart and inside, downwards: %s", (downwards) => {
    const many = Array.from({ length: 10 }, (_, i) =>
      place(`s${i}`, i, { col: i >> 1, surface: i % 2 ? "POST_POOL" : "PRE_POOL" }),
    );
    for (const some of [slots, many, many.filter((_, i) => i % 2 === 0)]) {
      const drawing = drawingOf(some, "cnn", 10, downwards);
      const boxes = [...drawing.parts, ...drawing.branches];
      for (const [i, box] of boxes.entries()) {
        expect(box.x >= 0 && box.x + box.width <= drawing.width).toBe(true);
        expect(box.y >= 0 && box.y + box.height <= drawing.height).toBe(true);
        for (const other of boxes.slice(i + 1)) expect(apart(box, other)).toBe(true);
      }
    }
  });
});

describe("words", () => {
  it("tell what was decided and why not", () => {
    const [told] = episodeOf(
      [decision(1, "GERMINATE", { slot_id: "b", blueprint: "conv_light" })],
      [],
    ).moments;
    expect(decisionWords(told!.decision!)).toBe("germinate conv light in b");
    const refused = { ...told!.decision!, op: "ADVANCE", blueprint: null, success: false };
    expect(decisionWords({ ...refused, reason: "too early" })).toBe(
      "advance b (refused: too early)",
    );
  });

  it("tell what a gate asked for", () => {
    const gate = happening("SEED_GATE_EVALUATED", {
      ...{ slot_id: "b", blueprint: "norm", gate: "G2", passed: false, message: "too early" },
      ...{ checks_passed: ["min_epochs"], checks_failed: ["improvement"] },
    });
    expect(wordsOf(gate)).toBe(
      "b norm: G2 stayed shut; passed min epochs; failed improvement; too early",
    );
  });

  it("tell the picture to those who cannot see it", () => {
    const [told] = episodeOf([epoch(3, [seed("b", "BLENDING", { alpha: 0.5 })])], []).moments;
    expect(pictureWords(told!)).toBe(
      "The network at the end of epoch 3: b conv light blending, alpha 0.50",
    );
    expect(pictureWords(episodeOf([epoch(1)], []).moments[0]!)).toContain("every slot is empty");
  });

  it("say nothing rather than something wrong of an unknown event", () => {
    expect(wordsOf(happening("FROM_THE_FUTURE", { reason: "because" }))).toBe("because");
  });
});

describe("scales over epochs", () => {
  const scale = epochScale(1, 10, 50, 150);

  it("give each epoch a column", () => {
    expect(scale.x(1)).toBe(55);
    expect(scale.x(10)).toBe(145);
    expect(epochAt(scale, 54)).toBe(1);
    expect(epochAt(scale, 61)).toBe(2);
    expect(epochAt(scale, 999)).toBe(10);
    expect(epochAt(scale, 0)).toBe(1);
  });

  it("mark round numbers", () => {
    expect(roundTicks(0, 1, 4)).toEqual([0, 0.5, 1]);
    expect(roundTicks(38, 83, 4)).toEqual([40, 60, 80]);
    expect(roundTicks(5, 5, 4)).toEqual([5]);
    expect(epochTicks(scale, 50).every(Number.isInteger)).toBe(true);
  });

  it("hold all values that are there", () => {
    expect(rangeOf([null, undefined, NaN])).toEqual({ low: 0, high: 1 });
    const { low, high } = rangeOf([2, null, 4]);
    expect(low).toBeLessThan(2);
    expect(high).toBeGreaterThan(4);
    expect(rangeOf([3], 2)).toEqual({ low: 2, high: 4 });
  });

  it("break a line at a gap", () => {
    const points = [1, 2, 3, 4].map((at) => ({ epoch: at, value: at === 3 ? null : at }));
    expect(linePath(points, scale, (value) => value)).toBe("M55 1h0L65 2M85 4h0");
  });
});
