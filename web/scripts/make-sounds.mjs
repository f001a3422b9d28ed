// Synthesises every cue as 16-bit mono WAV: `node scripts/make-sounds.mjs`. The same each time.

import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { RATE_HZ } from "./sounds/synth.mjs";
import { interfaceCues } from "./sounds/interface_cues.mjs";
import { worldCues } from "./sounds/world_cues.mjs";

const root = new URL("../public/assets/sounds/", import.meta.url).pathname;
const FADE_S = 0.004;

/** Ends in silence (a cut wave clicks) and leaves room above the loudest sample. */
function finished(samples) {
  const fade = Math.round(FADE_S * RATE_HZ);
  let peak = 1e-9;
  for (let i = 0; i < samples.length; i += 1) {
    const left = Math.min(i, samples.length - 1 - i);
    if (left < fade) samples[i] *= left / fade;
    peak = Math.max(peak, Math.abs(samples[i]));
  }
  return samples.map((sample) => (sample / peak) * 0.82);
}

function wav(samples) {
  const file = Buffer.alloc(44 + samples.length * 2);
  file.write("RIFF", 0);
  file.writeUInt32LE(36 + samples.length * 2, 4);
  file.write("WAVEfmt ", 8);
  file.writeUInt32LE(16, 16);
  file.writeUInt16LE(1, 20);
  file.writeUInt16LE(1, 22);
  file.writeUInt32LE(RATE_HZ, 24);
  file.writeUInt32LE(RATE_HZ * 2, 28);
  file.writeUInt16LE(2, 32);
  file.writeUInt16LE(16, 34);
  file.write("data", 36);
  file.writeUInt32LE(samples.length * 2, 40);
  samples.forEach((sample, i) => file.writeInt16LE(Math.round(sample * 32767), 44 + i * 2));
  return file;
}

let bytes = 0;
const cues = { ...interfaceCues(), ...worldCues() };
for (const [path, samples] of Object.entries(cues)) {
  const file = join(root, `${path}.wav`);
  mkdirSync(dirname(file), { recursive: true });
  const content = wav(finished(samples));
  writeFileSync(file, content);
  bytes += content.length;
}
console.log(`${Object.keys(cues).length} cues, ${Math.round(bytes / 1024)} KB`);
