import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ApiError } from "../src/api/errors";
import { fill, FrameBuffer, take } from "../src/api/frames";
import { frame, frames } from "./frames_of_tests";

const ALL = frames(1200);
const FROM = { run: "r", replay: "p" };
const quick = () => 0;

/** A server of pages that fails at the requests whose numbers are given. */
function pages(failing: number[] = [], status = 0) {
  const asked: number[] = [];
  vi.stubGlobal("fetch", (url: string) => {
    const params = new URL(url).searchParams;
    const offset = Number(params.get("offset"));
    asked.push(offset);
    if (failing.includes(asked.length)) {
      if (status === 0) return Promise.reject(new TypeError("cut"));
      return Promise.resolve(new Response(JSON.stringify({ detail: "no" }), { status }));
    }
    const part = ALL.slice(offset, offset + Number(params.get("limit")));
    const next = offset + part.length;
    return Promise.resolve(
      Response.json({
        offset,
        next_offset: next,
        count: part.length,
        has_more: next < ALL.length,
        frames: part,
      }),
    );
  });
  return asked;
}

beforeEach(() => {
  vi.stubGlobal("window", { location: { origin: "http://lab" } });
  vi.stubGlobal("sessionStorage", { getItem: () => null });
});
afterEach(() => vi.unstubAllGlobals());

describe("frames told by their changes", () => {
  const first = frame(0, {
    render_state: { tick: 1, agents: { a: { x: 1, aim: "bed" }, b: { x: 2 } }, queue: ["a"] },
    info: { exits: 0, meals: 3 },
  });
  const second = frame(1, {
    since: 0,
    render_state: { tick: 2, agents: { a: { x: 5, aim: null }, b: null, c: { x: 9 } }, queue: [] },
    info: { exits: 1 },
  });

  it("stand for themselves once they are here", () => {
    const buffer = new FrameBuffer();
    buffer.append(0, [first]);
    buffer.append(1, [second]);
    expect(buffer.at(1)).toMatchObject({ frame_index: 1, info: { exits: 1, meals: 3 } });
    expect(buffer.at(1)?.render_state).toEqual({
      tick: 2,
      agents: { a: { x: 5 }, c: { x: 9 } },
      queue: [],
    });
    expect(buffer.at(1)?.since).toBeUndefined();
    expect(buffer.at(0)).toBe(first);
  });

  it("share what did not change", () => {
    const buffer = new FrameBuffer();
    const still = { since: 0, render_state: { tick: 2 }, info: {} };
    buffer.append(0, [first, frame(1, still)]);
    expect(buffer.at(1)?.render_state["agents"]).toBe(first.render_state["agents"]);
  });

  it("are refused without the one they build on", () => {
    const buffer = new FrameBuffer();
    expect(() => buffer.append(0, [second])).toThrow(/builds on one that is not here/);
  });
});

describe("frame buffer", () => {
  it("skips what it holds and refuses a gap", () => {
    const buffer = new FrameBuffer();
    buffer.append(0, ALL.slice(0, 4));
    buffer.append(2, ALL.slice(2, 6));
    expect(buffer.frames.map((one) => one.frame_index)).toEqual([0, 1, 2, 3, 4, 5]);
    expect(() => buffer.append(9, ALL.slice(9, 10))).toThrow(/6 to 8/);
  });

  it("tells its readers of news only", () => {
    const buffer = new FrameBuffer();
    const told = vi.fn();
    buffer.subscribe(told);
    buffer.append(0, ALL.slice(0, 2));
    buffer.append(0, ALL.slice(0, 2));
    expect(told).toHaveBeenCalledTimes(1);
  });
});

describe("pages", () => {
  it("bring a few frames first, then all", async () => {
    const asked = pages();
    const buffer = new FrameBuffer();
    await fill(buffer, FROM, { transport: "http", signal: new AbortController().signal });
    expect(buffer.length).toBe(ALL.length);
    expect(buffer.complete).toBe(true);
    expect(asked[1]).toBeLessThan(100);
  });

  it("go on after a cut with the first frame that is missing", async () => {
    const asked = pages([2]);
    const buffer = new FrameBuffer();
    await fill(buffer, FROM, {
      transport: "http",
      signal: new AbortController().signal,
      pause: quick,
    });
    expect(buffer.length).toBe(ALL.length);
    expect(asked[1]).toBe(asked[2]);
  });

  it("give up when nothing comes for long", async () => {
    pages([1, 2, 3, 4, 5, 6, 7, 8]);
    const filling = fill(new FrameBuffer(), FROM, {
      transport: "http",
      signal: new AbortController().signal,
      pause: quick,
    });
    await expect(filling).rejects.toMatchObject({ fault: "offline" });
  });

  it("do not ask twice for what does not exist", async () => {
    const asked = pages([1], 404);
    const filling = fill(new FrameBuffer(), FROM, {
      transport: "http",
      signal: new AbortController().signal,
    });
    await expect(filling).rejects.toMatchObject({ fault: "missing", status: 404 });
    expect(asked).toHaveLength(1);
  });
});

describe("socket messages", () => {
  it("fill the buffer until complete", () => {
    const buffer = new FrameBuffer();
    expect(take(buffer, { type: "frames", offset: 0, frames: [] })).toBe(false);
    expect(take(buffer, { type: "frames", offset: 0, frames: ALL.slice(0, 3) })).toBe(false);
    expect(take(buffer, { type: "complete", has_more: false })).toBe(true);
    expect(buffer.complete).toBe(true);
  });

  it("leave the buffer open where the limit cut the file", () => {
    const buffer = new FrameBuffer();
    expect(take(buffer, { type: "complete", has_more: true })).toBe(true);
    expect(buffer.complete).toBe(false);
  });

  it("carry errors with their status", () => {
    const fail = () => take(new FrameBuffer(), { type: "error", status_code: 404, detail: "gone" });
    expect(fail).toThrow(ApiError);
    expect(fail).toThrow(/gone/);
  });

  it("of an unknown type are refused", () => {
    expect(() => take(new FrameBuffer(), { type: "noise" } as never)).toThrow(/unknown type/);
  });
});
