// Prospector's contribution to the observatory: how a frame looks, and its dials and facts.

import type { SceneModule } from "../scene";
import { facts, gauges } from "./gauges";
import { SectorScene } from "./stage";

const prospector: SceneModule = {
  create: (assets) => new SectorScene(assets),
  gauges,
  facts,
};

export const { create } = prospector;
export { facts, gauges };
export default prospector;
