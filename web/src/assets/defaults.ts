/** The manifests a page falls back to. The files beside the sprites say the same; a test compares. */

import type {
  AudioManifest,
  CueEntry,
  EffectsManifest,
  FrameEntry,
  GraphicsManifest,
} from "./manifests";

const ASTEROID_SIZES = ["small", "medium", "large"];
const ASTEROID_VARIANTS = [1, 2];

const SPRITES: Record<string, string> = {
  "entity.ship.agent": "ships/agent",
  "entity.ship.human": "ships/human",
  "entity.station": "station/station",
  "entity.hazard.radiation": "hazards/radiation",
  "entity.pirate.marker": "pirates/marker",
  "entity.asteroid.veins": "asteroids/veins",
  "entity.asteroid.cracks": "asteroids/cracks",
};

const VFX = [
  "none",
  "travel.warp",
  "emergencyBurn",
  "scan.widePulse",
  "scan.focusBeam",
  "scan.deepSpectral",
  "scan.listenPing",
  "selection.ring",
  "mine.conservative",
  "mine.standard",
  "mine.aggressive",
  "stabilize.field",
  "refine.sparkle",
  "cooldown.burst",
  "repair.tool",
  "repair.hull",
  "jettison",
  "dock",
  "sell",
  "station.confirm",
  "station.overhaul",
  "ui.run_end",
  "warning.alert",
  "event.overheat",
  "event.engine_fail",
  "explosion.medium",
  "explosion.large",
];

function sprite(path: string): FrameEntry {
  return { path: `sprites/${path}.svg`, atlas: null, frame: null };
}

function frames(): Record<string, FrameEntry> {
  const all: Record<string, FrameEntry> = {};
  for (const [key, path] of Object.entries(SPRITES)) all[key] = sprite(path);
  for (const size of ASTEROID_SIZES) {
    all[`entity.asteroid.${size}`] = sprite(`asteroids/${size}-0`);
    for (const variant of ASTEROID_VARIANTS) {
      all[`entity.asteroid.${size}.${variant}`] = sprite(`asteroids/${size}-${variant}`);
    }
  }
  const rows: [string, string, string[]][] = [
    ["ui.panel", "ui/panel", ["stats", "cargo", "market", "events", "minimap"]],
    ["ui.button", "ui/button", ["primary", "secondary", "danger"]],
    ["icon.market", "icons/market", ["up", "down", "flat"]],
    [
      "icon.event",
      "icons/event",
      ["pirate", "fracture", "overheat", "stranded", "destroyed", "invalid"],
    ],
  ];
  for (const [key, path, names] of rows) {
    for (const name of names) all[`${key}.${name}`] = sprite(`${path}-${name}`);
  }
  for (const name of VFX) all[`vfx.${name}`] = sprite(`vfx/${name.replaceAll(".", "-")}`);
  return all;
}

export const DEFAULT_GRAPHICS: GraphicsManifest = {
  version: 1,
  frames: frames(),
  backgrounds: {
    "bg.starfield.0": { path: "backgrounds/starfield-0.svg", type: "tile" },
    "bg.starfield.1": { path: "backgrounds/starfield-1.svg", type: "tile" },
    "bg.nebula.0": { path: "backgrounds/nebula-0.svg", type: "sprite" },
    "bg.nebula.1": { path: "backgrounds/nebula-1.svg", type: "sprite" },
    "bg.planet.0": { path: "backgrounds/planet-0.svg", type: "sprite" },
    "bg.planet.1": { path: "backgrounds/planet-1.svg", type: "sprite" },
  },
  fonts: { ui: "system-ui, sans-serif" },
  colors: {
    iron: "#e0805a",
    nickel: "#a9bdd4",
    water_ice: "#6fd3ff",
    pge: "#f5d573",
    rare_isotopes: "#b591ff",
    volatiles: "#72e39a",
    "threat.high": "#ff5a66",
    "threat.middle": "#ffb347",
    "threat.low": "#4fcf8f",
  },
  atlases: {},
};

