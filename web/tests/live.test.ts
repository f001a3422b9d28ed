import { describe, expect, it } from "vitest";
import { newsOf, SseParser } from "../src/api/live";

describe("server-sent events", () => {
  it("are cut at empty lines, whatever the pieces", () => {
    const text =
      'id: 4\nevent: gone\ndata: {"run_id":"a"}\n\n: still here\n\nevent: reset\ndata:\n\n';
    for (const size of [1, 3, 7, text.length]) {
      const parser = new SseParser();
      const found = [];
      for (let at = 0; at < text.length; at += size)
        found.push(...parser.feed(text.slice(at, at + size)));
      expect(found.map(newsOf)).toEqual([{ kind: "gone", run_id: "a" }, { kind: "reset" }]);
      expect(found[0]?.id).toBe("4");
    }
  });

  it("hold data of several lines together", () => {
    const [message] = new SseParser().feed("data: one\ndata: two\n\n");
    expect(message?.data).toBe("one\ntwo");
  });

  it("may say no more than where the stream stands", () => {
    const [message] = new SseParser().feed("id: x-3\n\n");
    expect(message?.id).toBe("x-3");
    expect(newsOf({ id: "x-3", event: "message", data: "" })).toBeNull();
  });

  it("are ignored where they make no sense", () => {
    expect(newsOf({ id: null, event: "run", data: "{broken" })).toBeNull();
    expect(newsOf({ id: null, event: "weather", data: "{}" })).toBeNull();
  });
});
