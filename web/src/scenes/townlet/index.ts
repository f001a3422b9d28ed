// Townlet's contribution to the observatory: how a town looks, its dials and facts, its own panels.

import type { Panel, Scene } from "../scene";
import { CitizenPanel } from "./CitizenPanel";
import { FeedPanel } from "./FeedPanel";
import { TownScene } from "./stage";
import { TownPanel } from "./TownPanel";
import "../panel/panel.css";
import "./townlet.css";

export { facts, gauges } from "./gauges";
export { agentName, moments } from "./moments";

export function create(): Scene {
  return new TownScene();
}

export const panels: readonly Panel[] = [
  { name: "citizen", title: "Citizen", View: CitizenPanel },
  { name: "state", title: "Town", View: TownPanel },
  { name: "events", title: "Feed", View: FeedPanel },
];
