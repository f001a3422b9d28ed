import { describe, expect, it, vi } from "vitest";
import { assetsOf } from "../assets/assets";
import { createSoundPlayer, type SoundSurroundings } from "./player";

const assets = assetsOf({ graphics: {}, audio: {}, effects: {} }, "./assets");

function node() {
  const self = { gain: { value: 0 }, connect: (to: unknown) => to, disconnect: vi.fn() };
  return self;
}

/** A browser's audio with the parts the player uses, and a clock to turn by hand. */
function stage(change: Partial<SoundSurroundings> = {}) {
  const started: number[] = [];
  const gains: ReturnType<typeof node>[] = [];
  const tones: string[] = [];
  const context = {
    currentTime: 0,
    destination: {},
    resume: () => Promise.resolve(),
    close: () => Promise.resolve(),
    decodeAudioData: () => Promise.resolve({}),
    createGain: () => {
      const made = {
        ...node(),
        gain: { value: 0, setValueAtTime: vi.fn(), exponentialRampToValueAtTime: vi.fn() },
      };
      gains.push(made);
      return made;
    },
    createBufferSource: () => {
      const source = {
        buffer: null,
        onended: null as (() => void) | null,
        connect: () => undefined,
        start: () => {
          started.push(gains.at(-1)?.gain.value ?? -1);
          queueMicrotask(() => source.onended?.());
        },
      };
      return source;
    },
    createOscillator: () => {
      const tone = {
        type: "",
        onended: null as (() => void) | null,
        frequency: { setValueAtTime: vi.fn(), exponentialRampToValueAtTime: vi.fn() },
        connect: (to: unknown) => to,
        start: () => {
          tones.push(tone.type);
          queueMicrotask(() => tone.onended?.());
        },
        stop: vi.fn(),
      };
      return tone;
    },
  };
  const clock = { now: 0 };
  const load = vi.fn(() => Promise.resolve(new ArrayBuffer(8)));
  const player = createSoundPlayer(assets, {
    context: () => context as unknown as AudioContext,
    load,
    now: () => clock.now,
    random: () => 0,
    ...change,
  });
  return { player, started, tones, clock, load };
}

const settled = () => new Promise((done) => setTimeout(done, 0));

describe("sound", () => {
  it("is off until turned on, and loads nothing before", async () => {
    const { player, started, load } = stage();
    player.play("ui.click");
    await settled();
    expect(load).not.toHaveBeenCalled();
    player.turn(true);
    player.play("ui.click");
    await settled();
    expect(started).toHaveLength(1);
  });

  it("plays at group times cue times the person's volume", async () => {
    const { player, started } = stage();
    player.turn(true);
    player.setVolume("sfx", 0.5);
    player.play("sfx.travel.warp");
    await settled();
    expect(started[0]).toBeCloseTo(0.8 * 0.8 * 0.5);
    player.setVolume("sfx", 0);
    player.play("sfx.station.sell");
    await settled();
    expect(started).toHaveLength(1);
  });

  it("keeps volumes within 0 and 1", () => {
    const { player } = stage();
    player.setVolume("ui", 7);
    expect(player.volume("ui")).toBe(1);
  });

  it("is silent for none, for unknown cues and for a cue repeated at once", async () => {
    const { player, started, clock } = stage();
    player.turn(true);
    for (const key of ["sfx.none", "sfx.nothing", "ui.step", "ui.step"]) player.play(key);
    await settled();
    expect(started).toHaveLength(1);
    clock.now = 200;
    player.play("ui.step");
    await settled();
    expect(started).toHaveLength(2);
  });

  it("loads a file once", async () => {
    const { player, clock, load } = stage();
    player.turn(true);
    for (clock.now = 0; clock.now < 1000; clock.now += 100) {
      player.play("ui.step");
      await settled();
    }
    expect(load).toHaveBeenCalledTimes(1);
  });

  it("plays the tone where the file cannot be had", async () => {
    const { player, started, tones } = stage({ load: () => Promise.reject(new Error("gone")) });
    player.turn(true);
    player.play("sfx.event.pirate_alarm");
    await settled();
    expect(started).toHaveLength(0);
    expect(tones).toEqual(["square"]);
  });

  it("takes a browser that refuses sound as silence", async () => {
    for (const context of [
      () => null,
      () => {
        throw new Error("blocked");
      },
    ]) {
      const { player } = stage({ context });
      player.turn(true);
      player.play("ui.click");
      await settled();
      expect(player.on).toBe(true);
    }
  });
});
