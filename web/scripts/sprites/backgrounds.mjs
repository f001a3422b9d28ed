// What lies far away: two tiles of stars, two clouds to be tinted, two planets.

import { dice, linear, radial, round, svg } from "./pen.mjs";

const STAR_COLORS = ["#ffffff", "#cfe2ff", "#ffe9cf", "#ffd2c4", "#bcd0ff"];

export function backgrounds() {
  return {
    "backgrounds/starfield-0.svg": starfield(11, 170, 0.5, 1.1),
    "backgrounds/starfield-1.svg": starfield(29, 64, 0.8, 1.7),
    "backgrounds/nebula-0.svg": nebula(5),
    "backgrounds/nebula-1.svg": nebula(23),
    "backgrounds/planet-0.svg": ringedPlanet(),
    "backgrounds/planet-1.svg": crateredMoon(),
  };
}

/** Stars keep clear of the edge, so that tiles meet without halves. */
function starfield(seed, count, smallest, largest) {
  const random = dice(seed);
  let body = "";
  for (let i = 0; i < count; i += 1) {
    const x = round(4 + random() * 504);
    const y = round(4 + random() * 504);
    const bright = random() ** 3;
    const size = Math.round((smallest + (largest - smallest) * bright) * 100) / 100;
    const color = STAR_COLORS[Math.floor(random() * STAR_COLORS.length)];
    const opacity = Math.round((0.25 + 0.75 * bright) * 100) / 100;
    body += `<circle cx="${x}" cy="${y}" r="${size}" fill="${color}" opacity="${opacity}"/>`;
    if (bright > 0.86) {
      body += `<path d="M${x - 4} ${y}H${x + 4}M${x} ${y - 4}V${y + 4}" stroke="${color}" stroke-width=".5" opacity=".5"/>`;
    }
  }
  return svg(512, 512, body);
}

/** Soft white clouds; the scene gives each node its own colour. */
function nebula(seed) {
  const random = dice(seed);
  const defs = radial("c", [
    [0, "#fff", 0.34],
    [0.5, "#fff", 0.12],
    [1, "#fff", 0],
  ]);
  let body = "";
  for (let i = 0; i < 26; i += 1) {
    const along = random();
    const x = round(110 + along * 300 + (random() - 0.5) * 110);
    const y = round(330 - along * 170 + (random() - 0.5) * 150);
    const wide = 46 + random() * 90;
    body += `<ellipse cx="${x}" cy="${y}" rx="${round(wide)}" ry="${round(wide * (0.45 + random() * 0.4))}" fill="url(#c)" transform="rotate(${Math.round(random() * 80 - 60)} ${x} ${y})"/>`;
  }
  return svg(512, 512, body, defs);
}

