/** Numbers and times as people read them. */

import type { RunKind } from "../api/types";

export function figure(value: number | null | undefined, digits = 2): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return "–";
  const size = Math.abs(value);
  if (size >= 1e9) return `${(value / 1e9).toFixed(2)} G`;
  if (size >= 1e6) return `${(value / 1e6).toFixed(2)} M`;
  if (size >= 1e4) return Math.round(value).toLocaleString("en");
  if (Number.isInteger(value)) return value.toLocaleString("en");
  if (size >= 100) return value.toFixed(1);
  if (size !== 0 && size < 0.001) return value.toExponential(1);
  return value.toFixed(size < 0.1 ? Math.max(digits, 3) : digits);
}

/** Marks of an axis, with as many digits as it takes to tell neighbours apart. */
export function axisLabels(values: readonly (number | null)[]): string[] {
  const known = values.filter((value) => value !== null);
  const steps = known.slice(1).map((value, i) => Math.abs(value - (known[i] ?? value)));
  const step = Math.min(...steps.filter((one) => one > 0));
  const size = Math.max(...known.map(Math.abs));
  // Marks of a logarithmic axis lie decades apart, and each is told by itself.
  if (!Number.isFinite(step) || size / step > 1e4 || size < 1e-3)
    return values.map((value) => (value === null ? "" : figure(value, 1)));
  const [unit, name] = size >= 1e9 ? [1e9, " G"] : size >= 1e6 ? [1e6, " M"] : [1, ""];
  const isWhole = (one: number) => Math.abs(one - Math.round(one)) < 1e-6 * one;
  let digits = 0;
  while (digits < 9 && !isWhole((step / unit) * 10 ** digits)) digits += 1;
  const plain = { minimumFractionDigits: digits, maximumFractionDigits: digits };
  return values.map((value) =>
    value === null ? "" : `${(value / unit).toLocaleString("en", plain)}${name}`,
  );
}

/** "1 step", "2 steps". */
export function counted(count: number | null | undefined, noun: string): string {
  return `${figure(count)} ${noun}${count === 1 ? "" : "s"}`;
}

export function percent(share: number | null | undefined, digits = 0): string {
  if (share === null || share === undefined || !Number.isFinite(share)) return "–";
  return `${(share * 100).toFixed(digits)} %`;
}

export function signed(value: number): string {
  return value > 0 ? `+${figure(value)}` : figure(value);
}

const STEPS: [number, Intl.RelativeTimeFormatUnit][] = [
  [60, "second"],
  [60, "minute"],
  [24, "hour"],
  [7, "day"],
  [4.35, "week"],
  [12, "month"],
  [Infinity, "year"],
];

const words = new Intl.RelativeTimeFormat("en", { numeric: "auto" });

export function ago(time: string | null | undefined, now = Date.now()): string {
  const then = time ? Date.parse(time) : NaN;
  if (Number.isNaN(then)) return "–";
  let distance = (then - now) / 1000;
  if (Math.abs(distance) < 10) return "just now";
  for (const [size, unit] of STEPS) {
    if (Math.abs(distance) < size) return words.format(Math.round(distance), unit);
    distance /= size;
  }
  return "–";
}

export function clockTime(time: string | null | undefined): string {
  const then = time ? new Date(time) : null;
  if (!then || Number.isNaN(then.getTime())) return "–";
  return then.toLocaleString("en-GB", { dateStyle: "medium", timeStyle: "short" });
}

/** A metric's name as a heading: `value_lost_to_pirates_mean` → "Value lost to pirates (mean)". */
export function metricTitle(name: string): string {
  const mean = name.endsWith("_mean");
  const plain = (mean ? name.slice(0, -5) : name).replaceAll("_", " ");
  return plain.charAt(0).toUpperCase() + plain.slice(1) + (mean ? " (mean)" : "");
}

/** The end of a run's id tells it apart from its neighbours, the start says when. */
export function shortRun(id: string): string {
  const found = /^(human-)?\d{4}(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z-\w{4}/.exec(id);
  if (!found) return id;
  const [, human, month, day, hour, minute, second] = found;
  return `${human ? "By hand " : ""}${day}.${month}. ${hour}:${minute}:${second}`;
}

const KIND_TEXT: Record<RunKind, string> = {
  training: "",
  baseline: " · random baseline",
  growth: " · grown hosts",
  battle: " · battle of a war",
  bot: " · scripted player",
  human: " · played by hand",
};

/** The world of a run, and what the run is a record of where that is no training. */
export function runWorld(run: { world: string | null; kind?: RunKind | null }): string {
  return `${run.world ?? "?"}${run.kind ? KIND_TEXT[run.kind] : ""}`;
}

/** Who played a replay. */
export function playerName(backend: string): string {
  return backend === "random" ? "Random actions (baseline, no policy)" : backend;
}
