/** Rows of windows into curves: chosen, smoothed, joined over seeds. Pure. */

import type { WindowRow } from "../api/types";

export interface Curve {
  name: string;
  x: number[];
  y: (number | null)[];
}

export interface Band extends Curve {
  low: (number | null)[];
  high: (number | null)[];
  /** How many runs it joins. */
  count: number;
}

export type Axis = "ticks" | "windows" | "seconds";

/** Fields that number or bound a window rather than measure it. */
const NOT_METRICS = new Set([
  "run_id",
  "window_id",
  "window_complete",
  "env_steps_start",
  "env_steps_end",
  "env_steps_in_window",
  "env_steps_total",
]);

const FIRST = [
  "return_mean",
  "profit_mean",
  "survival_rate",
  "final_accuracy",
  "reward_mean",
  "episodes_completed",
  "invalid_action_rate",
  "steps_per_second",
];

/** Every measured figure, the telling ones first. */
export function metricsOf(rows: Iterable<WindowRow>): string[] {
  const names = new Set<string>();
  for (const row of rows) {
    for (const [name, value] of Object.entries(row)) {
      if (!NOT_METRICS.has(name) && (typeof value === "number" || value === null)) names.add(name);
    }
  }
  const rank = (name: string) => (FIRST.includes(name) ? FIRST.indexOf(name) : FIRST.length);
  return [...names].sort((a, b) => rank(a) - rank(b) || a.localeCompare(b));
}

export function curveOf(
  name: string,
  rows: readonly WindowRow[],
  metric: string,
  axis: Axis,
): Curve {
  const x: number[] = [];
  const y: (number | null)[] = [];
  let seconds = 0;
  for (const row of rows) {
    seconds += numberOf(row["wall_seconds"]) ?? 0;
    x.push(axis === "ticks" ? row.env_steps_total : axis === "windows" ? row.window_id : seconds);
    y.push(numberOf(row[metric]));
  }
  return { name, x, y };
}

function numberOf(value: unknown): number | null {
  return typeof value === "number" && Number.isFinite(value) ? value : null;
}

/** An exponential mean that starts unbiased; gaps stay gaps. `weight` 0 leaves all as it is. */
export function smoothed(values: readonly (number | null)[], weight: number): (number | null)[] {
  let held = 0;
  let share = 0;
  return values.map((value) => {
    if (value === null) return null;
    held = held * weight + value * (1 - weight);
    share = share * weight + (1 - weight);
    return held / share;
  });
}

interface Point {
  at: number;
  value: number;
}

function pointsOf(curve: Curve): Point[] {
  const points: Point[] = [];
  curve.y.forEach((value, i) => {
    const at = curve.x[i];
    if (value !== null && at !== undefined) points.push({ at, value });
  });
  return points;
}

/** A curve's values at ascending places inside its range, on the lines between its points. */
export function valuesAt(curve: Curve, places: readonly number[]): (number | null)[] {
  const points = pointsOf(curve);
  let next = 0;
  return places.map((x) => {
    while (next < points.length && (points[next]?.at ?? Infinity) < x) next++;
    const right = points[next];
    if (!right) return null;
    if (right.at === x) return right.value;
    const left = points[next - 1];
    if (!left) return null;
    return left.value + ((x - left.at) / (right.at - left.at)) * (right.value - left.value);
  });
}

/** Several runs as one: their mean, and the room between the lowest and the highest. */
export function joined(name: string, curves: readonly Curve[]): Band {
  const [only] = curves;
  if (only && curves.length === 1) {
    return { name, x: only.x, y: only.y, low: only.y, high: only.y, count: 1 };
  }
  const x = unionOfX(curves);
  const all = curves.map((curve) => valuesAt(curve, x));
  const band: Band = { name, x, y: [], low: [], high: [], count: curves.length };
  x.forEach((_, i) => {
    const values = all.map((column) => column[i] ?? null).filter((value) => value !== null);
    band.y.push(values.length ? values.reduce((a, b) => a + b, 0) / values.length : null);
    band.low.push(values.length ? Math.min(...values) : null);
    band.high.push(values.length ? Math.max(...values) : null);
  });
  return band;
}

export function unionOfX(curves: readonly Curve[]): number[] {
  return [...new Set(curves.flatMap((curve) => curve.x))].sort((a, b) => a - b);
}

/** A log axis has no room for nought and below. */
export function forLog(values: readonly (number | null)[]): (number | null)[] {
  return values.map((value) => (value !== null && value > 0 ? value : null));
}

export function csvOf(axis: string, curves: readonly Curve[]): string {
  const quoted = (text: string) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  const lookups = curves.map((curve) => new Map(curve.x.map((x, i) => [x, curve.y[i] ?? null])));
  const lines = [[axis, ...curves.map((curve) => curve.name)].map(quoted).join(",")];
  for (const x of unionOfX(curves)) {
    lines.push([x, ...lookups.map((values) => values.get(x) ?? "")].join(","));
  }
  return lines.join("\n") + "\n";
}
