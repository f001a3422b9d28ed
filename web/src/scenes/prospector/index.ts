// Prospector's contribution to the observatory: how a frame looks, and its dials and facts.

import type { Assets } from "../../assets/assets";
import type { Scene } from "../scene";
import { SectorScene } from "./stage";

export { facts, gauges } from "./gauges";

export function create(assets: Assets): Scene {
  return new SectorScene(assets);
}
