// The station: a wheel with spokes, a hub, four docks and warm windows; and the radiation sign.

import { INK, linear, radial, round, svg } from "./pen.mjs";

export function station() {
  return {
    "sprites/station/station.svg": wheel(),
    "sprites/hazards/radiation.svg": radiation(),
  };
}

function wheel() {
  const defs =
    linear("r", [
      [0, INK.hullLight],
      [0.45, INK.hull],
      [1, "#333d5a"],
    ]) +
    linear("d", [
      [0, "#7f8ca8"],
      [1, "#20283f"],
    ]) +
    radial(
      "h",
      [
        [0, "#ffffff"],
        [0.45, INK.hull],
        [1, "#38425e"],
      ],
      [0.35, 0.32, 0.75],
    ) +
    radial("g", [
      [0, "#7fd7ff", 0.4],
      [1, "#7fd7ff", 0],
    ]) +
    linear("p", [
      [0, "#3a7bd0"],
      [0.5, "#173a74"],
      [1, "#0d2148"],
    ]);
  let body = '<circle cx="256" cy="256" r="250" fill="url(#g)"/>';
  for (const turn of [45, 135, 225, 315]) body += solarWing(turn);
  for (let turn = 0; turn < 360; turn += 60) {
    body += `<g transform="rotate(${turn} 256 256)"><rect x="247" y="112" width="18" height="110" fill="url(#d)" stroke="${INK.line}" stroke-width="2"/><path d="M247 140h18M247 168h18M247 196h18" stroke="${INK.line}" stroke-width="1.6" opacity=".6"/></g>`;
  }
  body +=
    `<circle cx="256" cy="256" r="142" fill="none" stroke="${INK.line}" stroke-width="45"/>` +
    `<circle cx="256" cy="256" r="142" fill="none" stroke="url(#r)" stroke-width="40"/>` +
    `<circle cx="256" cy="256" r="157" fill="none" stroke="#fff" stroke-opacity=".3" stroke-width="2.4"/>` +
    `<circle cx="256" cy="256" r="126" fill="none" stroke="#0a0f20" stroke-opacity=".45" stroke-width="5"/>`;
  body += panelsAndWindows();
  body +=
    `<circle cx="256" cy="256" r="55" fill="${INK.line}"/><circle cx="256" cy="256" r="52" fill="url(#h)"/>` +
    `<circle cx="256" cy="256" r="33" fill="#1b2440" stroke="${INK.hullDark}" stroke-width="3"/>` +
    `<path d="M256 228a28 28 0 0 1 24 14L256 256Z" fill="#5fd0ff" opacity=".75"/>` +
    `<circle cx="256" cy="256" r="12" fill="#c9f1ff"/><circle cx="256" cy="256" r="20" fill="none" stroke="#5fd0ff" stroke-width="2" opacity=".7"/>`;
  // The dock where the ship lies, below.
  body +=
    `<path d="M232 396h48v38l-10 12h-28l-10-12Z" fill="url(#d)" stroke="${INK.line}" stroke-width="2.4"/>` +
    `<path d="M240 404h32" stroke="${INK.warn}" stroke-width="4" stroke-dasharray="7 5"/>` +
    `<circle cx="240" cy="438" r="4" fill="${INK.good}"/><circle cx="272" cy="438" r="4" fill="${INK.good}"/>`;
  return svg(512, 512, body, defs);
}

function solarWing(turn) {
  const cells = [0, 1, 2, 3, 4]
    .map(
      (i) =>
        `<rect x="${-26}" y="${-252 + i * 16}" width="52" height="14" fill="url(#p)" stroke="#6aa5ec" stroke-opacity=".55" stroke-width="1"/>`,
    )
    .join("");
  return `<g transform="translate(256 256) rotate(${turn})"><rect x="-5" y="-176" width="10" height="22" fill="url(#d)"/><rect x="-30" y="-256" width="60" height="86" rx="4" fill="#0c1530" stroke="${INK.hullDark}" stroke-width="2"/>${cells}</g>`;
}

function panelsAndWindows() {
  let body = "";
  for (let i = 0; i < 48; i += 1) {
    const angle = (2 * Math.PI * i) / 48;
    const at = (radius) =>
      `${round(256 + radius * Math.cos(angle))} ${round(256 + radius * Math.sin(angle))}`;
    if (i % 4 === 0)
      body += `<path d="M${at(123)}L${at(161)}" stroke="#1a2238" stroke-opacity=".55" stroke-width="2"/>`;
    else if (i % 5 !== 1) {
      const [x, y] = at(142).split(" ");
      const warm = i % 7 ? "#ffd58a" : "#8fe3ff";
      body += `<rect x="${round(x - 4.5)}" y="${round(y - 3)}" width="9" height="6" rx="1.6" fill="${warm}" transform="rotate(${round((angle * 180) / Math.PI + 90)} ${x} ${y})"/>`;
    }
  }
  return body;
}

function radiation() {
  const defs =
    radial("g", [
      [0, INK.warn, 0.55],
      [1, INK.warn, 0],
    ]) +
    linear("t", [
      [0, "#ffe08a"],
      [1, "#f08a24"],
    ]);
  const blade = (turn) =>
    `<path d="M64 64L45 31A38 38 0 0 1 83 31Z" fill="#2a1805" transform="rotate(${turn} 64 64)"/>`;
  const body =
    `<circle cx="64" cy="64" r="62" fill="url(#g)"/>` +
    `<path d="M64 12L112 96Q114 102 107 102H21Q14 102 16 96Z" fill="none"/>` +
    `<circle cx="64" cy="64" r="44" fill="url(#t)" stroke="#2a1805" stroke-width="4"/>` +
    blade(0) +
    blade(120) +
    blade(240) +
    `<circle cx="64" cy="64" r="10" fill="#2a1805" stroke="#f7b648" stroke-width="4"/>` +
    `<path d="M34 44A36 36 0 0 1 60 24" stroke="#fff" stroke-opacity=".7" stroke-width="3" fill="none" stroke-linecap="round"/>`;
  return svg(128, 128, body, defs);
}
