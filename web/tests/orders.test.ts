import { describe, expect, it } from "vitest";
import { battleReplay, battleWorld, DUEL_RUN } from "../mock/battle/run";
import type { Head, World } from "../src/api/types";
import {
  afterStep,
  beside,
  mayChoose,
  orderOfKey,
  ordersAtRest,
  possible,
  withChoice,
} from "../src/pages/play/orders";
import { aimedTrack, choiceWords, contactOf } from "../src/scenes/tidebreak/aiming";
import { shipOf } from "../src/scenes/tidebreak/battle";
import { battleOf } from "../src/scenes/tidebreak/reading";
import { frame } from "./frames_of_tests";

const head = (change: Partial<Head>): Head => ({
  title: "Head",
  labels: ["a", "b", "c"],
  lasting: false,
  rest: 0,
  hotkeys: {},
  more: null,
  less: null,
  ...change,
});

const world: World = {
  ...battleWorld(),
  heads: [
    head({ title: "Throttle", lasting: true, rest: 1, more: "w", less: "s" }),
    head({
      title: "Target",
      labels: Array.from("0123456789"),
      lasting: true,
      more: "e",
      less: "q",
    }),
    head({ title: "Torpedo", labels: ["Hold", "Fire"], hotkeys: { "2": 1 } }),
    head({ title: "Repair", lasting: true, more: "y" }),
  ],
};
const all = world.heads.map((one) => one.labels.map(() => true));

describe("orders for several heads", () => {
  it("stay where they last, and are done once where they do not", () => {
    const rest = ordersAtRest(world);
    expect(rest).toEqual([1, 0, 0, 0]);
    const set = withChoice(withChoice(rest, 0, 2), 2, 1);
    expect(afterStep(world, set)).toEqual([2, 0, 0, 0]);
  });

  it("leave out what is not possible now", () => {
    const legal = [[true, true, true], all[1]!.map((_, i) => i === 0), [true, false], all[3]!];
    expect(possible(world, [2, 4, 1, 1], legal)).toEqual([2, 0, 0, 1]);
    expect(possible(world, [2, 0, 0, 0], [[true, false, false], ...legal.slice(1)])[0]).toBe(0);
  });

  it("are set by keys: a lever ends, a list goes round past what is not there", () => {
    const rest = ordersAtRest(world);
    expect(orderOfKey(world, rest, all, "w")).toEqual({ head: 0, choice: 2 });
    expect(orderOfKey(world, [2, 0, 0, 0], all, "W")).toEqual({ head: 0, choice: 2 });
    const two = [all[0]!, all[1]!.map((_, i) => i === 0 || i === 3), all[2]!, all[3]!];
    expect(orderOfKey(world, rest, two, "e")).toEqual({ head: 1, choice: 3 });
    expect(orderOfKey(world, [1, 3, 0, 0], two, "e")).toEqual({ head: 1, choice: 0 });
    expect(orderOfKey(world, rest, two, "q")).toEqual({ head: 1, choice: 3 });
    expect(orderOfKey(world, [1, 0, 0, 2], all, "y")).toEqual({ head: 3, choice: 0 });
    expect(orderOfKey(world, rest, all, "k")).toBeNull();
  });

  it("take a key a second time as taking it back", () => {
    expect(orderOfKey(world, [1, 0, 0, 0], all, "2")).toEqual({ head: 2, choice: 1 });
    expect(orderOfKey(world, [1, 0, 1, 0], all, "2")).toEqual({ head: 2, choice: 0 });
  });

  it("can be given before their moment only where they stand until it comes", () => {
    const gun = head({ labels: ["Hold", "Fire"], lasting: true });
    expect(mayChoose(gun, [true, false], 1)).toBe(true);
    expect(mayChoose({ ...gun, lasting: false }, [true, false], 1)).toBe(false);
    expect(mayChoose(head({ lasting: true }), [true, false, true], 1)).toBe(false);
  });

  it("stay where nothing else is possible", () => {
    expect(beside(head({}), [false, true, false], 1, 1, true)).toBe(1);
    expect(beside(head({}), [false, false, false], 2, -1, false)).toBe(2);
  });
});

describe("contacts to aim at", () => {
  const names = ["valid", "sin_bearing", "cos_bearing", "range", "quality", "size", "iff"];
  const words = { ...battleWorld(), obs_names: names.map((name) => `contact_0_${name}`) };
  const [sin, cos] = [Math.sin(0.5), Math.cos(0.5)];
  const seen = (observation: number[]) =>
    frame(0, {
      action: [[3, 2, 1, 0, 0, 0, 0, 0, 0, 0, 0]],
      render_state: {
        ...battleReplay(DUEL_RUN).frames[0]!.render_state,
        seen_by: "blue",
        observation,
      },
    });

  it("are told as a captain sees them", () => {
    const shown = seen([1, sin, cos, 0.2, 2 / 3, 0, 1]);
    expect(choiceWords(shown, words, 2, 1)).toBe(
      "1. Hostile, Q2 fire control, 29° to port, 4.0 km",
    );
    expect(choiceWords(shown, words, 2, 0)).toBeNull();
    expect(choiceWords(shown, words, 0, 1)).toBeNull();
    expect(contactOf(seen([0, 0, 0, 0, 0, 0, 0]), words, 0)).toBeNull();
    expect(contactOf(seen([1, 0, 1, 0.1, 1 / 3, -1, 0]), words, 0)?.ordnance).toBe(true);
  });

  it("are found again among the tracks of the plot", () => {
    const shown = seen([1, 0, 1, 0.2, 2 / 3, 0, 1]);
    const own = shipOf(battleOf(shown), "0")!;
    const track = { key: "t1", vx: 0, vy: 0, sigma: 10, quality: 2, age: 0, layer: null };
    const ahead = {
      ...track,
      size: "S",
      iff: "hostile",
      x: own.x + Math.cos(own.heading) * 4000,
      y: own.y + Math.sin(own.heading) * 4000,
    };
    const behind = { ...ahead, key: "t2", x: own.x - 4000, y: own.y };
    expect(aimedTrack(shown, words, own, [behind, ahead])).toBe("t1");
    expect(aimedTrack({ ...shown, action: -1 }, words, own, [ahead])).toBeNull();
  });
});
