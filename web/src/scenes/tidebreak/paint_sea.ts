/** The sea itself: its grid, what lies in it and what passes over it. */

import {
  LAYERS,
  type Battle,
  type Chart,
  type Layer,
  type Noise,
  type Shape,
  type Storm,
  type Zone,
} from "./battle";
import { FONT } from "../map/pen";
import { roundLength, type Plot } from "./plot";
import type { Shown } from "./seen";
import { capital, distance, plain } from "./words";

export function paintSea(plot: Plot, battle: Battle): void {
  const { pen, inks, room } = plot;
  const { chart, sky } = battle;
  const [x, y] = [plot.x(chart.x), plot.y(chart.y)];
  const [width, height] = [chart.width * plot.scale, chart.height * plot.scale];
  const glow = pen.createRadialGradient(
    x + width * 0.5,
    y + height * 0.42,
    0,
    x + width * 0.5,
    y + height * 0.5,
    Math.max(width, height) * 0.75,
  );
  glow.addColorStop(0, inks.seaLit);
  glow.addColorStop(1, inks.sea);
  pen.fillStyle = glow;
  pen.fillRect(x, y, width, height);
  if (sky.daylight < 1) {
    pen.fillStyle = `rgb(4 8 20 / ${(1 - sky.daylight) * 0.35})`;
    pen.fillRect(x, y, width, height);
  }
  paintGrid(plot, chart);
  for (const zone of chart.zones) paintZone(plot, zone);
  for (const shape of chart.obstacles) paintLand(plot, shape);
  pen.strokeStyle = inks.edge;
  pen.lineWidth = 1;
  pen.setLineDash([6, 5]);
  pen.strokeRect(x, y, width, height);
  pen.setLineDash([]);
  if (sky.rain > 0) paintRain(plot, sky.rain, room);
}

function paintGrid(plot: Plot, chart: Chart): void {
  const { pen, inks } = plot;
  const step = roundLength(plot.scale, 150);
  pen.strokeStyle = inks.grid;
  pen.lineWidth = 1;
  pen.font = `10.5px ${FONT}`;
  pen.fillStyle = inks.gridText;
  pen.textBaseline = "alphabetic";
  pen.textAlign = "left";
  const [top, bottom] = [plot.y(chart.y), plot.y(chart.y + chart.height)];
  const [left, right] = [plot.x(chart.x), plot.x(chart.x + chart.width)];
  pen.beginPath();
  const first = (from: number) => Math.ceil(from / step) * step;
  for (let at = first(chart.x); at <= chart.x + chart.width; at += step) {
    const x = Math.round(plot.x(at)) + 0.5;
    pen.moveTo(x, Math.max(0, top));
    pen.lineTo(x, Math.min(plot.room.height, bottom));
  }
  for (let at = first(chart.y); at <= chart.y + chart.height; at += step) {
    const y = Math.round(plot.y(at)) + 0.5;
    pen.moveTo(Math.max(0, left), y);
    pen.lineTo(Math.min(plot.room.width, right), y);
  }
  pen.stroke();
}

function trace(plot: Plot, shape: Shape): void {
  const { pen } = plot;
  pen.beginPath();
  if (shape.shape === "circle") {
    pen.arc(plot.x(shape.x), plot.y(shape.y), shape.r * plot.scale, 0, Math.PI * 2);
    return;
  }
  shape.points.forEach(([x, y], i) =>
    i === 0 ? pen.moveTo(plot.x(x), plot.y(y)) : pen.lineTo(plot.x(x), plot.y(y)),
  );
  pen.closePath();
}

/** Land with a pale shelf around it, as charts draw it. */
function paintLand(plot: Plot, shape: Shape): void {
  const { pen, inks } = plot;
  trace(plot, shape);
  pen.lineJoin = "round";
  pen.strokeStyle = inks.landEdge;
  pen.globalAlpha = 0.16;
  pen.lineWidth = 14;
  pen.stroke();
  pen.globalAlpha = 1;
  pen.fillStyle = inks.land;
  pen.fill();
  pen.lineWidth = 1.3;
  pen.stroke();
}

function paintZone(plot: Plot, zone: Zone): void {
  const { pen, inks } = plot;
  trace(plot, zone);
  pen.globalAlpha = 0.07 + 0.08 * zone.intensity;
  pen.fillStyle = inks.zone;
  pen.fill();
  pen.globalAlpha = 0.7;
  pen.strokeStyle = inks.zone;
  pen.lineWidth = 1;
  pen.setLineDash([2, 4]);
  pen.stroke();
  pen.setLineDash([]);
  const [x, y] = middleOf(zone);
  pen.font = `11px ${FONT}`;
  pen.textAlign = "center";
  pen.fillStyle = inks.zone;
  pen.fillText(capital(plain(zone.kind)), plot.x(x), plot.y(y));
  pen.globalAlpha = 1;
}

function middleOf(shape: Shape): [number, number] {
  if (shape.shape === "circle") return [shape.x, shape.y];
  const count = Math.max(1, shape.points.length);
  const sum = shape.points.reduce(([a, b], [x, y]) => [a + x, b + y] as const, [0, 0] as const);
  return [sum[0] / count, sum[1] / count];
}

