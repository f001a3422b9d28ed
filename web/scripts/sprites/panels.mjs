// Panels and buttons. They stretch: the middle is plain, the character sits in corners and edges.

import { INK, linear, svg } from "./pen.mjs";

const PANELS = {
  stats: [INK.agent, "M26 30h6v-8h5v8h5v-14h5v14h5v-5h5v5"],
  cargo: [INK.gold, "M28 18l12-6 12 6v12l-12 6-12-6zM28 18l12 6 12-6M40 24v12"],
  market: [INK.good, "M26 32l9-9 7 5 14-14M49 14h7v7"],
  events: [INK.warn, "M40 12v14M40 31v3M28 24a12 12 0 1 0 24 0a12 12 0 1 0-24 0"],
  minimap: [INK.violet, "M40 24L28 14M40 24L53 15M40 24L46 36M36 24a4 4 0 1 0 8 0a4 4 0 1 0-8 0"],
};

const BUTTONS = {
  primary: ["#6fe0ff", "#1c84c4", "#0b4f86"],
  secondary: ["#8b98b8", "#48547a", "#2a3354"],
  danger: ["#ff8d8d", "#d43a4c", "#8a1830"],
};

export function panels() {
  const drawings = {};
  for (const [name, [accent, mark]] of Object.entries(PANELS)) {
    drawings[`sprites/ui/panel-${name}.svg`] = panel(accent, mark);
  }
  for (const [name, [light, middle, dark]] of Object.entries(BUTTONS)) {
    drawings[`sprites/ui/button-${name}.svg`] = button(light, middle, dark);
  }
  return drawings;
}

function panel(accent, mark) {
  const defs =
    linear("p", [
      [0, "#1b2547"],
      [0.5, "#121a35"],
      [1, "#0c1228"],
    ]) +
    linear("e", [
      [0, accent, 0.9],
      [0.4, accent, 0.25],
      [1, accent, 0.6],
    ]);
  const body =
    '<path d="M18 3H300L317 20V182L302 197H20L3 180V18Z" fill="url(#p)" stroke="url(#e)" stroke-width="2.4"/>' +
    '<path d="M20 7H298" stroke="#fff" stroke-opacity=".16" stroke-width="1.6"/>' +
    `<path d="M3 60V18L18 3H60" fill="none" stroke="${accent}" stroke-width="4"/>` +
    `<path d="M317 140V182L302 197H260" fill="none" stroke="${accent}" stroke-width="4"/>` +
    `<path d="${mark}" fill="none" stroke="${accent}" stroke-width="2.2" stroke-linejoin="round" stroke-linecap="round"/>` +
    `<path d="M66 26H300" stroke="${accent}" stroke-opacity=".25" stroke-width="1.4" stroke-dasharray="2 5"/>`;
  return svg(320, 200, body, defs);
}

function button(light, middle, dark) {
  const defs = linear(
    "b",
    [
      [0, light],
      [0.12, middle],
      [1, dark],
    ],
    [0, 0, 0, 1],
  );
  const body =
    `<path d="M14 3H178L189 14V50L178 61H14L3 50V14Z" fill="url(#b)" stroke="#080d1d" stroke-width="3"/>` +
    '<path d="M16 7H176" stroke="#fff" stroke-opacity=".55" stroke-width="2" stroke-linecap="round"/>' +
    '<path d="M16 57H176" stroke="#04060f" stroke-opacity=".4" stroke-width="3" stroke-linecap="round"/>';
  return svg(192, 64, body, defs);
}
