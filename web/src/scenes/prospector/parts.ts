// Everything that stands on the stage, and in which order it is drawn.

import { Container, type Application, type Texture } from "pixi.js";
import type { Assets } from "../../assets/assets";
import { Belt } from "./belt";
import { Caption } from "./caption";
import { Effects, type Bearings } from "./effects";
import { Particles } from "./particles";
import { Popups } from "./popups";
import { VFX_KEYS } from "./recipes";
import { Ship } from "./ship";
import { Sky } from "./sky";
import { Hazard, Pirate, Station } from "./surroundings";
import type { Textures } from "./textures";

export const SPRITES = [
  "entity.ship.agent",
  "entity.ship.human",
  "entity.station",
  "entity.hazard.radiation",
  "entity.pirate.marker",
  "entity.asteroid.veins",
  "entity.asteroid.cracks",
  ...["small", "medium", "large"].flatMap((size) =>
    ["", ".1", ".2"].map((variant) => `entity.asteroid.${size}${variant}`),
  ),
  "bg.starfield.0",
  "bg.starfield.1",
  "bg.nebula.0",
  "bg.nebula.1",
  "bg.planet.0",
  "bg.planet.1",
  ...VFX_KEYS,
];

export interface Parts {
  root: Container;
  sky: Sky;
  station: Station;
  belt: Belt;
  pirate: Pirate;
  ship: Ship;
  effects: Effects;
  particles: Particles;
  popups: Popups;
  hazard: Hazard;
  caption: Caption;
  bearings: Bearings;
}

/** Textures drawn at run time, not loaded. */
export interface MadeTextures {
  spot: Texture;
  rim: Texture;
}

export interface Look {
  human: boolean;
  theme: "dark" | "light";
}

export function buildParts(
  app: Application,
  assets: Assets,
  textures: Textures,
  { spot, rim }: MadeTextures,
  { human, theme }: Look,
): Parts {
  const belt = new Belt(textures, assets, human);
  const ship = new Ship(textures, spot, belt.colors, human);
  const particles = new Particles(spot);
  const parts: Parts = {
    root: new Container(),
    sky: new Sky(textures, spot, theme),
    station: new Station(textures, spot),
    belt,
    pirate: new Pirate(textures),
    ship,
    effects: new Effects(textures, spot, particles),
    particles,
    popups: new Popups(),
    hazard: new Hazard(textures, rim),
    caption: new Caption(),
    bearings: { ship, aim: belt.aim, stationX: 0, stationY: 0 },
  };
  parts.root.addChild(
    parts.sky.view,
    parts.station.view,
    belt.view,
    parts.pirate.view,
    ship.view,
    particles.view,
    parts.effects.view,
    parts.popups.view,
  );
  // Frame and words stand still while the camera trembles.
  app.stage.addChild(parts.root, parts.hazard.view, parts.caption.view);
  return parts;
}