export function paintStorms(plot: Plot, storms: readonly Storm[]): void {
  const { pen, inks } = plot;
  for (const storm of storms) {
    const [x, y, r] = [plot.x(storm.x), plot.y(storm.y), storm.r * plot.scale];
    const cloud = pen.createRadialGradient(x, y, r * 0.1, x, y, r);
    const strength = 0.12 + 0.2 * Math.min(1, storm.intensity);
    cloud.addColorStop(0, `rgb(${inks.storm} / ${strength})`);
    cloud.addColorStop(0.75, `rgb(${inks.storm} / ${strength * 0.7})`);
    cloud.addColorStop(1, `rgb(${inks.storm} / 0)`);
    pen.fillStyle = cloud;
    pen.fillRect(x - r, y - r, r * 2, r * 2);
    pen.strokeStyle = `rgb(${inks.storm} / ${strength * 1.6})`;
    pen.lineWidth = 1.2;
    for (let arm = 0; arm < 4; arm++) {
      pen.beginPath();
      for (let i = 0; i <= 18; i++) {
        const share = 0.15 + (0.78 * i) / 18;
        const angle = (arm * Math.PI) / 2 + share * 2.6 + plot.time * 0.05;
        const [px, py] = [x + Math.cos(angle) * r * share, y + Math.sin(angle) * r * share];
        if (i === 0) pen.moveTo(px, py);
        else pen.lineTo(px, py);
      }
      pen.stroke();
    }
    pen.font = `11px ${FONT}`;
    pen.textAlign = "center";
    pen.fillStyle = inks.gridText;
    pen.fillText(`Storm, ${distance(storm.r * 2)} wide`, x, y + r * 0.94);
  }
}

function paintRain(plot: Plot, rain: number, room: { width: number; height: number }): void {
  const { pen, inks } = plot;
  pen.strokeStyle = `rgb(${inks.storm} / ${0.06 + 0.05 * Math.min(3, rain)})`;
  pen.lineWidth = 1;
  pen.beginPath();
  const gap = 46;
  for (let x = -gap; x < room.width + gap; x += gap) {
    for (let y = (x * 37) % gap; y < room.height; y += gap) {
      pen.moveTo(x, y);
      pen.lineTo(x - 3, y + 9);
    }
  }
  pen.stroke();
}

const pictures = new WeakMap<Noise, Map<string, HTMLCanvasElement>>();

/**
 * The noise of the layers shown as a soft cloud: each cell a pixel of a small picture, stretched over
 * the sea.
 */
export function paintNoise(plot: Plot, noise: Noise, chart: Chart, shown: Shown): void {
  const layers = LAYERS.filter((layer) => shown[layer] && noise.layers[layer] !== undefined);
  if (layers.length === 0) return;
  const known = pictures.get(noise) ?? new Map<string, HTMLCanvasElement>();
  pictures.set(noise, known);
  const key = layers.join();
  const picture = known.get(key) ?? noisePicture(noise, layers, plot.inks.noise);
  known.set(key, picture);
  const { pen } = plot;
  pen.imageSmoothingEnabled = true;
  pen.imageSmoothingQuality = "high";
  pen.drawImage(
    picture,
    plot.x(chart.x),
    plot.y(chart.y),
    noise.w * noise.cell * plot.scale,
    noise.h * noise.cell * plot.scale,
  );
}

function noisePicture(
  noise: Noise,
  layers: readonly Layer[],
  [red, green, blue]: readonly [number, number, number],
): HTMLCanvasElement {
  const picture = document.createElement("canvas");
  [picture.width, picture.height] = [noise.w, noise.h];
  const pen = picture.getContext("2d");
  if (!pen) return picture;
  const levels = loudest(layers.map((layer) => levelsOf(noise, layer)));
  const image = pen.createImageData(noise.w, noise.h);
  levels.forEach((level, at) => {
    // The first row of the field is its south.
    const row = noise.h - 1 - Math.floor(at / noise.w);
    const to = (row * noise.w + (at % noise.w)) * 4;
    image.data.set([red, green, blue, Math.round(level * 105)], to);
  });
  pen.putImageData(image, 0, 0);
  return picture;
}

/** By cell, the loudest of the layers. */
function loudest(layers: readonly (readonly number[])[]): number[] {
  const [first = [], ...rest] = layers;
  return first.map((level, at) => rest.reduce((most, one) => Math.max(most, one[at] ?? 0), level));
}

/** Loudness of each cell, 0 for the quietest of its layer to 1 for the loudest there. */
export function levelsOf(noise: Noise, layer: Layer): number[] {
  const bytes = atob(noise.layers[layer] ?? "");
  const values = Array.from({ length: noise.w * noise.h }, (_, i) => bytes.charCodeAt(i) || 0);
  const quiet = values.reduce((least, one) => Math.min(least, one), 255);
  const span = Math.max(24, values.reduce((most, one) => Math.max(most, one), 0) - quiet);
  return values.map((value) => (value - quiet) / span);
}
