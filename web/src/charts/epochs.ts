/** Scales for charts over epochs that share one axis. Pure. */

export interface EpochScale {
  /** Where the drawing begins and ends, in pixels. */
  left: number;
  right: number;
  first: number;
  last: number;
  /** How many pixels one epoch has. */
  pitch: number;
  /** The middle of an epoch's column. */
  x: (epoch: number) => number;
}

export function epochScale(first: number, last: number, left: number, right: number): EpochScale {
  const pitch = Math.max(0, right - left) / Math.max(1, last - first + 1);
  return { left, right, first, last, pitch, x: (epoch) => left + (epoch - first + 0.5) * pitch };
}

/** The epoch whose column a pixel lies in. */
export function epochAt(scale: EpochScale, pixel: number): number {
  if (scale.pitch === 0) return scale.first;
  const found = scale.first + Math.floor((pixel - scale.left) / scale.pitch);
  return Math.min(scale.last, Math.max(scale.first, found));
}

/** A few round numbers within a range. */
export function roundTicks(low: number, high: number, most: number): number[] {
  if (!(high > low)) return [low];
  const rough = (high - low) / most;
  const unit = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((one) => one * unit).find((one) => one >= rough) ?? 10 * unit;
  const ticks: number[] = [];
  for (let at = Math.ceil(low / step); at * step <= high + step * 1e-9; at += 1) {
    ticks.push(Number((at * step).toPrecision(12)));
  }
  return ticks;
}

/** Whole epochs to mark, so that their numbers do not touch. */
export function epochTicks(scale: EpochScale, room: number): number[] {
  const most = Math.max(1, Math.floor((scale.right - scale.left) / room));
  return roundTicks(scale.first, scale.last, most).filter(Number.isInteger);
}

export interface Range {
  low: number;
  high: number;
}

/** What holds all values, with a little air. */
export function rangeOf(values: Iterable<number | null | undefined>, least = 0): Range {
  let low = Infinity;
  let high = -Infinity;
  for (const value of values) {
    if (value === null || value === undefined || !Number.isFinite(value)) continue;
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  if (low > high) return { low: 0, high: 1 };
  const air = Math.max((high - low) * 0.08, (least - (high - low)) / 2, 1e-9);
  return { low: low - air, high: high + air };
}

/** A line through the values that are there; a gap breaks it. */
export function linePath(
  points: readonly { epoch: number; value: number | null | undefined }[],
  scale: EpochScale,
  y: (value: number) => number,
): string {
  let path = "";
  let drawing = false;
  let before = NaN;
  for (const { epoch, value } of points) {
    const there = value !== null && value !== undefined && Number.isFinite(value);
    if (there) {
      const joined = drawing && epoch === before + 1;
      path += `${joined ? "L" : "M"}${round(scale.x(epoch))} ${round(y(value))}`;
      // A point without neighbours would not show.
      if (!joined) path += "h0";
    }
    drawing = there;
    before = epoch;
  }
  return path;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
