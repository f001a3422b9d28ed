// Two prospectors of one build, nose to the right, seen from above; and the pirate that hunts them.

import { INK, linear, radial, svg } from "./pen.mjs";

export function ships() {
  return {
    "sprites/ships/agent.svg": prospector(INK.agent, "#0e5f86", agentNose()),
    "sprites/ships/human.svg": prospector(INK.human, "#8a4a0c", humanNose()),
    "sprites/pirates/marker.svg": pirate(),
  };
}

function prospector(accent, accentDark, nose) {
  const defs =
    linear(
      "h",
      [
        [0, INK.hullLight],
        [0.5, INK.hull],
        [1, INK.hullDark],
      ],
      [0, 0, 0, 1],
    ) +
    linear(
      "d",
      [
        [0, INK.hullDark],
        [1, INK.hullDeep],
      ],
      [0, 0, 0, 1],
    ) +
    linear(
      "a",
      [
        [0, accent],
        [1, accentDark],
      ],
      [0, 0, 0, 1],
    ) +
    linear(
      "n",
      [
        [0, "#11172b"],
        [0.6, "#39435f"],
        [1, "#11172b"],
      ],
      [0, 0, 0, 1],
    ) +
    radial("e", [
      [0, "#fff"],
      [0.4, accent],
      [1, accentDark],
    ]);
  const wing = (flip) =>
    `<g transform="translate(0 ${flip ? 192 : 0}) scale(1 ${flip ? -1 : 1})">` +
    `<path d="M74 78L58 40Q56 34 62 34L92 34Q98 34 102 40L122 74Z" fill="url(#${flip ? "d" : "h"})" stroke="${INK.line}" stroke-width="2"/>` +
    `<path d="M66 42L90 42L96 50L70 50Z" fill="url(#a)"/>` +
    `<path d="M44 30h38q5 0 5 6t-5 6H44q-8-1-8-6t8-6Z" fill="url(#n)" stroke="${INK.line}" stroke-width="2"/>` +
    `<ellipse cx="38" cy="36" rx="3.4" ry="5" fill="url(#e)"/></g>`;
  const body =
    wing(false) +
    wing(true) +
    // Hull
    `<path d="M40 76Q44 66 60 66L118 66Q146 70 164 96Q146 122 118 126L60 126Q44 126 40 116Z" fill="url(#h)" stroke="${INK.line}" stroke-width="2.4"/>` +
    // Engine block
    `<path d="M24 80h20v32H24q-4 0-4-5V85q0-5 4-5Z" fill="url(#n)" stroke="${INK.line}" stroke-width="2"/>` +
    `<rect x="19" y="84" width="5" height="10" rx="2" fill="url(#e)"/><rect x="19" y="98" width="5" height="10" rx="2" fill="url(#e)"/>` +
    // Hold: the scene fills this recess with what the ship carries
    `<rect x="56" y="80" width="62" height="32" rx="6" fill="#0b1022" stroke="${INK.hullDeep}" stroke-width="2.4"/>` +
    `<path d="M52 71h68" stroke="#fff" stroke-opacity=".7" stroke-width="2" stroke-linecap="round"/>` +
    `<path d="M52 121h66" stroke="${INK.line}" stroke-opacity=".5" stroke-width="3" stroke-linecap="round"/>` +
    nose(accent);
  return svg(192, 192, body, defs);
}

function agentNose() {
  return (accent) =>
    `<path d="M128 84Q144 86 152 96Q144 106 128 108Q124 96 128 84Z" fill="#0d1328" stroke="${INK.line}" stroke-width="1.6"/>` +
    `<circle cx="137" cy="96" r="6.4" fill="${accent}"/><circle cx="135.4" cy="94" r="2.4" fill="#fff"/>`;
}

function humanNose() {
  return () =>
    `<path d="M126 82Q146 84 155 96Q146 108 126 110Q130 96 126 82Z" fill="#183a5c" stroke="${INK.line}" stroke-width="1.6"/>` +
    `<path d="M130 85Q143 87 150 94L133 94Q132 89 130 85Z" fill="#a8e4ff" opacity=".85"/>` +
    `<path d="M133 98L149 98Q144 104 132 107Z" fill="#4d9cc9" opacity=".6"/>`;
}

function pirate() {
  const defs =
    linear(
      "h",
      [
        [0, "#6b3a4a"],
        [0.5, "#3f2233"],
        [1, "#1d1020"],
      ],
      [0, 0, 0, 1],
    ) +
    radial("g", [
      [0, INK.bad, 0.5],
      [1, INK.bad, 0],
    ]) +
    radial("e", [
      [0, "#fff"],
      [0.5, INK.bad],
      [1, "#7d1022"],
    ]);
  const wing =
    `<path d="M66 60L34 22L92 40L104 56Z" fill="url(#h)" stroke="#12070f" stroke-width="2"/>` +
    `<path d="M44 29L86 43" stroke="${INK.bad}" stroke-width="2.6" stroke-linecap="round"/>` +
    `<path d="M92 44L118 40L102 52Z" fill="#8a95a8" stroke="#12070f" stroke-width="1.4"/>`;
  const body =
    `<circle cx="72" cy="64" r="60" fill="url(#g)"/>${wing}` +
    `<g transform="translate(0 128) scale(1 -1)">${wing}</g>` +
    `<path d="M28 64Q34 50 58 50L96 54Q116 60 122 64Q116 68 96 74L58 78Q34 78 28 64Z" fill="url(#h)" stroke="#12070f" stroke-width="2"/>` +
    `<path d="M92 58L110 64L92 70Q96 64 92 58Z" fill="${INK.bad}"/>` +
    `<rect x="24" y="58" width="6" height="12" rx="2.5" fill="url(#e)"/>` +
    // A skull small enough to be read at the size of a marker
    `<path d="M60 57q7-5 14 0q3 6-1 9v3h-12v-3q-4-3-1-9Z" fill="#f1e6ea"/>` +
    `<circle cx="64.4" cy="62" r="2" fill="#2a1020"/><circle cx="69.8" cy="62" r="2" fill="#2a1020"/>`;
  return svg(144, 128, body, defs);
}
