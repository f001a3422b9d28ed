/** Whoever looks at what a side knew is told no more than its captain would be. */

import { afterEach, describe, expect, it } from "vitest";
import { battleReplay, CONVOY_RUN } from "../mock/battle/run";
import type { Frame } from "../src/api/types";
import { loadScene } from "../src/scenes/loading";
import { shipOf, type Battle } from "../src/scenes/tidebreak/battle";
import { eventLines } from "../src/scenes/tidebreak/event_lines";
import { INKS } from "../src/scenes/tidebreak/inks";
import { journalOf, type Happening } from "../src/scenes/tidebreak/journal";
import { moments } from "../src/scenes/tidebreak/moments";
import { paintHud } from "../src/scenes/tidebreak/paint_hud";
import { plotOf } from "../src/scenes/tidebreak/plot";
import { battleOf } from "../src/scenes/tidebreak/reading";
import { pictureOf, seenBattle } from "../src/scenes/tidebreak/seen";
import { battleView } from "../src/scenes/tidebreak/view";
import { frame } from "./frames_of_tests";

const convoy = battleReplay(CONVOY_RUN).frames;
const EVERYTHING = { surface: true, submerged: true, abyssal: true };
const SIDES = [
  ["blue", "red"],
  ["red", "blue"],
] as const;

const battleIn = (one: Frame | undefined): Battle => {
  const battle = battleOf(one ?? null);
  if (!battle) throw new Error("the frame shows no battle");
  return battle;
};
const late = battleIn(convoy[500]);

/** Of a side in truth. */
const shipsOf = (side: string) => late.ships.filter((ship) => ship.team === side);
const idsOf = (side: string) => new Set(shipsOf(side).map((ship) => ship.id));
const anyNameOf = (side: string) =>
  new RegExp(
    shipsOf(side)
      .map((ship) => ship.name)
      .join("|"),
  );
const causedBy = (side: string) => {
  const ids = idsOf(side);
  return ({ event }: Happening) => event.source !== null && ids.has(event.source);
};

afterEach(() => battleView.change({ side: null }));

describe("a battle as a side knew it", () => {
  it("is the battle itself where the truth is chosen, and a player's own whatever is", () => {
    expect(seenBattle(late, null)).toBe(late);
    const played = { ...late, seen_by: "blue" };
    expect(seenBattle(played, "red")).toEqual({ ...seenBattle(late, "blue"), seen_by: "blue" });
  });

  it.each(SIDES)("holds for %s nothing that names %s but its place among the sides", (own, foe) => {
    for (const one of convoy.filter((_, index) => index % 20 === 0)) {
      const told = pictureOf(battleIn(one), own, EVERYTHING).battle;
      expect(JSON.stringify(told)).not.toMatch(anyNameOf(foe));
      const parts = [told.ships, told.rounds, told.decoys, told.mines, told.squadrons];
      expect(parts.flat().every((part) => part.team === own)).toBe(true);
      expect(Object.keys(told.knowledge)).toEqual([own]);
      expect(told.ships.every((ship) => ship.target === null)).toBe(true);
      expect(told.teams.find((team) => team.name === foe)).toEqual({
        name: foe,
        share: null,
        ships_left: null,
      });
      expect(told.teams.find((team) => team.name === own)?.share).toBeGreaterThanOrEqual(0);
    }
  });

  it("does not tell who won", () => {
    const over = { ...late, winner: "red", ended_by: "annihilation" };
    expect(pictureOf(over, "blue", EVERYTHING).battle).toMatchObject({
      winner: null,
      ended_by: null,
    });
    expect(pictureOf(over, null, EVERYTHING).battle.winner).toBe("red");
  });

  it("has events in which an own ship is named, without the names of others", () => {
    const blue = idsOf("blue");
    const events = convoy.flatMap(
      (one) => pictureOf(battleIn(one), "blue", EVERYTHING).battle.events,
    );
    const named = events.flatMap(({ source, target }) => [source, target]);
    expect(named.every((id) => id === null || blue.has(id))).toBe(true);
    expect(events.every(({ source, target }) => source !== null || target !== null)).toBe(true);
    expect(events.some(({ kind, source }) => kind === "hit" && source === null)).toBe(true);
  });

  it("judges an event by who held a ship when it happened", () => {
    const struck = { id: 1, kind: "fire_started", tick: 1, target: "0" };
    const state = (team: string, events: object[]) => ({
      map: {},
      teams: { blue: {}, red: {} },
      knowledge: { blue: {}, red: {} },
      ships: { "0": { name: "Kestrel", team } },
      events,
    });
    const taken = [
      frame(0, { render_state: state("blue", [struck]) }),
      frame(1, { render_state: state("red", [{ ...struck, id: 2 }]) }),
    ];
    const known = (side: string) => journalOf(taken, side).happenings.map(({ event }) => event.id);
    expect(known("blue")).toEqual([1]);
    expect(known("red")).toEqual([2]);
  });
});

