import { describe, expect, it } from "vitest";
import { FrameBuffer } from "../src/api/frames";
import { atTick, indices, leader } from "../src/player/lockstep";
import { frames } from "./frames_of_tests";

function track(count: number, ticks = 1): FrameBuffer {
  const buffer = new FrameBuffer();
  buffer.append(0, frames(count, ticks));
  return buffer;
}

describe("lockstep", () => {
  it("shows the same step of both, and the end of the one that ended", () => {
    const pair = [track(10), track(4)];
    expect(indices(pair, "steps", 2)).toEqual([2, 2]);
    expect(indices(pair, "steps", 8)).toEqual([8, 3]);
  });

  it("follows the replay that lasts longer in its own time", () => {
    const pair = [track(10, 1), track(4, 5)];
    expect(leader(pair, "ticks")).toBe(1);
    expect(leader(pair, "steps")).toBe(0);
  });

  it("shows the last frame that is not later than the leader's tick", () => {
    const slow = track(4, 5); // ticks 5, 10, 15, 20
    const fine = track(10, 1); // ticks 1 to 10
    expect(indices([slow, fine], "ticks", 0)).toEqual([0, 4]);
    expect(indices([slow, fine], "ticks", 1)).toEqual([1, 9]);
    expect(indices([slow, fine], "ticks", 3)).toEqual([3, 9]);
  });

  it("finds ticks before the first and after the last frame", () => {
    expect(atTick(track(4, 5), 0)).toBe(0);
    expect(atTick(track(4, 5), 1000)).toBe(3);
    expect(atTick(new FrameBuffer(), 7)).toBe(0);
  });
});
