// Controls: soft, short, in one key with the rest.

import { bell, silence, tone } from "./synth.mjs";

export function interfaceCues() {
  return {
    "ui/click": tone(silence(0.05), {
      seconds: 0.05,
      from: 1300,
      to: 700,
      gain: 0.8,
      rise: 0.002,
      fall: 3,
    }),
    "ui/step": tone(silence(0.06), {
      seconds: 0.06,
      from: 880,
      to: 990,
      wave: "triangle",
      rise: 0.002,
      fall: 3,
    }),
    "ui/play": rising([587, 880]),
    "ui/pause": rising([880, 587]),
    "ui/select": bell(silence(0.16), { seconds: 0.16, pitch: 1175 }),
    "ui/error": refused(),
  };
}

function rising(pitches) {
  const samples = silence(0.17);
  pitches.forEach((from, i) =>
    tone(samples, { start: i * 0.06, seconds: 0.1, from, wave: "triangle", rise: 0.005 }),
  );
  return samples;
}

function refused() {
  const samples = silence(0.24);
  for (const start of [0, 0.11]) {
    tone(samples, {
      start,
      seconds: 0.11,
      from: 185,
      to: 165,
      wave: "square",
      gain: 0.7,
      rise: 0.006,
      fall: 1.5,
    });
  }
  return samples;
}