describe("what is told beside the plot", () => {
  it("has the other side's value and ships neither on the plot nor in dials", async () => {
    const scene = await loadScene("tidebreak");
    const one = convoy[500]!;
    const words = { obs_names: [], action_names: [], agents: [] };
    const share = () => scene.gauges(one, words).map(({ text }) => text);
    const ships = () => scene.facts(one, words).find(({ label }) => /ships/i.test(label))?.text;
    const truth = [share(), ships()];
    expect(share().every((text) => text.endsWith("% of value"))).toBe(true);
    battleView.change({ side: "blue" });
    expect(share()).toEqual([expect.stringMatching(/% of value$/), "not known"]);
    expect(ships()).toBe(String(shipsOf("blue").filter((ship) => ship.fate === null).length));
    battleView.change({ side: "red" });
    expect(share()).toEqual(["not known", expect.stringMatching(/% of value$/)]);
    battleView.change({ side: null });
    expect([share(), ships()]).toEqual(truth);
  });

  it("writes a question mark in place of the ships a side cannot count", () => {
    const [blue, red] = late.teams.map((team) => String(team.ships_left));
    expect(writtenOnPlot(null)).toEqual(expect.arrayContaining(["Blue", blue, "Red", red]));
    const known = writtenOnPlot("red");
    expect(known.slice(known.indexOf("Blue"), known.indexOf("Blue") + 4)).toEqual([
      "Blue",
      "?",
      "Red",
      red,
    ]);
  });

  it.each(SIDES)("leads %s back to no order of %s", (own, foe) => {
    const [truth, journal] = [journalOf(convoy, null), journalOf(convoy, own)];
    const struck = truth.happenings.filter(
      ({ event }) => event.kind === "hit" && idsOf(own).has(event.target ?? ""),
    );
    expect(struck.length).toBeGreaterThan(0);
    const chains = (from: typeof truth) => struck.flatMap(({ event }) => from.chainOf(event.id));
    expect(chains(truth).some(causedBy(foe))).toBe(true);
    expect(chains(journal).length).toBeGreaterThan(0);
    // That she was struck is all there is to know: neither who fired nor who said so.
    expect(new Set(chains(journal).map(({ event }) => event.kind))).toEqual(new Set(["hit"]));
    expect(journal.happenings.some(causedBy(foe))).toBe(false);
    const orders = journal.happenings.filter(({ event }) => event.kind === "order");
    expect(orders.every(causedBy(own))).toBe(true);
    const lines = eventLines(journal.happenings, journal).map(({ text }) => text);
    expect(lines.filter((text) => anyNameOf(foe).test(text))).toEqual([]);
  });

  it("still leads a side back to its own orders", () => {
    const journal = journalOf(convoy, "blue");
    const order = journal.happenings.find(
      ({ event }) => event.kind === "order" && journal.ledTo(event.id).length > 0,
    )!;
    const [then] = journal.ledTo(order.event.id);
    expect(shipOf(late, order.event.source)?.team).toBe("blue");
    expect(journal.chainOf(then!.event.id)[0]).toBe(order);
  });

  it("marks a submarine's depths for her own side only", () => {
    const depths = (side: string | null) =>
      moments(convoy, side).filter(({ name }) => name.includes("depth"));
    expect(depths(null).length).toBeGreaterThan(0);
    expect(depths("red")).toEqual(depths(null));
    expect(depths("blue")).toEqual([]);
    const names = moments(convoy, "blue").map(({ name }) => name);
    expect(names.length).toBeGreaterThan(0);
    expect(names.filter((name) => anyNameOf("red").test(name))).toEqual([]);
  });

  it("marks the scrubber anew when somebody asks for another side", async () => {
    const module = await loadScene("tidebreak");
    const seen: (string | null)[] = [];
    const leave = module.outlook?.listen(() => seen.push(module.outlook?.current() ?? null));
    const truth = module.moments?.(convoy);
    battleView.change({ side: "blue" });
    expect(module.moments?.(convoy)).toEqual(moments(convoy, "blue"));
    expect(module.moments?.(convoy)).not.toEqual(truth);
    battleView.change({ side: null });
    expect(module.moments?.(convoy)).toEqual(truth);
    expect(seen).toEqual(["blue", null]);
    leave?.();
  });
});

/** All words of the plot's cards, in the order they are written. */
function writtenOnPlot(side: string | null): string[] {
  const texts: string[] = [];
  const pen = new Proxy({} as CanvasRenderingContext2D, {
    get: (_, name) => {
      if (name === "fillText") return (text: string) => texts.push(text);
      return () => ({ width: 40 });
    },
    set: () => true,
  });
  const camera = { x: 0, y: 0, scale: 0.05 };
  const plot = plotOf(pen, camera, { width: 900, height: 600 }, INKS.dark, 0);
  paintHud(plot, pictureOf(late, side, EVERYTHING).battle, side);
  return texts;
}
