/** Stacked bars on a canvas: gains above the line, losses below it. */

import type { TermColumn } from "../player/reading";

export interface Extent {
  up: number;
  down: number;
}

/** The tallest pile on either side. */
export function stackExtent(columns: readonly Pick<TermColumn, "sums">[]): Extent {
  let up = 0;
  let down = 0;
  for (const column of columns) {
    const values = Object.values(column.sums);
    up = Math.max(up, sum(values.filter((value) => value > 0)));
    down = Math.max(down, -sum(values.filter((value) => value < 0)));
  }
  return { up, down };
}

function sum(values: readonly number[]): number {
  return values.reduce((a, b) => a + b, 0);
}

const SERIES = 8;

/** The palette of the theme in force, read from the style sheet. */
export function seriesColors(): string[] {
  const style = getComputedStyle(document.documentElement);
  return Array.from({ length: SERIES }, (_, i) =>
    style.getPropertyValue(`--series-${i + 1}`).trim(),
  );
}

export function cssColor(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

export function paintTerms(
  canvas: HTMLCanvasElement,
  columns: readonly TermColumn[],
  names: readonly string[],
  extent: Extent,
  cursor: number,
): void {
  const ratio = Math.min(window.devicePixelRatio || 1, 2);
  const width = (canvas.width = Math.max(1, Math.round(canvas.clientWidth * ratio)));
  const height = (canvas.height = Math.max(1, Math.round(canvas.clientHeight * ratio)));
  const pen = canvas.getContext("2d");
  if (!pen) return;
  pen.clearRect(0, 0, width, height);
  const reach = extent.up + extent.down || 1;
  const zero = (extent.up / reach) * (height - 2) + 1;
  const colors = seriesColors();
  const bar = width / Math.max(1, columns.length);
  columns.forEach((column, i) => {
    let above = zero;
    let below = zero;
    names.forEach((name, series) => {
      const value = column.sums[name] ?? 0;
      const size = (Math.abs(value) / reach) * (height - 2);
      pen.fillStyle = colors[series % SERIES] ?? "gray";
      if (value > 0) above -= size;
      if (value !== 0)
        pen.fillRect(i * bar, value > 0 ? above : below, Math.max(1, bar - ratio * 0.6), size);
      if (value < 0) below += size;
    });
  });
  pen.fillStyle = cssColor("--line-strong");
  pen.fillRect(0, zero, width, 1);
  pen.fillStyle = cssColor("--text");
  pen.fillRect(cursor * width, 0, Math.max(1, ratio), height);
}
