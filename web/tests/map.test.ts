import { describe, expect, it, vi } from "vitest";
import { listenToPointer, type Listen } from "../src/scenes/map/pointer";
import { townView } from "../src/scenes/townlet/view";

describe("the view of a map", () => {
  it("tells every map to come nearer, but once where they share how near they are", () => {
    const heard: string[] = [];
    const undo = ["one", "other"].map((map) =>
      townView.onZoom((by) => heard.push(`${map} ${by > 1 ? "nearer" : "farther"}`)),
    );
    expect(townView.pressed("+", [])).toBe(true);
    expect(heard).toEqual(["one nearer", "other nearer"]);
    townView.change({ near: true });
    townView.pressed("-", []);
    expect(heard.slice(2)).toEqual(["one farther"]);
    townView.change({ near: false });
    for (const stop of undo) stop();
    townView.pressed("+", []);
    expect(heard).toHaveLength(3);
  });
});

describe("a finger on a map", () => {
  /** Where a map is dragged to by a pointer that goes right by 40 pixels. */
  function dragged(pointerType: string, held: boolean): { drags: number[]; clicks: number } {
    const heard: Record<string, (event: PointerEvent) => void> = {};
    const on = ((_, name: string, listener: (event: PointerEvent) => void) => {
      heard[name] = listener;
    }) as Listen;
    const canvas = {} as HTMLCanvasElement;
    vi.stubGlobal("window", {});
    const [drags, clicks]: [number[], PointerEvent[]] = [[], []];
    listenToPointer(canvas, on, {
      camera: () => ({ x: 10, y: 10, scale: 4 }),
      holds: () => held,
      onDrag: (camera) => drags.push(camera.x),
      onClick: (event) => clicks.push(event),
    });
    const event = (clientX: number) =>
      ({ pointerType, button: 0, clientX, clientY: 5, target: canvas }) as unknown as PointerEvent;
    heard["pointerdown"]?.(event(100));
    heard["pointermove"]?.(event(140));
    heard["pointerup"]?.(event(140));
    vi.unstubAllGlobals();
    return { drags, clicks: clicks.length };
  }

  it("moves one that is not all on the screen, and leaves the page to scroll over the whole", () => {
    expect(dragged("touch", true)).toEqual({ drags: [0], clicks: 0 });
    expect(dragged("touch", false).drags).toEqual([]);
    expect(dragged("mouse", false)).toEqual({ drags: [0], clicks: 0 });
  });
});
