// What an action looks like. Each is one drawing of 128 that the scene turns, swells and fades;
// beams lie along x, so that the scene can stretch them from ship to rock.

import { INK, burst, linear, radial, round, svg } from "./pen.mjs";

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

const full = (id) => `<circle cx="64" cy="64" r="62" fill="url(#${id})"/>`;

function ring(radius, color, width, opacity = 1, extra = "") {
  return `<circle cx="64" cy="64" r="${radius}" fill="none" stroke="${color}" stroke-width="${width}" opacity="${opacity}"${extra}/>`;
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