/** A banded giant; its ring passes behind and before it. */
function ringedPlanet() {
  const random = dice(8);
  const defs =
    radial(
      "b",
      [
        [0, "#ffe6c2"],
        [0.4, "#d59a6a"],
        [0.8, "#7a4536"],
        [1, "#33182a"],
      ],
      [0.3, 0.28, 0.85],
    ) +
    radial("a", [
      [0.84, "#ffcf9a", 0.5],
      [0.895, "#ffcf9a", 0.32],
      [1, "#ffcf9a", 0],
    ]) +
    radial(
      "s",
      [
        [0.3, "#04050e", 0],
        [0.75, "#04050e", 0.62],
        [1, "#04050e", 0.94],
      ],
      [0.26, 0.24, 0.95],
    ) +
    linear(
      "r",
      [
        [0, "#ffe9cc", 0.95],
        [0.5, "#c89e80", 0.7],
        [1, "#4a2f3a", 0.25],
      ],
      [0, 0, 1, 0],
    ) +
    '<clipPath id="c"><circle cx="256" cy="256" r="150"/></clipPath>' +
    '<clipPath id="f"><path d="M0 256H512V512H0Z"/></clipPath><clipPath id="k"><path d="M0 0H512V256H0Z"/></clipPath>';
  let bands = "";
  for (let y = 112; y < 400; y += 6 + random() * 17) {
    const tall = 3 + random() * 11;
    const color = ["#fff0d8", "#a8634a", "#f2c08c", "#5f2f35"][Math.floor(random() * 4)];
    bands += `<path d="M96 ${round(y)}Q256 ${round(y + 26)} 416 ${round(y)}v${round(tall)}Q256 ${round(y + 26 + tall)} 96 ${round(y + tall)}Z" fill="${color}" opacity="${Math.round((0.12 + random() * 0.25) * 100) / 100}"/>`;
  }
  const ring = [
    [236, 10],
    [216, 16],
    [193, 7],
  ]
    .map(
      ([reach, wide], i) =>
        `<ellipse cx="256" cy="256" rx="${reach}" ry="${round(reach * 0.24)}" fill="none" stroke="url(#r)" stroke-width="${wide}" opacity="${0.9 - i * 0.2}"/>`,
    )
    .join("");
  const body =
    '<g transform="rotate(-17 256 256)">' +
    `<g clip-path="url(#k)">${ring}</g>` +
    `<circle cx="256" cy="256" r="168" fill="url(#a)"/><circle cx="256" cy="256" r="150" fill="url(#b)"/>` +
    `<g clip-path="url(#c)">${bands}<ellipse cx="206" cy="292" rx="30" ry="13" fill="#8d3d33" opacity=".6"/><ellipse cx="203" cy="290" rx="19" ry="7" fill="#f3b78c" opacity=".5"/></g>` +
    `<circle cx="256" cy="256" r="151" fill="url(#s)"/>` +
    `<g clip-path="url(#f)">${ring}</g></g>`;
  return svg(512, 512, body, defs);
}

/** A cold world with ice, seas of shadow and a thin blue air. */
function crateredMoon() {
  const random = dice(15);
  const defs =
    radial(
      "b",
      [
        [0, "#f1fbff"],
        [0.4, "#8fb6d8"],
        [0.8, "#3b5b8c"],
        [1, "#131c3d"],
      ],
      [0.3, 0.28, 0.85],
    ) +
    radial("a", [
      [0.84, "#7fd0ff", 0.6],
      [0.89, "#7fd0ff", 0.42],
      [1, "#7fd0ff", 0],
    ]) +
    radial(
      "s",
      [
        [0.3, "#03050f", 0],
        [0.75, "#03050f", 0.6],
        [1, "#03050f", 0.95],
      ],
      [0.26, 0.24, 0.95],
    ) +
    '<clipPath id="c"><circle cx="256" cy="256" r="190"/></clipPath>';
  let land = "";
  for (let i = 0; i < 16; i += 1) {
    const x = round(80 + random() * 352);
    const y = round(80 + random() * 352);
    const wide = 20 + random() * 62;
    land += `<ellipse cx="${x}" cy="${y}" rx="${round(wide)}" ry="${round(wide * (0.3 + random() * 0.4))}" fill="${i % 3 ? "#22406f" : "#eaf8ff"}" opacity="${i % 3 ? 0.3 : 0.28}" transform="rotate(${Math.round(random() * 60 - 30)} ${x} ${y})"/>`;
  }
  for (let i = 0; i < 22; i += 1) {
    const x = 90 + random() * 330;
    const y = 90 + random() * 330;
    const size = 4 + random() ** 2 * 22;
    land +=
      `<circle cx="${round(x + size * 0.16)}" cy="${round(y + size * 0.16)}" r="${round(size)}" fill="#fff" opacity=".22"/>` +
      `<circle cx="${round(x)}" cy="${round(y)}" r="${round(size)}" fill="#2b4876" opacity=".55"/>`;
  }
  const body =
    '<circle cx="256" cy="256" r="214" fill="url(#a)"/><circle cx="256" cy="256" r="190" fill="url(#b)"/>' +
    `<g clip-path="url(#c)">${land}<ellipse cx="216" cy="76" rx="120" ry="24" fill="#fff" opacity=".6"/></g>` +
    '<circle cx="256" cy="256" r="191" fill="url(#s)"/>';
  return svg(512, 512, body, defs);
}