// Key, volume and the tone that stands in where a file is missing.
const SFX: [string, number, string][] = [
  ["travel.warp", 0.8, "sweep"],
  ["travel.boost", 0.9, "sweep"],
  ["scan.wide", 0.7, "ping"],
  ["scan.focus", 0.7, "ping"],
  ["scan.deep", 0.7, "ping"],
  ["scan.listen", 0.6, "ping"],
  ["mine.low", 0.5, "hum"],
  ["mine.mid", 0.55, "hum"],
  ["mine.high", 0.6, "hum"],
  ["utility.stabilize", 0.7, "chime"],
  ["utility.refine", 0.6, "chime"],
  ["utility.cooldown", 0.6, "noise"],
  ["utility.tool_repair", 0.7, "click"],
  ["utility.hull_patch", 0.7, "click"],
  ["utility.jettison", 0.7, "thud"],
  ["station.dock", 0.8, "thud"],
  ["station.sell", 0.8, "chime"],
  ["station.buy", 0.7, "chime"],
  ["station.overhaul", 0.8, "chime"],
  ["ui.run_end", 0.9, "chime"],
  ["event.pirate_alarm", 0.8, "alarm"],
  ["event.overheat_alarm", 0.7, "alarm"],
  ["event.engine_fail", 0.8, "sweep"],
  ["event.explosion", 0.8, "noise"],
  ["event.big_explosion", 1, "noise"],
];
const UI: [string, number, string][] = [
  ["click", 0.6, "click"],
  ["play", 0.7, "chime"],
  ["pause", 0.7, "chime"],
  ["step", 0.5, "click"],
  ["select", 0.6, "ping"],
  ["error", 0.8, "thud"],
];

function cues(): Record<string, CueEntry> {
  const all: Record<string, CueEntry> = {
    "sfx.none": { group: "sfx", files: [], synth: null, volume: 0 },
    "ui.none": { group: "ui", files: [], synth: null, volume: 0 },
  };
  for (const [group, rows] of [
    ["sfx", SFX],
    ["ui", UI],
  ] as const) {
    for (const [name, volume, synth] of rows) {
      all[`${group}.${name}`] = {
        group,
        files: [`${name.replaceAll(".", "-")}.wav`],
        synth,
        volume,
      };
    }
  }
  return all;
}

export const DEFAULT_AUDIO: AudioManifest = {
  version: 1,
  groups: {
    ui: { basePath: "sounds/ui", volume: 0.6 },
    sfx: { basePath: "sounds/sfx", volume: 0.8 },
  },
  cues: cues(),
};

// First and last action of a run, its effect and its cue.
const ACTIONS: [number, number, string, string][] = [
  [0, 5, "travel.warp", "sfx.travel.warp"],
  [6, 6, "none", "sfx.none"],
  [7, 7, "emergencyBurn", "sfx.travel.boost"],
  [8, 8, "scan.widePulse", "sfx.scan.wide"],
  [9, 9, "scan.focusBeam", "sfx.scan.focus"],
  [10, 10, "scan.deepSpectral", "sfx.scan.deep"],
  [11, 11, "scan.listenPing", "sfx.scan.listen"],
  [12, 27, "selection.ring", "ui.select"],
  [28, 28, "mine.conservative", "sfx.mine.low"],
  [29, 29, "mine.standard", "sfx.mine.mid"],
  [30, 30, "mine.aggressive", "sfx.mine.high"],
  [31, 31, "stabilize.field", "sfx.utility.stabilize"],
  [32, 32, "refine.sparkle", "sfx.utility.refine"],
  [33, 33, "cooldown.burst", "sfx.utility.cooldown"],
  [34, 34, "repair.tool", "sfx.utility.tool_repair"],
  [35, 35, "repair.hull", "sfx.utility.hull_patch"],
  [36, 41, "jettison", "sfx.utility.jettison"],
  [42, 42, "dock", "sfx.station.dock"],
  [43, 60, "sell", "sfx.station.sell"],
  [61, 66, "station.confirm", "sfx.station.buy"],
  [67, 67, "station.overhaul", "sfx.station.overhaul"],
  [68, 68, "ui.run_end", "sfx.ui.run_end"],
];

export const DEFAULT_EFFECTS: EffectsManifest = {
  version: 1,
  actions: ACTIONS.flatMap(([first, last, vfx, cue]) =>
    Array.from({ length: last - first + 1 }, (_, i) => ({ id: first + i, vfx: `vfx.${vfx}`, cue })),
  ),
  events: {
    invalid_action: { vfx: "vfx.warning.alert", cue: "ui.error" },
    pirate_encounter: { vfx: "vfx.warning.alert", cue: "sfx.event.pirate_alarm" },
    overheat_tick: { vfx: "vfx.event.overheat", cue: "sfx.event.overheat_alarm" },
    fracture: { vfx: "vfx.explosion.medium", cue: "sfx.event.explosion" },
    stranded: { vfx: "vfx.event.engine_fail", cue: "sfx.event.engine_fail" },
    destroyed: { vfx: "vfx.explosion.large", cue: "sfx.event.big_explosion" },
    terminated: { vfx: "vfx.explosion.medium", cue: "sfx.event.explosion" },
    truncated: { vfx: "vfx.ui.run_end", cue: "sfx.ui.run_end" },
    cash_out: { vfx: "vfx.ui.run_end", cue: "sfx.ui.run_end" },
  },
};
