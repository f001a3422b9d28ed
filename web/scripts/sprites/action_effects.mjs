// What an action looks like. Each is one drawing of 128 that the scene turns, swells and fades;
// beams lie along x, so that the scene can stretch them from ship to rock.

import { INK, burst, full, linear, radial, ring, round, svg } from "./pen.mjs";

export function actionEffects() {
  const drawings = {
    none: svg(16, 16, ""),
    "travel-warp": warp(),
    emergencyBurn: burn(),
    "scan-widePulse": rings("#7fe3ff", [58, 44, 30], 3.5, true),
    "scan-focusBeam": cone("#7fe3ff", "#dff8ff"),
    "scan-deepSpectral": spectrum(),
    "scan-listenPing": listening(),
    "selection-ring": brackets(),
    "mine-conservative": beam("#8ff0b4", "#eafff2", 6),
    "mine-standard": beam("#ffd166", "#fff6d8", 10),
    "mine-aggressive": beam("#ff6b4a", "#fff0d0", 15),
    "stabilize-field": field(),
    "refine-sparkle": sparkles(),
    "cooldown-burst": frost(),
  };
  return Object.fromEntries(
    Object.entries(drawings).map(([name, text]) => [`sprites/vfx/${name}.svg`, text]),
  );
}

function rings(color, radii, width, filled) {
  const defs = radial("g", [
    [0.3, color, 0],
    [0.9, color, filled ? 0.22 : 0],
    [1, color, 0],
  ]);
  const body = radii.map((radius, i) => ring(radius, color, width / (i + 1), 1 - i * 0.3)).join("");
  return svg(128, 128, full("g") + body, defs);
}

function warp() {
  const defs =
    linear(
      "w",
      [
        [0, "#7fd7ff", 0],
        [0.7, "#9fe6ff", 0.85],
        [1, "#ffffff"],
      ],
      [0, 0, 1, 0],
    ) +
    radial("g", [
      [0, "#dff6ff", 0.8],
      [0.4, "#5fb8ff", 0.3],
      [1, "#5fb8ff", 0],
    ]);
  let body = full("g");
  [16, 28, 40, 52, 64, 76, 88, 100, 112].forEach((y, i) => {
    const start = [44, 14, 30, 4, 0, 8, 26, 12, 40][i];
    const end = 124 - Math.abs(y - 64) * 0.55;
    body += `<rect x="${start}" y="${y - 1.2}" width="${round(end - start)}" height="${i % 2 ? 2.6 : 1.6}" rx="1.2" fill="url(#w)"/>`;
  });
  return svg(128, 128, body, defs);
}

function burn() {
  const defs =
    linear(
      "o",
      [
        [0, "#ff5a2a", 0],
        [0.5, "#ff7a3c", 0.85],
        [1, "#ffd166"],
      ],
      [0, 0, 1, 0],
    ) +
    linear(
      "i",
      [
        [0, "#ffd166", 0],
        [0.6, "#fff1c0", 0.9],
        [1, "#ffffff"],
      ],
      [0, 0, 1, 0],
    );
  const body =
    '<path d="M2 64Q40 34 124 48Q128 64 124 80Q40 94 2 64Z" fill="url(#o)"/>' +
    '<path d="M40 64Q70 50 124 56Q127 64 124 72Q70 78 40 64Z" fill="url(#i)"/>' +
    '<path d="M10 40Q50 34 96 44M10 88Q50 94 96 84" stroke="#ffb347" stroke-width="2" stroke-opacity=".6" fill="none" stroke-linecap="round"/>';
  return svg(128, 128, body, defs);
}

function cone(color, core) {
  const defs = linear(
    "c",
    [
      [0, core, 0.9],
      [0.35, color, 0.45],
      [1, color, 0.12],
    ],
    [0, 0, 1, 0],
  );
  let body = '<path d="M0 62L128 22V106L0 66Z" fill="url(#c)"/>';
  for (const x of [34, 62, 90, 118]) {
    const tall = (x / 128) * 40;
    body += `<path d="M${x} ${round(64 - tall)}Q${x + 8} 64 ${x} ${round(64 + tall)}" fill="none" stroke="${core}" stroke-width="1.8" opacity=".75"/>`;
  }
  body += `<path d="M0 63.2H128V64.8H0Z" fill="${core}" opacity=".9"/>`;
  return svg(128, 128, body, defs);
}

function spectrum() {
  const colors = ["#ff6b8a", "#ffb347", "#f5e873", "#72e39a", "#6fd3ff", "#b591ff"];
  const defs = colors
    .map((color, i) =>
      linear(
        `s${i}`,
        [
          [0, "#fff", 0.9],
          [0.25, color, 0.75],
          [1, color, 0.25],
        ],
        [0, 0, 1, 0],
      ),
    )
    .join("");
  const body = colors
    .map(
      (_, i) =>
        `<path d="M0 ${63 + i * 0.4}L128 ${18 + i * 15.4}v13L0 ${63.6 + i * 0.4}Z" fill="url(#s${i})"/>`,
    )
    .join("");
  return svg(128, 128, body, defs);
}

