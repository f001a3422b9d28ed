// What befalls the ship: warnings, heat, a dead engine, two explosions.

import { INK, burst, dice, linear, radial, round, svg } from "./pen.mjs";

export function eventEffects() {
  return {
    "sprites/vfx/warning-alert.svg": alert(),
    "sprites/vfx/event-overheat.svg": overheat(),
    "sprites/vfx/event-engine_fail.svg": engineFail(),
    "sprites/vfx/explosion-medium.svg": explosion(128, 6, 11),
    "sprites/vfx/explosion-large.svg": explosion(192, 19, 15),
  };
}

function alert() {
  const defs =
    radial("g", [
      [0, INK.bad, 0.55],
      [1, INK.bad, 0],
    ]) +
    linear(
      "t",
      [
        [0, "#ffd9a0"],
        [0.4, INK.warn],
        [1, "#d8452f"],
      ],
      [0, 0, 0, 1],
    );
  const body =
    '<circle cx="64" cy="64" r="62" fill="url(#g)"/>' +
    '<path d="M64 18Q68 18 71 23L111 93Q115 103 105 104H23Q13 103 17 93L57 23Q60 18 64 18Z" fill="url(#t)" stroke="#3a0d10" stroke-width="4" stroke-linejoin="round"/>' +
    '<path d="M64 46V74" stroke="#3a0d10" stroke-width="9" stroke-linecap="round"/><circle cx="64" cy="90" r="5.4" fill="#3a0d10"/>';
  return svg(128, 128, body, defs);
}

function overheat() {
  const defs = radial("g", [
    [0, "#fff0c0", 0.85],
    [0.35, "#ff8a3c", 0.6],
    [1, "#ff3c2a", 0],
  ]);
  let body = '<circle cx="64" cy="64" r="62" fill="url(#g)"/>';
  for (let i = 0; i < 9; i += 1) {
    body += `<path d="M64 30Q76 20 66 4Q84 20 76 36Q70 44 64 30Z" fill="${i % 2 ? "#ffb347" : "#ff6b3c"}" opacity=".85" transform="rotate(${i * 40} 64 64)"/>`;
  }
  return svg(128, 128, body, defs);
}

function engineFail() {
  const defs =
    radial("g", [
      [0, "#8fa6d8", 0.4],
      [1, "#8fa6d8", 0],
    ]) +
    radial("s", [
      [0, "#7d8496", 0.7],
      [1, "#2a2f40", 0],
    ]);
  const body =
    '<circle cx="64" cy="64" r="62" fill="url(#g)"/><circle cx="44" cy="52" r="24" fill="url(#s)"/><circle cx="80" cy="46" r="20" fill="url(#s)"/><circle cx="64" cy="80" r="26" fill="url(#s)"/>' +
    '<path d="M70 22L40 70H60L52 108L90 54H68Z" fill="#c3d2f5" stroke="#1a2238" stroke-width="3" stroke-linejoin="round"/>' +
    '<path d="M28 28L100 100" stroke="#1a2238" stroke-width="10" stroke-linecap="round"/><path d="M28 28L100 100" stroke="#ff5a66" stroke-width="6" stroke-linecap="round"/>';
  return svg(128, 128, body, defs);
}

function explosion(box, seed, points) {
  const random = dice(seed);
  const jitter = () => 0.78 + random() * 0.4;
  const middle = box / 2;
  const unit = box / 128;
  const star = (outer, inner, color, opacity) =>
    `<path d="${burst(middle, middle, outer * unit, inner * unit, points, jitter)}" fill="${color}" opacity="${opacity}"/>`;
  const defs =
    radial("g", [
      [0, "#ffcf6b", 0.9],
      [0.45, "#ff6b2a", 0.55],
      [1, "#a81a1a", 0],
    ]) +
    radial("c", [
      [0, "#ffffff"],
      [0.5, "#fff0b8"],
      [1, "#ffc24a", 0],
    ]);
  let sparks = "";
  for (let i = 0; i < points; i += 1) {
    const angle = random() * 2 * Math.PI;
    const away = (40 + random() * 20) * unit;
    sparks += `<circle cx="${round(middle + away * Math.cos(angle))}" cy="${round(middle + away * Math.sin(angle))}" r="${round((1 + random() * 2) * unit)}" fill="#ffe6a8"/>`;
  }
  const body =
    `<circle cx="${middle}" cy="${middle}" r="${middle - 1}" fill="url(#g)"/>` +
    star(50, 28, "#d8381f", 0.7) +
    star(40, 22, "#ff7a2a", 0.9) +
    star(28, 15, "#ffc24a", 1) +
    `<circle cx="${middle}" cy="${middle}" r="${22 * unit}" fill="url(#c)"/>${sparks}`;
  return svg(box, box, body, defs);
}
