/** One metric over training: lines for runs, shade for seeds. */

import { useEffect, useRef } from "react";
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { download, downloadText } from "../export/filming";
import { axisLabels, figure } from "../shell/figures";
import { useTheme } from "../shell/theme";
import { csvOf, forLog, unionOfX, type Band, type Curve } from "./curves";
import { cssColor } from "./stacked";

export interface ColoredCurve {
  curve: Curve | Band;
  color: string;
}

interface Props {
  title: string;
  axis: string;
  curves: readonly ColoredCurve[];
  logX: boolean;
  logY: boolean;
  fileName: string;
}

const HEIGHT = 220;

function isBand(curve: Curve | Band): curve is Band {
  return "low" in curve && curve.count > 1;
}

export function CurveChart({ title, axis, curves, logX, logY, fileName }: Props) {
  const host = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | null>(null);
  const theme = useTheme();
  const points = curves.reduce((n, one) => n + one.curve.y.filter((y) => y !== null).length, 0);

  useEffect(() => {
    const box = host.current;
    if (!box || points === 0) return;
    const { data, series, bands } = columnsOf(curves, logX, logY);
    const chart = new uPlot(
      { ...optionsFor(axis, box.clientWidth, logX, logY), series, bands },
      data,
      box,
    );
    plot.current = chart;
    const sizes = new ResizeObserver(() =>
      chart.setSize({ width: box.clientWidth, height: HEIGHT }),
    );
    sizes.observe(box);
    return () => {
      sizes.disconnect();
      chart.destroy();
      plot.current = null;
    };
  }, [curves, axis, logX, logY, theme, points]);

  const png = () => {
    if (plot.current) pictureWithTitle(plot.current.ctx.canvas, title, curves, fileName);
  };
  const csv = () =>
    downloadText(
      csvOf(
        axis,
        curves.map((one) => one.curve),
      ),
      `${fileName}.csv`,
      "text/csv",
    );
  return (
    <figure className="panel chart">
      <figcaption>
        <span className="chart-title">{title}</span>
        <span className="chart-last">{lastText(curves)}</span>
        <button type="button" className="quiet" onClick={csv} aria-label={`${title} as CSV`}>
          CSV
        </button>
        <button type="button" className="quiet" onClick={png} aria-label={`${title} as PNG`}>
          PNG
        </button>
      </figcaption>
      {points === 0 ? (
        <p className="chart-none muted">
          {logY ? "Nothing above nought to show on a log axis." : "No value in these windows."}
        </p>
      ) : (
        <div ref={host} className="chart-host" role="img" aria-label={describe(title, curves)} />
      )}
    </figure>
  );
}

function lastOf(curve: Curve): number | null {
  return curve.y.findLast((value) => value !== null) ?? null;
}

function lastText(curves: readonly ColoredCurve[]): string {
  const only = curves.length === 1 ? curves[0] : undefined;
  return only ? figure(lastOf(only.curve)) : "";
}

function describe(title: string, curves: readonly ColoredCurve[]): string {
  const ends = curves.map((one) => `${one.curve.name} ends at ${figure(lastOf(one.curve))}`);
  return `${title}: ${ends.join("; ")}`;
}

function columnsOf(curves: readonly ColoredCurve[], logX: boolean, logY: boolean) {
  const xs = unionOfX(curves.map((one) => one.curve)).filter((x) => !logX || x > 0);
  const data: uPlot.AlignedData = [xs];
  const series: uPlot.Series[] = [{ value: (_, value) => figure(value) }];
  const bands: uPlot.Band[] = [];
  const add = (curve: Curve, values: (number | null)[], options: uPlot.Series) => {
    const byX = new Map(curve.x.map((x, i) => [x, values[i] ?? null]));
    const column = xs.map((x) => (byX.has(x) ? (byX.get(x) ?? null) : undefined));
    data.push(logY ? forLogColumn(column) : column);
    series.push({ spanGaps: true, points: { show: xs.length < 40, size: 5 }, ...options });
  };
  for (const { curve, color } of curves) {
    if (isBand(curve)) {
      const edge = { stroke: "transparent", points: { show: false }, label: "" };
      add(curve, curve.high, edge);
      add(curve, curve.low, edge);
      bands.push({ series: [series.length - 2, series.length - 1], fill: faded(color) });
    }
    add(curve, curve.y, { label: curve.name, stroke: color, width: 2 });
  }
  return { data, series, bands };
}

function forLogColumn(column: (number | null | undefined)[]): (number | null | undefined)[] {
  return column.map((value) => (value === undefined ? undefined : (forLog([value])[0] ?? null)));
}

function faded(color: string): string {
  return /^#[0-9a-f]{6}$/i.test(color) ? `${color}33` : color;
}

function optionsFor(axis: string, width: number, logX: boolean, logY: boolean) {
  const ink = cssColor("--muted");
  const line = { stroke: cssColor("--line"), width: 1 };
  const shared = { stroke: ink, grid: line, ticks: line, font: "11px system-ui, sans-serif" };
  const short = (_: uPlot, values: number[]) => axisLabels(values);
  return {
    width,
    height: HEIGHT,
    legend: { show: false },
    cursor: { y: false, points: { size: 7 } },
    scales: {
      x: { time: false, distr: logX ? (3 as const) : (1 as const) },
      y: { distr: logY ? (3 as const) : (1 as const) },
    },
    axes: [
      {
        ...shared,
        values: short,
        label: axis,
        labelSize: 18,
        labelFont: "11px system-ui",
        size: 34,
      },
      { ...shared, values: short, size: 58 },
    ],
  };
}

/** The chart alone would not say what it shows. */
function pictureWithTitle(
  chart: HTMLCanvasElement,
  title: string,
  curves: readonly ColoredCurve[],
  fileName: string,
): void {
  const ratio = window.devicePixelRatio || 1;
  const line = 18 * ratio;
  const top = 30 * ratio + line * curves.length;
  const sheet = document.createElement("canvas");
  sheet.width = chart.width;
  sheet.height = chart.height + top;
  const pen = sheet.getContext("2d");
  if (!pen) return;
  pen.fillStyle = cssColor("--panel");
  pen.fillRect(0, 0, sheet.width, sheet.height);
  pen.fillStyle = cssColor("--text");
  pen.font = `600 ${14 * ratio}px system-ui, sans-serif`;
  pen.fillText(title, 12 * ratio, 20 * ratio);
  pen.font = `${12 * ratio}px system-ui, sans-serif`;
  curves.forEach(({ curve, color }, i) => {
    const y = 20 * ratio + line * (i + 1);
    pen.fillStyle = color;
    pen.fillRect(12 * ratio, y - 8 * ratio, 10 * ratio, 8 * ratio);
    pen.fillStyle = cssColor("--muted");
    pen.fillText(curve.name, 28 * ratio, y);
  });
  pen.drawImage(chart, 0, top);
  sheet.toBlob((blob) => blob && download(blob, `${fileName}.png`), "image/png");
}
