import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { BattleShip, WarDay, WarSummary } from "../src/api/wars";
import { readAddress, writeAddress } from "../src/pages/campaign/address";
import {
  battlePlace,
  battleWhere,
  curveScale,
  curvesOf,
  dead,
  endingWords,
  factionOf,
  fatesOf,
  fleetsOf,
  frameOf,
  marksOf,
  MEASURES,
  resourcesOf,
  type Measure,
} from "../src/pages/campaign/war";

const sample = new URL("../../docs/samples/war/", import.meta.url);
const war = JSON.parse(readFileSync(new URL("war.json", sample), "utf8")) as WarSummary;
const days = readFileSync(new URL("days.jsonl", sample), "utf8")
  .split("\n")
  .filter(Boolean)
  .map((line) => JSON.parse(line) as WarDay);

describe("the map of a war", () => {
  it("holds every node, with north up", () => {
    const frame = frameOf(war.nodes);
    const north = war.nodes.find((node) => node.name === "Northern Gate")!;
    expect(-north.y).toBeLessThan(frame.y + frame.height / 2);
    for (const node of war.nodes) {
      expect(node.x * 1.45).toBeGreaterThan(frame.x);
      expect(-node.y).toBeLessThan(frame.y + frame.height);
    }
  });

  it("places every fleet, in port beside each other and under way on its line", () => {
    for (const day of days) {
      const placed = fleetsOf(day, war.nodes);
      expect(placed).toHaveLength(Object.keys(day.fleets).length);
      const spots = placed
        .filter((one) => one.fleet.at !== undefined)
        .map((one) => `${one.x} ${one.y}`);
      expect(new Set(spots).size).toBe(spots.length);
    }
    const moving = { faction: "accord", kind: "battle", ships: 1, value: 1, from: "r0", to: "i0" };
    const day = { ...days[0]!, fleets: { A: { ...moving, progress: 0.5 } } };
    expect(fleetsOf(day, war.nodes)[0]).toMatchObject({ x: -280 * 1.45, y: 0 });
    expect(fleetsOf({ ...day, fleets: { A: { ...moving, to: "nowhere" } } }, war.nodes)).toEqual(
      [],
    );
  });

  it("has room for the longest name at its edge, as large as phones show it", () => {
    const styles = readFileSync(new URL("../src/styles/campaign.css", import.meta.url), "utf8");
    const phone = styles.slice(styles.indexOf("@media"));
    const size = Number(/\.war-name \{\s+font-size: (\d+)px/.exec(phone)![1]);
    const frame = frameOf(war.nodes);
    for (const node of war.nodes) {
      const half = (node.name.length * size * 0.55) / 2;
      expect(node.x * 1.45 - half, node.name).toBeGreaterThan(frame.x);
      expect(node.x * 1.45 + half, node.name).toBeLessThan(frame.x + frame.width);
    }
  });

  it("knows where a battle was, at a node or on the way", () => {
    const battle = { ...war.battles[0]!, node: "r0-r7" };
    expect(battlePlace(battle, war.nodes)).not.toBeNull();
    expect(battleWhere(battle, war.nodes)).toBe("between Pearl Harbourage and Lantern Shoals");
    expect(battleWhere({ ...battle, node: "r2" }, war.nodes)).toBe("Northern Gate");
    expect(battlePlace({ ...battle, node: "x-y" }, war.nodes)).toBeNull();
    expect(battleWhere({ ...battle, node: "x-y" }, war.nodes)).toBe("x-y");
  });
});

describe("the days of a war", () => {
  it("are marked where somebody fought or a node changed hands", () => {
    const marks = marksOf(war, days);
    const fought = new Set(war.battles.map((battle) => battle.day));
    for (const day of fought) {
      expect(marks.some((mark) => days[mark.frame]?.day === day)).toBe(true);
    }
    const taken = marks.filter((mark) => mark.names.some((name) => name.includes("passes to")));
    expect(taken.length).toBeGreaterThan(0);
    expect(marks.every((mark) => mark.place >= 0 && mark.place <= 1)).toBe(true);
  });

  it("tell how content and how radical every bloc is", () => {
    for (const day of days) {
      for (const { id } of war.factions) {
        const blocs = Object.values(day.factions[id]!.blocs);
        expect(blocs).toHaveLength(5);
        for (const { satisfaction, radicalisation } of blocs) {
          expect(Math.min(satisfaction, radicalisation)).toBeGreaterThanOrEqual(0);
          expect(Math.max(satisfaction, radicalisation)).toBeLessThanOrEqual(1);
        }
      }
    }
  });

  it("have a value of every curve for every faction", () => {
    for (const { id } of war.factions) {
      for (const measure of Object.keys(MEASURES) as Measure[]) {
        expect(curvesOf(war, id)?.[measure], measure).toHaveLength(days.length);
      }
    }
    expect(resourcesOf(war)).toEqual(["water", "food", "fuel", "materials", "salvage", "luxuries"]);
    expect(curvesOf(war, "nobody")).toBeNull();
    expect(curvesOf(war, "day")).toBeNull();
  });

  it("end in words", () => {
    expect(endingWords({ ...war, winner: null, ended_by: "draw" })).toBe("a draw");
    expect(endingWords({ ...war, ended_by: "seat_fell" })).toBe("a seat fell");
    expect(factionOf(war, null)).toBeNull();
  });
});

describe("the ships of a battle", () => {
  const ship = (ship_id: string, fate: string): BattleShip => ({
    ship_id,
    team_id_initial: "accord",
    fate,
    final_state: { hp: 1 },
    damage: { dealt: 0 },
    crew: { killed: 3 },
    marines: { killed: 1 },
    passengers: { killed: 2 },
  });

  it("are counted by fate, the commonest first", () => {
    const ships = [
      ship("A1", "DESTROYED"),
      ship("A2", "OPERATIONAL"),
      ship("A3", "OPERATIONAL"),
      ship("A4", "CAPTURED"),
    ];
    expect(fatesOf(ships)).toBe("2 operational, 1 captured, 1 destroyed");
  });

  it("count everybody who died aboard", () => {
    expect(dead(ship("A1", "OPERATIONAL"))).toBe(6);
  });
});

describe("a link to a war", () => {
  it("says which war and which day", () => {
    expect(readAddress({ war: "seed-1", day: "54" })).toEqual({ war: "seed-1", day: 54 });
    expect(readAddress({ day: "soon" })).toEqual({ war: null, day: null });
    expect(writeAddress({ war: "seed-1", day: 54 })).toBe("#/campaign?war=seed-1&day=54");
    expect(writeAddress({ war: null, day: null })).toBe("#/campaign");
  });
});

describe("the scale of a curve", () => {
  const HEIGHT = 84;

  it("shows what is below nothing below nothing", () => {
    const { y, dips } = curveScale([-0.8, -0.2, 0.6], HEIGHT);
    expect(dips).toBe(true);
    const drawn = [-0.8, -0.2, 0, 0.6].map(y);
    expect(drawn).toEqual([...drawn].sort((a, b) => b - a));
    expect(new Set(drawn).size).toBe(4);
    expect(y(-0.8)).toBeLessThanOrEqual(HEIGHT);
    expect(y(0.6)).toBeGreaterThanOrEqual(0);
  });

  it("stands on nothing where nothing is below it, also for a line of zeros", () => {
    expect(curveScale([3, 5], HEIGHT)).toMatchObject({ dips: false });
    expect(curveScale([3, 5], HEIGHT).y(0)).toBe(HEIGHT - 4);
    expect(curveScale([0, 0], HEIGHT).y(0)).toBe(HEIGHT - 4);
    expect(curveScale([-1, -2], HEIGHT).y(0)).toBeLessThan(curveScale([-1, -2], HEIGHT).y(-1));
  });
});
