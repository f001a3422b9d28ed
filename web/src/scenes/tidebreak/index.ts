// Tidebreak's contribution to the observatory: a naval plot, its dials and facts, its own panels.

import type { Assets } from "../../assets/assets";
import type { Panel, Scene, Words } from "../scene";
import { BattlePanel } from "./BattlePanel";
import { FeedPanel } from "./FeedPanel";
import { ShipPanel } from "./ShipPanel";
import { BattleScene } from "./stage";
import "../panel/panel.css";
import "./tidebreak.css";

export { choiceWords } from "./aiming";
export { facts, gauges } from "./gauges";
export { agentName, moments } from "./moments";

export function create(_assets: Assets, words: Words): Scene {
  return new BattleScene(words);
}

export const panels: readonly Panel[] = [
  { name: "ship", title: "Ship", View: ShipPanel },
  { name: "state", title: "Battle", View: BattlePanel },
  { name: "events", title: "Feed", View: FeedPanel },
];
