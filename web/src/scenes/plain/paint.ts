/** Bars on a canvas, in as many columns as fit. */

import type { Theme } from "../scene";

export interface AgentView {
  name: string;
  did: string;
  reward: number;
  bars: { name: string; value: number }[];
}

const INKS = {
  dark: {
    ground: "#0c1326",
    text: "#e9eefb",
    muted: "#a3b1d3",
    line: "#263355",
    bar: "#74cfd8",
    minus: "#f4b75f",
  },
  light: {
    ground: "#fbf8f1",
    text: "#1b2338",
    muted: "#525c77",
    line: "#dcd6c7",
    bar: "#0b7a86",
    minus: "#9a6400",
  },
} as const;

type Inks = (typeof INKS)[Theme];

export function paint(pen: CanvasRenderingContext2D, agents: AgentView[], theme: Theme): void {
  const inks = INKS[theme];
  const { width, height } = pen.canvas;
  pen.fillStyle = inks.ground;
  pen.fillRect(0, 0, width, height);
  const scale = Math.max(1, Math.min(width / 900, height / 480));
  if (agents.length === 0) {
    pen.fillStyle = inks.muted;
    pen.font = `${14 * scale}px system-ui, sans-serif`;
    pen.fillText("No frame yet", 20 * scale, 34 * scale);
    return;
  }
  const share = width / agents.length;
  agents.forEach((agent, i) => paintAgent(pen, agent, i * share, share, height, scale, inks));
}

function paintAgent(
  pen: CanvasRenderingContext2D,
  agent: AgentView,
  left: number,
  width: number,
  height: number,
  scale: number,
  inks: Inks,
): void {
  const gap = 18 * scale;
  pen.textBaseline = "alphabetic";
  pen.textAlign = "left";
  pen.fillStyle = inks.text;
  pen.font = `600 ${15 * scale}px system-ui, sans-serif`;
  pen.fillText(agent.name, left + gap, 30 * scale, width - 2 * gap);
  pen.fillStyle = inks.muted;
  pen.font = `${12.5 * scale}px system-ui, sans-serif`;
  const sign = agent.reward > 0 ? "+" : "";
  pen.fillText(
    `${agent.did || "no action"}   reward ${sign}${agent.reward.toFixed(3)}`,
    left + gap,
    50 * scale,
    width - 2 * gap,
  );
  const top = 68 * scale;
  const room = height - top - gap;
  const row = Math.max(9 * scale, Math.min(22 * scale, room / Math.min(agent.bars.length, 24)));
  const rows = Math.max(1, Math.floor(room / row));
  const columns = Math.max(
    1,
    Math.min(Math.ceil(agent.bars.length / rows), Math.floor(width / (150 * scale)) || 1),
  );
  const column = (width - 2 * gap) / columns;
  agent.bars.slice(0, rows * columns).forEach((bar, i) => {
    const x = left + gap + Math.floor(i / rows) * column;
    paintBar(pen, bar, x, top + (i % rows) * row, column - 10 * scale, row, inks);
  });
}

function paintBar(
  pen: CanvasRenderingContext2D,
  bar: { name: string; value: number },
  x: number,
  y: number,
  width: number,
  row: number,
  inks: Inks,
): void {
  const label = width * 0.55;
  const size = row * 0.62;
  pen.font = `${size}px system-ui, sans-serif`;
  pen.fillStyle = bar.value === 0 ? inks.muted : inks.text;
  pen.fillText(bar.name, x, y + row * 0.72, label - 6);
  pen.fillStyle = inks.line;
  pen.fillRect(x + label, y + row * 0.28, width - label, row * 0.44);
  const length = Math.min(1, Math.abs(bar.value)) * (width - label);
  pen.fillStyle = bar.value < 0 ? inks.minus : inks.bar;
  pen.fillRect(x + label, y + row * 0.28, length, row * 0.44);
}
