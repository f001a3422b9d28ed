/** The frames worth stopping at, and the marks that show them on a scrubber. */

import { spoken } from "./reading";

export interface FrameEvent {
  frame: number;
  name: string;
  /** Where it is known; then the name is words already. */
  tone?: EventTone;
}

/** Largest rewards in either direction that count as worth a stop. */
const EXTREMES = 6;

/** First and last frame, every event, and where most was won or lost; ascending, no repeats. */
export function keyframes(
  events: readonly FrameEvent[],
  reward: readonly number[],
  stride: number,
  total: number,
): number[] {
  if (total === 0) return [];
  const frames = new Set<number>([0, total - 1]);
  for (const event of events) if (event.frame < total) frames.add(event.frame);
  for (const index of extremes(reward)) frames.add(Math.min(index * stride, total - 1));
  return [...frames].sort((a, b) => a - b);
}

function extremes(reward: readonly number[]): number[] {
  return reward
    .map((value, index) => ({ value: Math.abs(value), index }))
    .filter((one) => one.value > 0)
    .sort((a, b) => b.value - a.value || a.index - b.index)
    .slice(0, EXTREMES)
    .map((one) => one.index);
}

export function nextKeyframe(keys: readonly number[], at: number): number | null {
  return keys.find((key) => key > at) ?? null;
}

export function previousKeyframe(keys: readonly number[], at: number): number | null {
  return keys.findLast((key) => key < at) ?? null;
}

export interface Mark {
  frame: number;
  /** 0 to 1 along the bar. */
  place: number;
  names: string[];
  tone: EventTone;
}

export type EventTone = "bad" | "warn" | "good" | "plain";

/** Words that worlds use for their events; an unknown one is shown without a judgement. */
const TONES: [RegExp, EventTone][] = [
  [/destroyed|stranded|lost|terminated|dead|crash/, "bad"],
  [/pirate|overheat|invalid|ignored|hazard|fracture|warn/, "warn"],
  [/cash_out|lit|refilled|goal|won|sold|milestone/, "good"],
];

export function toneOf(event: string): EventTone {
  return TONES.find(([pattern]) => pattern.test(event))?.[1] ?? "plain";
}

const SEVERITY: Record<EventTone, number> = { bad: 3, warn: 2, good: 1, plain: 0 };

/** Events as marks, neighbours within one slot joined so that a long replay stays readable. */
export function marks(events: readonly FrameEvent[], total: number, slots: number): Mark[] {
  if (total === 0) return [];
  const bySlot = new Map<number, Mark>();
  for (const event of events) {
    const place = total > 1 ? event.frame / (total - 1) : 0;
    const slot = Math.round(place * slots);
    const tone = event.tone ?? toneOf(event.name);
    const name = event.tone ? event.name : spoken(event.name);
    const held = bySlot.get(slot);
    if (!held) {
      bySlot.set(slot, { frame: event.frame, place, names: [name], tone });
      continue;
    }
    if (!held.names.includes(name)) held.names.push(name);
    if (SEVERITY[tone] > SEVERITY[held.tone]) held.tone = tone;
  }
  return [...bySlot.values()].sort((a, b) => a.frame - b.frame);
}