function listening() {
  const arcs = [22, 38, 54]
    .map((radius, i) => {
      const reach = round(radius * 0.77);
      const sag = round(radius * 0.64);
      const arc = (side) =>
        `M${64 + side * reach} ${64 - sag}A${radius} ${radius} 0 0 ${side > 0 ? 1 : 0} ${64 + side * reach} ${64 + sag}`;
      return `<path d="${arc(1)}${arc(-1)}" fill="none" stroke="#b591ff" stroke-width="${3.6 - i * 0.7}" stroke-linecap="round" opacity="${1 - i * 0.25}"/>`;
    })
    .join("");
  return svg(
    128,
    128,
    `${full("g")}${arcs}`,
    radial("g", [
      [0, "#b591ff", 0.4],
      [1, "#b591ff", 0],
    ]),
  );
}

function brackets() {
  const corner = (turn) =>
    `<path d="M64 8A56 56 0 0 1 103 24" fill="none" stroke="#fff" stroke-width="4" stroke-linecap="round" transform="rotate(${turn} 64 64)"/>` +
    `<path d="M64 2l5 9H59Z" fill="#fff" transform="rotate(${turn} 64 64)"/>`;
  const body =
    ring(48, "#fff", 1.4, 0.55, ' stroke-dasharray="3 7"') + [0, 90, 180, 270].map(corner).join("");
  return svg(128, 128, body);
}

function beam(color, core, width) {
  const across = (opacity) => [
    [0, color, 0],
    [0.5, color, opacity],
    [1, color, 0],
  ];
  const defs =
    linear("h", across(0.75), [0, 0, 0, 1]) +
    linear(
      "c",
      [
        [0, core, 0],
        [0.5, core],
        [1, core, 0],
      ],
      [0, 0, 0, 1],
    );
  const halo = width * 2.6;
  const body =
    `<rect x="0" y="${round(64 - halo)}" width="128" height="${round(halo * 2)}" fill="url(#h)"/>` +
    `<rect x="0" y="${round(64 - width * 0.55)}" width="128" height="${round(width * 1.1)}" fill="url(#c)"/>`;
  return svg(128, 128, body, defs);
}

function field() {
  const hexagon = (radius) =>
    Array.from(
      { length: 6 },
      (_, i) =>
        `${round(64 + radius * Math.cos((i * Math.PI) / 3))} ${round(64 + radius * Math.sin((i * Math.PI) / 3))}`,
    ).join("L");
  const defs = radial("g", [
    [0.4, "#72e3c8", 0.05],
    [0.85, "#72e3c8", 0.35],
    [1, "#72e3c8", 0],
  ]);
  let body = `${full("g")}<path d="M${hexagon(58)}Z" fill="none" stroke="#8ff5dc" stroke-width="3"/>`;
  body += `<path d="M${hexagon(40)}Z" fill="none" stroke="#8ff5dc" stroke-width="1.6" opacity=".7"/>`;
  for (let i = 0; i < 6; i += 1) {
    body += `<path d="M104 64H122" stroke="#d8fff6" stroke-width="2" transform="rotate(${i * 60} 64 64)"/>`;
  }
  return svg(128, 128, body, defs);
}

function sparkles() {
  const places = [
    [64, 30, 15],
    [98, 58, 11],
    [34, 66, 12],
    [78, 92, 14],
    [46, 104, 8],
    [104, 96, 7],
    [26, 36, 7],
  ];
  const body = places
    .map(
      ([x, y, size], i) =>
        `<path d="${burst(x, y, size, size * 0.24, 4)}" fill="${i % 2 ? INK.gold : INK.violet}"/><circle cx="${x}" cy="${y}" r="${round(size * 0.22)}" fill="#fff"/>`,
    )
    .join("");
  return svg(
    128,
    128,
    full("g") + body,
    radial("g", [
      [0, INK.violet, 0.4],
      [1, INK.violet, 0],
    ]),
  );
}

function frost() {
  const defs = radial("g", [
    [0, "#dff8ff", 0.65],
    [0.5, "#7fd7ff", 0.3],
    [1, "#7fd7ff", 0],
  ]);
  const arm = (turn) =>
    `<path d="M64 64V12M64 26l-9-8M64 26l9-8M64 42l-11-9M64 42l11-9" fill="none" stroke="#e6faff" stroke-width="3" stroke-linecap="round" transform="rotate(${turn} 64 64)"/>`;
  return svg(128, 128, full("g") + [0, 60, 120, 180, 240, 300].map(arm).join(""), defs);
}
