// Icons of 48: the market's three directions and the six things that happen to a ship.

import { INK, burst, dice, linear, svg } from "./pen.mjs";

export function icons() {
  return {
    "sprites/icons/market-up.svg": market(INK.good, "#1d7d51", "M24 8L40 28H30V40H18V28H8Z"),
    "sprites/icons/market-down.svg": market(INK.bad, "#97213a", "M24 40L40 20H30V8H18V20H8Z"),
    "sprites/icons/market-flat.svg": market("#c3cee4", "#5c6a86", "M6 18H28V10L42 24L28 38V30H6Z"),
    "sprites/icons/event-pirate.svg": event(INK.bad, skull()),
    "sprites/icons/event-fracture.svg": event("#ff9c4f", fracture()),
    "sprites/icons/event-overheat.svg": event("#ff7a3c", flame()),
    "sprites/icons/event-stranded.svg": event("#9fb2dd", emptyTank()),
    "sprites/icons/event-destroyed.svg": event(INK.bad, blast()),
    "sprites/icons/event-invalid.svg": event(INK.warn, crossed()),
  };
}

function market(light, dark, path) {
  const body =
    `<path d="${path}" fill="url(#g)" stroke="#0a1020" stroke-width="2" stroke-linejoin="round"/>` +
    `<path d="${path}" fill="none" stroke="#fff" stroke-opacity=".45" stroke-width=".9" transform="translate(24 24) scale(.86) translate(-24 -24)"/>`;
  return svg(
    48,
    48,
    body,
    linear("g", [
      [0, light],
      [1, dark],
    ]),
  );
}

/** A dark medallion with a coloured edge, so that the sign reads on light and on dark. */
function event(color, sign) {
  const defs = linear("m", [
    [0, "#27325a"],
    [1, "#0d1328"],
  ]);
  const body =
    `<path d="M24 2L43 13V35L24 46L5 35V13Z" fill="url(#m)" stroke="${color}" stroke-width="2.6" stroke-linejoin="round"/>` +
    '<path d="M24 6L9 14.6" stroke="#fff" stroke-opacity=".35" stroke-width="1.6" stroke-linecap="round"/>' +
    sign;
  return svg(48, 48, body, defs);
}

function skull() {
  return (
    `<path d="M14 21q0-9 10-9t10 9q0 5-4 7v5H18v-5q-4-2-4-7Z" fill="#f6e9ec"/>` +
    '<circle cx="20" cy="22" r="3" fill="#3a0d1c"/><circle cx="28" cy="22" r="3" fill="#3a0d1c"/>' +
    '<path d="M22 33v3M26 33v3M18 33v2M30 33v2" stroke="#f6e9ec" stroke-width="2"/><path d="M24 25l-1.6 3h3.2Z" fill="#3a0d1c"/>'
  );
}

function fracture() {
  return (
    '<path d="M14 18l8-6 12 4 2 10-6 9-12-1-6-8Z" fill="#a9adbb"/><path d="M14 18l8-6 3 6-5 6Z" fill="#e2e4ea"/>' +
    '<path d="M27 11l-4 8 6 4-6 6 3 7" fill="none" stroke="#2a1005" stroke-width="3.4"/>' +
    '<path d="M27 11l-4 8 6 4-6 6 3 7" fill="none" stroke="#ff9c4f" stroke-width="1.6"/>'
  );
}

function flame() {
  return (
    '<path d="M24 10q10 9 9 17a9 9 0 0 1-18 0q0-5 4-8q1 4 3 4q-2-7 2-13Z" fill="#ff7a3c"/>' +
    '<path d="M24 22q5 4 4.4 8a4.6 4.6 0 0 1-9 0q0-3 2-4q1 2 2 2q-1-3 .6-6Z" fill="#ffe08a"/>'
  );
}

function emptyTank() {
  return (
    '<rect x="15" y="15" width="15" height="20" rx="2.5" fill="none" stroke="#c3cee4" stroke-width="2.4"/>' +
    '<path d="M18 12h9M30 20h3v10q0 3 2 3" fill="none" stroke="#c3cee4" stroke-width="2.2" stroke-linecap="round"/>' +
    '<rect x="17.4" y="30.6" width="10.2" height="2.4" fill="#ff5a66"/>'
  );
}

function blast() {
  const random = dice(4);
  return (
    `<path d="${burst(24, 24, 15, 8, 9, () => 0.85 + random() * 0.3)}" fill="#ff5a66"/>` +
    `<path d="${burst(24, 24, 9.5, 5, 8)}" fill="#ffb347"/><circle cx="24" cy="24" r="4" fill="#fff3d0"/>`
  );
}

function crossed() {
  return (
    '<circle cx="24" cy="24" r="10" fill="none" stroke="#ffb347" stroke-width="3"/>' +
    '<path d="M17.4 17.4L30.6 30.6" stroke="#ffb347" stroke-width="3" stroke-linecap="round"/>'
  );
}
