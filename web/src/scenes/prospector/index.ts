// Prospector's contribution to the observatory: how a frame looks, its dials, facts and hints.

import type { Assets } from "../../assets/assets";
import type { Scene } from "../scene";
import { SectorScene } from "./stage";

export { cues } from "./cues";
export { facts, gauges } from "./gauges";
export { hint } from "./hints";

export function create(assets: Assets): Scene {
  return new SectorScene(assets);
}
