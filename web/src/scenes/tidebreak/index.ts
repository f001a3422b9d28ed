// Tidebreak's contribution to the observatory: a naval plot, its dials and facts, its own panels.

import type { Frame } from "../../api/types";
import type { Assets } from "../../assets/assets";
import type { FrameEvent } from "../../player/keyframes";
import type { Fact, Gauge, Panel, Scene, Words } from "../scene";
import { BattlePanel } from "./BattlePanel";
import { FeedPanel } from "./FeedPanel";
import * as dials from "./gauges";
import { moments as momentsOf } from "./moments";
import { ShipPanel } from "./ShipPanel";
import { sideOf } from "./seen";
import { BattleScene } from "./stage";
import { battleView, shownBattle } from "./view";
import "../panel/panel.css";
import "./tidebreak.css";

export { choiceWords } from "./aiming";
export { agentName } from "./moments";

export function create(_assets: Assets, words: Words): Scene {
  return new BattleScene(words);
}

/** Whose knowledge is shown: all that is told beside the plot changes with it. */
export const outlook = {
  listen: battleView.listen,
  current: () => battleView.current().side,
};

export function gauges(frame: Frame): Gauge[] {
  const battle = shownBattle(frame);
  return battle ? dials.gauges(battle) : [];
}

export function facts(frame: Frame): Fact[] {
  const battle = shownBattle(frame);
  return battle ? dials.facts(battle, sideOf(battle, outlook.current())) : [];
}

export function moments(frames: readonly Frame[]): FrameEvent[] {
  return momentsOf(frames, outlook.current());
}

export const panels: readonly Panel[] = [
  { name: "ship", title: "Ship", View: ShipPanel },
  { name: "state", title: "Battle", View: BattlePanel },
  { name: "events", title: "Feed", View: FeedPanel },
];
