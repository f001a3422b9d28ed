/** Frames read for people: one agent's share of a frame, in words and in order. */

import type { Frame, PolicyNote, Terms } from "../api/types";
import type { Words } from "../scenes/scene";

export function agentCount(frame: Frame): number {
  return Array.isArray(frame.reward) ? frame.reward.length : 1;
}

export function rewardTotal(frame: Frame): number {
  return Array.isArray(frame.reward) ? frame.reward.reduce((a, b) => a + b, 0) : frame.reward;
}

export function rewardOf(frame: Frame, agent: number): number {
  return Array.isArray(frame.reward) ? (frame.reward[agent] ?? 0) : frame.reward;
}

export function observationOf(frame: Frame, agent: number): readonly number[] {
  const rows = frame.render_state.observation ?? [];
  const first = rows[0];
  if (Array.isArray(first)) return (rows as number[][])[agent] ?? [];
  return rows as number[];
}

export function choicesOf(frame: Frame, agent: number): readonly number[] {
  return typeof frame.action === "number" ? [frame.action] : (frame.action[agent] ?? []);
}

export function termsOf(frame: Frame): readonly Terms[] {
  return [frame.terms ?? {}].flat();
}

export function noteOf(frame: Frame, agent: number): PolicyNote | null {
  if (!frame.policy) return null;
  return Array.isArray(frame.policy) ? (frame.policy[agent] ?? null) : frame.policy;
}

/** `SELL_COMMODITY_0_25PCT` becomes "Sell commodity 0 25pct". */
export function spoken(name: string): string {
  const words = name.replace(/[_]+/g, " ").toLowerCase().trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

export function choiceName(words: Words, head: number, choice: number): string {
  const label = head === 0 ? words.labels?.[choice] : undefined;
  if (label !== undefined) return label;
  const name = words.action_names[head]?.[choice];
  return name === undefined ? `choice ${choice}` : spoken(name);
}

export interface Alternative {
  choice: number;
  probability: number;
  taken: boolean;
}

/** The likeliest choices, with the taken one always among them. */
export function alternatives(
  probabilities: readonly number[],
  taken: number,
  count: number,
): Alternative[] {
  const ranked = probabilities
    .map((probability, choice) => ({ choice, probability, taken: choice === taken }))
    .filter((one) => one.probability > 0 || one.taken)
    .sort((a, b) => b.probability - a.probability || a.choice - b.choice);
  const top = ranked.slice(0, count);
  const chosen = ranked.find((one) => one.taken);
  if (chosen && !top.includes(chosen)) top[top.length - 1] = chosen;
  return top;
}

export interface TermColumn {
  from: number;
  to: number;
  sums: Terms;
}

/** Reward terms summed over equal stretches of frames, all agents together. */
export function termColumns(frames: readonly Frame[], columns: number): TermColumn[] {
  const width = Math.max(1, Math.ceil(frames.length / columns));
  const result: TermColumn[] = [];
  for (let from = 0; from < frames.length; from += width) {
    const to = Math.min(from + width, frames.length);
    const sums: Terms = {};
    for (let i = from; i < to; i++) {
      const frame = frames[i];
      if (!frame) continue;
      for (const row of termsOf(frame)) {
        for (const [name, value] of Object.entries(row)) sums[name] = (sums[name] ?? 0) + value;
      }
    }
    result.push({ from, to, sums });
  }
  return result;
}
