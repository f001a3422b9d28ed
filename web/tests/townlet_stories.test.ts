import { describe, expect, it } from "vitest";
import { MadeUpTown } from "../mock/town/life";
import { resident } from "../mock/town/residents";
import { Chronicle } from "../src/scenes/townlet/chronicle";
import { dayInWords } from "../src/scenes/townlet/day";
import { tell } from "../src/scenes/townlet/event_words";
import { frame } from "./frames_of_tests";

describe("a story", () => {
  it("ends with whoever leaves, whatever they were at", () => {
    const people = ["ann", "bob"].map((id, seat) => ({ ...resident(seat), id, ties: [] }));
    const at = (tick: number, events: object[], waiting: string | null, gone = false) =>
      frame(tick - 1, {
        render_state: {
          ground: { size: [9, 9], ticks_per_day: 1000, bus_stop: [0, 0], jobs: {} },
          tick,
          day: 0,
          tod: tick,
          agents: Object.fromEntries(
            (gone ? [] : people).map(({ id, ...one }) => [id, { ...one, ties: {}, waiting }]),
          ),
          objects: {},
          prices: {},
          utilities: { power: true, water: true },
          perturbations: {},
          events: events.map((event, seq) => ({ tick: tick - 1, seq, ...event })),
        },
      });
    const use = { event: "affordance_start", agent_id: "bob", affordance_id: "use_shower" };
    const gone = [
      { event: "agent_removed", agent_id: "ann", reason: "neglect" },
      { event: "agent_killed", agent_id: "bob", reason: "killed" },
    ];
    const frames = Array.from({ length: 20 }, (_, i) =>
      at(i + 1, i === 0 ? [use] : i === 10 ? gone : [], "till_1", i >= 10),
    );
    const book = new Chronicle();
    book.read(frames);
    const told = (id: string) =>
      dayInWords(book.entriesOf(id), 0, 1000, 19).map(({ text, until }) => [text, until]);
    expect(told("ann")).toEqual([
      ["Queued for till 1", 11],
      ["Was worn down by neglect and left town", 10],
    ]);
    expect(told("bob")).toEqual([
      ["Gave up showering: had to leave", 11],
      ["Queued for till 1", 11],
      ["Was taken out and left town", 10],
    ]);
    expect(dayInWords(book.entriesOf("ann"), 0, 1000, 9).at(-1)?.until).toBeNull();
  });

  it("tells a use that may not begin once, with the condition", () => {
    const [first] = new MadeUpTown(8).frames(1);
    const about = { tick: 1, agent_id: "alice", affordance_id: "use_shower", reason: "power_off" };
    const forbidden = { ...about, event: "affordance_precondition_fail", condition: "power_on" };
    const failed = { ...about, event: "affordance_fail" };
    const state = { ...(first!.render_state as object), events: [forbidden, failed, failed] };
    const book = new Chronicle();
    book.read([{ ...first!, render_state: state }]);
    expect(book.events.map(({ event }) => tell(event).text)).toEqual([
      "Alice cannot begin showering: the power is off (power_on)",
      "Alice gives up showering: the power is off",
    ]);
  });
});
