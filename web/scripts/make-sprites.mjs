// Draws every sprite and background of the presentation: `node scripts/make-sprites.mjs`.
// Nothing here is random from run to run, so drawing again changes no file that was not meant.

import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { asteroids } from "./sprites/asteroids.mjs";
import { backgrounds } from "./sprites/backgrounds.mjs";
import { actionEffects } from "./sprites/action_effects.mjs";
import { eventEffects } from "./sprites/event_effects.mjs";
import { icons } from "./sprites/icons.mjs";
import { panels } from "./sprites/panels.mjs";
import { serviceEffects } from "./sprites/service_effects.mjs";
import { ships } from "./sprites/ships.mjs";
import { station } from "./sprites/station.mjs";

const root = new URL("../public/assets/", import.meta.url).pathname;
const drawings = {
  ...ships(),
  ...station(),
  ...asteroids(),
  ...backgrounds(),
  ...panels(),
  ...icons(),
  ...actionEffects(),
  ...serviceEffects(),
  ...eventEffects(),
};
let bytes = 0;
for (const [path, text] of Object.entries(drawings)) {
  const file = join(root, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  bytes += text.length;
}
console.log(`${Object.keys(drawings).length} drawings, ${Math.round(bytes / 1024)} KB`);
