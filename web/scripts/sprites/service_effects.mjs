// Repairs, trade and the end of a run, as drawings of 128.

import { INK, burst, full, linear, radial, ring, svg } from "./pen.mjs";

export function serviceEffects() {
  const drawings = {
    "repair-tool": tool(),
    "repair-hull": plate(),
    jettison: crate(),
    dock: docking(),
    sell: coin(),
    "station-confirm": confirm(),
    "station-overhaul": overhaul(),
    "ui-run_end": laurel(),
  };
  return Object.fromEntries(
    Object.entries(drawings).map(([name, text]) => [`sprites/vfx/${name}.svg`, text]),
  );
}

function tool() {
  const defs =
    linear("t", [
      [0, INK.hullLight],
      [1, INK.hullDark],
    ]) +
    radial("g", [
      [0, INK.good, 0.45],
      [1, INK.good, 0],
    ]);
  const body =
    `${full("g")}<g transform="rotate(45 64 64)"><path d="M57 58h14v46a7 7 0 0 1-14 0Z" fill="url(#t)" stroke="${INK.line}" stroke-width="2"/>` +
    `<path d="M44 24a22 22 0 0 1 12-11v20h16V13a22 22 0 0 1 12 11a22 22 0 0 1-13 36H57A22 22 0 0 1 44 24Z" fill="url(#t)" stroke="${INK.line}" stroke-width="2"/></g>`;
  return svg(128, 128, body, defs);
}

function plate() {
  const defs =
    linear("t", [
      [0, "#dff5ff"],
      [1, "#5d8fb5"],
    ]) +
    radial("g", [
      [0, INK.good, 0.45],
      [1, INK.good, 0],
    ]);
  const body =
    `${full("g")}<path d="M64 16L102 28V62Q100 94 64 112Q28 94 26 62V28Z" fill="url(#t)" stroke="${INK.line}" stroke-width="2.6"/>` +
    `<path d="M56 42h16v14h14v16H72v14H56V72H42V56h14Z" fill="${INK.good}" stroke="#0e4c31" stroke-width="2"/>` +
    '<path d="M34 34L62 25" stroke="#fff" stroke-opacity=".8" stroke-width="3" stroke-linecap="round"/>';
  return svg(128, 128, body, defs);
}

function crate() {
  const box = (x, y, size, turn, light, dark) =>
    `<g transform="translate(${x} ${y}) rotate(${turn})"><path d="M${-size} ${-size * 0.5}L0 ${-size}L${size} ${-size * 0.5}L0 0Z" fill="${light}"/><path d="M${-size} ${-size * 0.5}L0 0V${size}L${-size} ${size * 0.5}Z" fill="${dark}"/><path d="M${size} ${-size * 0.5}L0 0V${size}L${size} ${size * 0.5}Z" fill="#3b2a1d"/></g>`;
  const body =
    box(48, 54, 24, -14, "#e0b070", "#94683a") +
    box(90, 84, 16, 20, "#d29a5c", "#7f5830") +
    box(88, 34, 11, 8, "#e8bf86", "#94683a");
  return svg(128, 128, body);
}

function docking() {
  const chevron = (y, opacity) =>
    `<path d="M40 ${y}L64 ${y - 18}L88 ${y}" fill="none" stroke="#8ff0b4" stroke-width="6" stroke-linecap="round" stroke-linejoin="round" opacity="${opacity}"/>`;
  const body =
    full("g") +
    chevron(110, 0.35) +
    chevron(84, 0.65) +
    chevron(58, 1) +
    '<path d="M30 26H98" stroke="#8ff0b4" stroke-width="5" stroke-linecap="round"/>';
  return svg(
    128,
    128,
    body,
    radial("g", [
      [0, INK.good, 0.35],
      [1, INK.good, 0],
    ]),
  );
}

function coin() {
  const defs =
    radial(
      "c",
      [
        [0, "#fff7d8"],
        [0.5, INK.gold],
        [1, "#a8741c"],
      ],
      [0.35, 0.3, 0.8],
    ) +
    radial("g", [
      [0, INK.gold, 0.5],
      [1, INK.gold, 0],
    ]);
  const body =
    `${full("g")}<circle cx="64" cy="64" r="34" fill="url(#c)" stroke="#6d480c" stroke-width="3"/>` +
    `${ring(26, "#8a5c14", 2, 0.8)}<path d="${burst(64, 64, 16, 7, 5)}" fill="#8a5c14"/><path d="M42 50A28 28 0 0 1 62 37" stroke="#fff" stroke-width="4" fill="none" stroke-linecap="round"/>`;
  return svg(128, 128, body, defs);
}

function confirm() {
  const body =
    full("g") +
    ring(42, "#8ff0b4", 4) +
    '<path d="M44 65L58 79L86 48" fill="none" stroke="#eafff2" stroke-width="8" stroke-linecap="round" stroke-linejoin="round"/>';
  return svg(
    128,
    128,
    body,
    radial("g", [
      [0, INK.good, 0.5],
      [1, INK.good, 0],
    ]),
  );
}

function overhaul() {
  const teeth = Array.from(
    { length: 10 },
    (_, i) =>
      `<rect x="57" y="12" width="14" height="18" rx="3" transform="rotate(${i * 36} 64 64)"/>`,
  ).join("");
  const defs =
    linear("t", [
      [0, INK.hullLight],
      [1, INK.hullDark],
    ]) +
    radial("g", [
      [0, INK.agent, 0.45],
      [1, INK.agent, 0],
    ]);
  const body =
    `${full("g")}<g fill="url(#t)" stroke="${INK.line}" stroke-width="1.6">${teeth}<circle cx="64" cy="64" r="38"/></g>` +
    `<circle cx="64" cy="64" r="18" fill="#0d1328" stroke="${INK.agent}" stroke-width="4"/>`;
  return svg(128, 128, body, defs);
}

function laurel() {
  let leaves = "";
  for (let i = 0; i < 7; i += 1) {
    const turn = 30 + i * 20;
    for (const side of [1, -1]) {
      leaves += `<ellipse cx="64" cy="20" rx="5.4" ry="12" fill="url(#l)" transform="rotate(${side * (180 - turn + 24)} 64 64) rotate(${side * 38} 64 20)"/>`;
    }
  }
  const defs =
    linear("l", [
      [0, "#fff3bf"],
      [1, "#c8902c"],
    ]) +
    radial("g", [
      [0, INK.gold, 0.5],
      [1, INK.gold, 0],
    ]);
  const body = `${full("g")}${leaves}<path d="${burst(64, 62, 24, 10, 5)}" fill="url(#l)" stroke="#7a5310" stroke-width="1.6"/>`;
  return svg(128, 128, body, defs);
}
