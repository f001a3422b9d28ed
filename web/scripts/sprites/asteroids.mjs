// Rocks in three sizes, three of each. Grey, because the scene tints them by what they hold.

import { dice, linear, outline, radial, round, svg } from "./pen.mjs";

const SIZES = { large: [192, 84, 15, 9], medium: [160, 64, 13, 6], small: [128, 44, 11, 4] };

export function asteroids() {
  const drawings = {
    "sprites/asteroids/veins.svg": veins(),
    "sprites/asteroids/cracks.svg": cracks(),
  };
  Object.entries(SIZES).forEach(([size, [box, radius, corners, craters]], row) => {
    for (let variant = 0; variant < 3; variant += 1) {
      const random = dice(101 + row * 17 + variant * 7);
      drawings[`sprites/asteroids/${size}-${variant}.svg`] = rock(
        random,
        box,
        radius,
        corners,
        craters,
      );
    }
  });
  return drawings;
}

function rock(random, box, radius, corners, craters) {
  const middle = box / 2;
  const stretch = 0.82 + random() * 0.2;
  const points = Array.from({ length: corners }, (_, i) => {
    const angle = (2 * Math.PI * (i + random() * 0.45)) / corners;
    const reach = radius * (0.84 + random() * 0.3);
    return [middle + reach * Math.cos(angle), middle + reach * stretch * Math.sin(angle)];
  });
  const shape = outline(points);
  const defs =
    radial(
      "b",
      [
        [0, "#ffffff"],
        [0.35, "#d9dbe2"],
        [0.7, "#8b8e9b"],
        [1, "#3c3f4d"],
      ],
      [0.32, 0.28, 0.85],
    ) +
    linear("s", [
      [0.45, "#05060f", 0],
      [1, "#05060f", 0.78],
    ]) +
    linear("r", [
      [0, "#ffffff", 0.95],
      [0.45, "#ffffff", 0],
    ]) +
    `<clipPath id="c"><path d="${shape}"/></clipPath>`;
  const body =
    `<path d="${shape}" fill="url(#b)"/><g clip-path="url(#c)">` +
    facets(random, middle, radius) +
    Array.from({ length: craters }, () => crater(random, middle, radius)).join("") +
    `<path d="${shape}" fill="url(#s)"/></g>` +
    `<path d="${shape}" fill="none" stroke="url(#r)" stroke-width="${round(radius / 26)}"/>`;
  return svg(box, box, body, defs);
}

/** Broad planes, lit or shaded by which way they face. */
function facets(random, middle, radius) {
  return Array.from({ length: 7 }, () => {
    const angle = random() * 2 * Math.PI;
    const away = radius * (0.25 + random() * 0.5);
    const x = middle + away * Math.cos(angle);
    const y = middle + away * Math.sin(angle);
    const lit = -(Math.cos(angle) + Math.sin(angle)) > 0;
    const points = Array.from({ length: 5 }, (_, i) => {
      const turn = (2 * Math.PI * (i + random() * 0.6)) / 5;
      const reach = radius * (0.25 + random() * 0.3);
      return `${round(x + reach * Math.cos(turn))} ${round(y + reach * Math.sin(turn))}`;
    });
    return `<path d="M${points.join("L")}Z" fill="${lit ? "#fff" : "#0a0c18"}" opacity="${lit ? 0.13 : 0.16}"/>`;
  }).join("");
}

/** A bowl: shadow on the side of the light, a bright lip on the other. */
function crater(random, middle, radius) {
  const angle = random() * 2 * Math.PI;
  const away = radius * Math.sqrt(random()) * 0.8;
  const x = round(middle + away * Math.cos(angle));
  const y = round(middle + away * Math.sin(angle));
  const size = round(radius * (0.07 + random() * 0.15));
  const lift = round(size * 0.22);
  const flat = round(size * 0.86);
  return (
    `<ellipse cx="${x + lift}" cy="${y + lift}" rx="${size}" ry="${flat}" fill="#fff" opacity=".34"/>` +
    `<ellipse cx="${x}" cy="${y}" rx="${size}" ry="${flat}" fill="#30333f" opacity=".72"/>` +
    `<ellipse cx="${round(x + lift * 0.8)}" cy="${round(y + lift * 0.8)}" rx="${round(size * 0.7)}" ry="${round(flat * 0.7)}" fill="#6d7080" opacity=".75"/>`
  );
}

/** Crystals that shine through; tinted by the commodity believed richest. */
function veins() {
  const random = dice(77);
  const defs = radial("g", [
    [0, "#fff", 0.55],
    [1, "#fff", 0],
  ]);
  let body = '<circle cx="80" cy="80" r="46" fill="url(#g)" opacity=".55"/>';
  for (let i = 0; i < 9; i += 1) {
    const angle = random() * 2 * Math.PI;
    const away = 8 + random() * 34;
    const x = 80 + away * Math.cos(angle);
    const y = 80 + away * 0.85 * Math.sin(angle);
    const tall = 6 + random() * 9;
    const wide = tall * 0.42;
    const tilt = Math.round(random() * 90 - 45);
    const left = `M0 ${round(-tall)}L${round(-wide)} 0L0 ${round(tall)}Z`;
    const right = `M0 ${round(-tall)}L${round(wide)} 0L0 ${round(tall)}Z`;
    body += `<g transform="translate(${round(x)} ${round(y)}) rotate(${tilt})"><path d="${left}" fill="#fff"/><path d="${right}" fill="#b9bcc8"/></g>`;
  }
  return svg(160, 160, body, defs);
}

/** Glowing fractures of a rock believed to be unstable. */
function cracks() {
  const random = dice(31);
  let path = "";
  for (let arm = 0; arm < 5; arm += 1) {
    let angle = (2 * Math.PI * (arm + random() * 0.5)) / 5;
    let x = 80;
    let y = 80;
    path += "M80 80";
    for (let bend = 0; bend < 4; bend += 1) {
      angle += random() * 1.3 - 0.65;
      x += 11 * Math.cos(angle);
      y += 11 * Math.sin(angle);
      path += `L${round(x)} ${round(y)}`;
    }
  }
  const stroke = (color, width, opacity) =>
    `<path d="${path}" fill="none" stroke="${color}" stroke-width="${width}" stroke-linejoin="round" stroke-linecap="round" opacity="${opacity}"/>`;
  return svg(
    160,
    160,
    stroke("#ff7a3c", 7, 0.28) + stroke("#ff9c4f", 3, 0.8) + stroke("#ffe2b0", 1.1, 1),
  );
}
