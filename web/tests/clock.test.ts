import { describe, expect, it } from "vitest";
import * as clocks from "../src/player/clock";

function loaded(total: number, change: Partial<clocks.ClockState> = {}): clocks.ClockState {
  return { ...clocks.newClock(), available: total, total, ...change };
}

describe("clock", () => {
  it("moves by frames a second times speed", () => {
    const clock = clocks.advance(clocks.play(loaded(100, { speed: 4 })), 500);
    expect(clock.position).toBeCloseTo(clocks.FRAMES_PER_SECOND * 4 * 0.5);
  });

  it("stands still while paused", () => {
    const clock = loaded(10, { position: 3 });
    expect(clocks.advance(clock, 5000)).toBe(clock);
  });

  it("stops on the last frame and shows it whole", () => {
    const clock = clocks.advance(clocks.play(loaded(5)), 60_000);
    expect(clocks.frameIndex(clock)).toBe(4);
    expect(clock.playing).toBe(false);
    expect(clocks.progress(clock)).toBe(1);
  });

  it("shows the last step to its end before it stops", () => {
    const clock = clocks.advance({ ...clocks.play(loaded(5)), position: 4 }, 50);
    expect(clock.playing).toBe(true);
    expect(clocks.frameIndex(clock)).toBe(4);
  });

  it("begins again when looping", () => {
    const clock = clocks.advance({ ...clocks.play(loaded(5, { loop: true })), position: 4.9 }, 100);
    expect(clock.playing).toBe(true);
    expect(clocks.frameIndex(clock)).toBe(0);
  });

  it("waits for frames on their way, and goes on when they come", () => {
    const start = clocks.play(loaded(4, { total: 100 }));
    const stalled = clocks.advance(start, 60_000);
    expect(clocks.frameIndex(stalled)).toBe(3);
    expect(clocks.waiting(stalled)).toBe(true);
    const grown = clocks.grow(stalled, 50, 100);
    expect(clocks.waiting(grown)).toBe(false);
    expect(clocks.frameIndex(clocks.advance(grown, 1000))).toBeGreaterThan(3);
  });

  it("plays from the start once it has ended", () => {
    expect(clocks.play(loaded(5, { position: 4 })).position).toBe(0);
  });

  it("keeps a seek within the replay", () => {
    expect(clocks.seek(loaded(5), 99).position).toBe(4);
    expect(clocks.seek(loaded(5), -3).position).toBe(0);
  });

  it("can be put on a frame that has not arrived", () => {
    expect(clocks.seek(loaded(2, { total: 500 }), 300).position).toBe(300);
  });

  it("stays in place when frames arrive after such a seek", () => {
    const clock = clocks.seek(loaded(2, { total: 500 }), 300);
    expect(clocks.grow(clock, 64, 500).position).toBe(300);
  });

  it("waits at such a frame instead of going back", () => {
    const clock = clocks.play(clocks.seek(loaded(64, { total: 500 }), 300));
    expect(clocks.advance(clock, 1000).position).toBe(300);
    expect(clocks.waiting(clock)).toBe(true);
  });

  it("pauses when stepped", () => {
    const clock = clocks.step(clocks.play(loaded(5, { position: 2.4 })), 1);
    expect(clock.playing).toBe(false);
    expect(clock.position).toBe(3);
  });

  it("goes through all speeds and stays at the ends", () => {
    let clock = loaded(5);
    for (let i = 0; i < 20; i++) clock = clocks.faster(clock, 1);
    expect(clock.speed).toBe(64);
    for (let i = 0; i < 20; i++) clock = clocks.faster(clock, -1);
    expect(clock.speed).toBe(0.25);
  });
});
