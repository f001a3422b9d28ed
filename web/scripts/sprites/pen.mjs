// What all drawings share: one palette, one light (upper left), one way to write SVG.

export const INK = {
  night: "#070b1a",
  hullLight: "#eef3fb",
  hull: "#b8c4d8",
  hullDark: "#5c6a86",
  hullDeep: "#2b3450",
  line: "#151c33",
  agent: "#4fd6ff",
  human: "#ffb454",
  good: "#4fcf8f",
  warn: "#ffb347",
  bad: "#ff5a66",
  ice: "#9fe6ff",
  violet: "#b591ff",
  gold: "#f5d573",
};

export function svg(width, height, body, defs = "") {
  const head = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">`;
  return `${head}${defs ? `<defs>${defs}</defs>` : ""}${body}</svg>\n`;
}

/** Stops: [offset, colour, opacity]. */
function stops(list) {
  return list
    .map(([at, color, opacity = 1]) => {
      const clear = opacity === 1 ? "" : ` stop-opacity="${opacity}"`;
      return `<stop offset="${at}" stop-color="${color}"${clear}/>`;
    })
    .join("");
}

export function linear(id, list, [x1, y1, x2, y2] = [0, 0, 1, 1]) {
  return `<linearGradient id="${id}" x1="${x1}" y1="${y1}" x2="${x2}" y2="${y2}">${stops(list)}</linearGradient>`;
}

export function radial(id, list, [cx, cy, r] = [0.5, 0.5, 0.5]) {
  return `<radialGradient id="${id}" cx="${cx}" cy="${cy}" r="${r}">${stops(list)}</radialGradient>`;
}

/** Numbers from 0 to 1, the same for the same seed (mulberry32). */
export function dice(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

export function round(value) {
  return Math.round(value * 10) / 10;
}

/** A closed smooth outline through points, rounded between them. */
export function outline(points) {
  const middle = (a, b) => [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2];
  const start = middle(points.at(-1), points[0]);
  let path = `M${round(start[0])} ${round(start[1])}`;
  points.forEach((point, i) => {
    const next = middle(point, points[(i + 1) % points.length]);
    path += `Q${round(point[0])} ${round(point[1])} ${round(next[0])} ${round(next[1])}`;
  });
  return `${path}Z`;
}

/** A star or burst of `count` points between two radii. */
export function burst(cx, cy, outer, inner, count, jitter = () => 1) {
  const corners = Array.from({ length: count * 2 }, (_, i) => {
    const radius = (i % 2 ? inner : outer) * jitter();
    const angle = (Math.PI * i) / count - Math.PI / 2;
    return `${round(cx + radius * Math.cos(angle))} ${round(cy + radius * Math.sin(angle))}`;
  });
  return `M${corners.join("L")}Z`;
}

/** The disc of an effect's glow, in a drawing of 128. */
export const full = (id) => `<circle cx="64" cy="64" r="62" fill="url(#${id})"/>`;

export function ring(radius, color, width, opacity = 1, extra = "") {
  return `<circle cx="64" cy="64" r="${radius}" fill="none" stroke="${color}" stroke-width="${width}" opacity="${opacity}"${extra}/>`;
}
