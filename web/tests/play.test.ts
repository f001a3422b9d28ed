import { describe, expect, it } from "vitest";
import type { Session, World } from "../src/api/types";
import { arrivalOf } from "../src/pages/play/arrival";
import { fits } from "../src/pages/play/session";
import { hint } from "../src/scenes/prospector/hints";
import { frame as frameAt } from "./frames_of_tests";

const world = (id: string) => ({ id, scene: "prospector" }) as World;
const WORLDS = [world("prospector-v1"), world("prospector-v2")];

describe("arriving at Play", () => {
  it("begins the newest version of the first world without a seed", () => {
    expect(arrivalOf({}, WORLDS)).toEqual({ world: "prospector-v2", named: false, seed: null });
  });

  it("does as the link says, and ignores what is no seed or no world", () => {
    expect(arrivalOf({ world: "prospector-v1", seed: "7" }, WORLDS)).toEqual({
      world: "prospector-v1",
      named: true,
      seed: 7,
    });
    expect(arrivalOf({ world: "chess", seed: "-3" }, WORLDS).seed).toBeNull();
    expect(arrivalOf({ world: "chess" }, WORLDS).named).toBe(false);
  });

  it("goes on with a game that fits", () => {
    const session = { world: "prospector-v1", seed: 7 } as Session;
    const wanted = { world: "prospector-v2", named: false, seed: null };
    expect(fits(session, wanted)).toBe(true);
    expect(fits(session, { ...wanted, seed: 8 })).toBe(false);
    expect(fits(session, { ...wanted, named: true })).toBe(false);
  });
});

describe("hints of the moment", () => {
  const observation = new Array<number>(260).fill(0);
  observation[8] = 0.1; // 20 units of iron
  observation.splice(24, 7, 1, 0, 1, 0, 3 / 8, 0.5, 0.8);
  observation.splice(68, 11, 1, 0.6, 0, 0, 0.4, 0, 0, 0.5, 0.25, 0.4, 0);
  observation[244] = 0.8;
  const frame = frameAt(0, { render_state: { observation } });

  it("tells the way along a lane", () => {
    expect(hint(frame, 0)).toBe("To rocks: 3 ticks, 80 fuel; dangerous");
    expect(hint(frame, 1)).toBeNull();
  });

  it("tells what is believed of a rock", () => {
    expect(hint(frame, 12)).toBe("60 % iron, 40 % PGE; 75 % left, 40 % sure");
    expect(hint(frame, 13)).toBeNull();
  });

  it("tells how much a sale or a jettison moves", () => {
    expect(hint(frame, 36)).toBe("20 units");
    expect(hint(frame, 44)).toBe("10 units at 80 % of base price");
    expect(hint(frame, 46)).toBe("None in the hold");
  });

  it("leaves the rest to the world's own words", () => {
    for (const action of [6, 8, 28, 42, 61, 68]) expect(hint(frame, action)).toBeNull();
  });
});
