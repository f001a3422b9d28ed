// The mini-map: this node in the middle, the six lanes around it. SVG, so that it stays sharp at
// any size and takes its text colour from the page, light or dark.

import type { Frame } from "../../api/types";
import type { Assets } from "../../assets/assets";
import type { Minimap } from "../scene";
import { laneAngle } from "./field";
import { LANE_COUNT, sightOf, type Lane, type NodeKind } from "./reading";

const SVG = "http://www.w3.org/2000/svg";
const CENTER = 120;
const REACH = 80;

type Threat = "high" | "middle" | "low";

export function threatOf(lane: Lane): Threat {
  return lane.threat >= 0.75 ? "high" : lane.threat >= 0.45 ? "middle" : "low";
}

// Not by colour alone: the worse the lane, the heavier and more broken its line.
const LINES: Record<Threat, { width: number; dash: string }> = {
  high: { width: 4.5, dash: "3 5" },
  middle: { width: 3.2, dash: "10 5" },
  low: { width: 2.4, dash: "" },
};
const SPRITES: Record<NodeKind, string> = {
  station: "entity.station",
  cluster: "entity.asteroid.large",
  hazard: "entity.hazard.radiation",
};
const KIND_WORDS: Record<NodeKind, string> = {
  station: "station",
  cluster: "rocks",
  hazard: "hazard",
};

interface Spoke {
  group: SVGElement;
  edge: SVGElement;
  halo: SVGElement;
  picture: SVGElement;
  label: SVGElement;
  number: SVGElement;
}

export function createMinimap(host: HTMLElement, assets: Assets): Minimap {
  const root = element("svg", {
    viewBox: "0 0 240 240",
    width: "100%",
    height: "100%",
    role: "img",
  });
  root.style.display = "block";
  for (const radius of [40, REACH, 112]) {
    root.append(ring(radius));
  }
  const spokes = Array.from({ length: LANE_COUNT }, (_, slot) => addSpoke(root, slot));
  const here = element("image", { x: "96", y: "96", width: "48", height: "48" });
  // In the corner of the box, not of the square in its middle: lanes end there.
  const name = document.createElement("strong");
  name.style.cssText = "position:absolute;left:10px;top:6px;font-size:13px";
  root.append(
    element("circle", {
      cx: "120",
      cy: "120",
      r: "27",
      fill: "currentColor",
      "fill-opacity": "0.1",
      stroke: "currentColor",
      "stroke-opacity": "0.5",
    }),
    here,
  );
  host.append(root, name);

  return {
    show(frame: Frame | null): void {
      const sight = frame ? sightOf(frame) : null;
      const kind = sight?.place.kind ?? "station";
      picture(here, assets, SPRITES[kind]);
      name.textContent = !sight || sight.place.atStation ? "Home" : `Node ${sight.place.index}`;
      spokes.forEach((spoke, slot) => showLane(spoke, sight?.lanes[slot], assets));
      root.setAttribute("aria-label", described(sight?.lanes ?? []));
    },
    destroy(): void {
      root.remove();
      name.remove();
    },
  };
}

function addSpoke(root: SVGElement, slot: number): Spoke {
  const x = CENTER + REACH * Math.cos(laneAngle(slot));
  const y = CENTER + REACH * Math.sin(laneAngle(slot));
  const near = 30 / REACH;
  const far = 1 - 19 / REACH;
  const at = (share: number, axis: number) => String(CENTER + (axis - CENTER) * share);
  const edge = element("line", {
    x1: at(near, x),
    y1: at(near, y),
    x2: at(far, x),
    y2: at(far, y),
    "stroke-linecap": "round",
  });
  const halo = element("circle", {
    cx: String(x),
    cy: String(y),
    r: "18",
    "fill-opacity": "0.14",
    "stroke-width": "1.6",
  });
  const picture = element("image", {
    x: String(x - 15),
    y: String(y - 15),
    width: "30",
    height: "30",
  });
  // Above the upper lanes and below the others: never across the line to the middle.
  const label = text(x, y < CENTER - 1 ? y - 23 : y + 31, 11, "500");
  const number = text(x - 21, y - 11, 12, "700");
  number.textContent = String(slot + 1);
  const group = element("g", {});
  group.append(edge, halo, picture, label, number);
  root.append(group);
  return { group, edge, halo, picture, label, number };
}

function showLane(spoke: Spoke, lane: Lane | undefined, assets: Assets): void {
  spoke.group.style.display = lane?.exists ? "" : "none";
  if (!lane?.exists) return;
  const threat = threatOf(lane);
  const color = assets.color(`threat.${threat}`);
  const { width, dash } = LINES[threat];
  spoke.edge.setAttribute("stroke", color);
  spoke.edge.setAttribute("stroke-width", String(width));
  spoke.edge.setAttribute("stroke-dasharray", dash);
  spoke.halo.setAttribute("stroke", color);
  spoke.halo.setAttribute("fill", color);
  picture(spoke.picture, assets, SPRITES[lane.kind]);
  spoke.label.textContent = `${lane.ticks} t · ${Math.round(lane.fuel)} fuel`;
}

function described(lanes: readonly Lane[]): string {
  const parts = lanes.flatMap((lane, slot) =>
    lane.exists
      ? [
          `${slot + 1}: ${KIND_WORDS[lane.kind]}, ${lane.ticks} ticks, ${Math.round(lane.fuel)} fuel, ${threatOf(lane)} threat`,
        ]
      : [],
  );
  return parts.length > 0 ? `Lanes. ${parts.join("; ")}` : "Map of lanes";
}

function picture(image: SVGElement, assets: Assets, key: string): void {
  const address = assets.frame(key);
  if (address && image.getAttribute("href") !== address) image.setAttribute("href", address);
}

function ring(radius: number): SVGElement {
  return element("circle", {
    cx: String(CENTER),
    cy: String(CENTER),
    r: String(radius),
    fill: "none",
    stroke: "currentColor",
    "stroke-opacity": "0.12",
  });
}

function text(x: number, y: number, size: number, weight: string): SVGElement {
  return element("text", {
    x: String(x),
    y: String(y),
    fill: "currentColor",
    "text-anchor": "middle",
    "font-size": String(size),
    "font-weight": weight,
    "font-family": "system-ui, sans-serif",
  });
}

function element(name: string, attributes: Record<string, string>): SVGElement {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}
