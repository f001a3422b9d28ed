import type { Frame } from "../src/api/types";

export function frame(index: number, change: Partial<Frame> = {}): Frame {
  return {
    schema_version: 1,
    frame_index: index,
    t: index + 1,
    dt: 1,
    action: 0,
    reward: 0,
    terminated: false,
    truncated: false,
    render_state: { observation: [0] },
    events: [],
    ...change,
  };
}

export function frames(count: number, ticks = 1): Frame[] {
  return Array.from({ length: count }, (_, i) => frame(i, { t: (i + 1) * ticks, dt: ticks }));
}
