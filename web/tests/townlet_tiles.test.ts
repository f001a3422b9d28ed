import { describe, expect, it } from "vitest";
import { MadeUpTown } from "../mock/town/life";
import { INKS } from "../src/scenes/townlet/inks";
import { paintVenueNames } from "../src/scenes/townlet/paint_air";
import { paintTiles, tileLegend } from "../src/scenes/townlet/paint_tiles";
import { townOf, type Town } from "../src/scenes/townlet/town";
import type { Venue } from "../src/scenes/townlet/venues";
import { contrast } from "./contrast";

const [first] = new MadeUpTown(2).frames(1);
const open = townOf(first ?? null)!;
const withMap = (...map: string[]): Town => ({ ...open, map });

/** A pen that notes with which colour it filled or drew what. */
function noting(): { pen: CanvasRenderingContext2D; marks: string[] } {
  const marks: string[] = [];
  const state: Record<string, unknown> = {};
  const pen = new Proxy(state, {
    get:
      (_, name) =>
      (...given: unknown[]) => {
        if (name === "fillRect") marks.push(`${String(state["fillStyle"])} ${given.join()}`);
        if (name === "fill") marks.push(String(state["fillStyle"]));
        if (name === "stroke") marks.push(String(state["strokeStyle"]));
      },
  });
  return { pen: pen as unknown as CanvasRenderingContext2D, marks };
}

function painted(sign: string, theme: "dark" | "light"): string[] {
  const { pen, marks } = noting();
  paintTiles(pen, withMap(sign), INKS[theme]);
  return marks;
}

describe.each(["dark", "light"] as const)("tiles where it is %s", (theme) => {
  it("all show, and each kind otherwise", () => {
    const looks = [..."#+=CTq"].map((sign) => painted(sign, theme).join("; "));
    expect(looks.filter((look) => look !== "")).toHaveLength(6);
    expect(new Set(looks).size).toBe(6);
  });

  it("are the ground itself where the floor is open", () => {
    expect(painted(".", theme)).toEqual([]);
  });

  it("that stop or gather people stand out from the ground", () => {
    const { ground, wood, muted } = INKS[theme];
    expect(contrast(wood, ground)).toBeGreaterThan(3);
    expect(contrast(muted, ground)).toBeGreaterThan(3);
  });
});

describe("the name of a place", () => {
  const venue = (title: string, x: number, y: number) =>
    ({ name: "home", title, x, y, width: 20, height: 8 }) as Venue;
  const written = (venues: Venue[], corner: { x: number; y: number }) => {
    const at: Record<string, number> = {};
    const pen = new Proxy(
      {},
      {
        get: (_, name) => (text: string, x: number) => {
          if (name === "fillText") at[text] = x;
        },
      },
    );
    paintVenueNames(pen as unknown as CanvasRenderingContext2D, venues, corner, INKS.dark, 12);
    return at;
  };

  it("moves aside for the clock, and stays where that is not above it", () => {
    const venues = [venue("Homes", 2, 3), venue("Gym", 2, 20), venue("Park", 25, 3)];
    expect(written(venues, { x: 15, y: 4 })).toEqual({ Homes: 15.1, Gym: 2.1, Park: 25.1 });
    expect(written(venues, { x: 0, y: 0 })).toEqual({ Homes: 2.1, Gym: 2.1, Park: 25.1 });
  });

  it("stays with a place that is wholly behind the clock", () => {
    expect(written([venue("Homes", 2, 3)], { x: 30, y: 4 })).toEqual({ Homes: 2.1 });
  });
});

describe("the legend", () => {
  it("names the tiles a town has, each once, and none on open floor", () => {
    expect(tileLegend(open)).toEqual([]);
    expect(tileLegend(withMap("..TT.", ".qT..")).map(([look]) => look)).toEqual([
      "Round top",
      "Dashed ring",
    ]);
  });
});
