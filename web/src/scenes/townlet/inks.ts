/** The town's colours, by theme and by identity. */

import type { Theme } from "../scene";
import type { VenueName } from "./venues";

export interface Inks {
  beyond: string;
  ground: string;
  tuft: string;
  grid: string;
  venues: Record<VenueName, { floor: string; edge: string }>;
  label: string;
  labelHalo: string;
  thing: string;
  thingSoft: string;
  thingLine: string;
  wood: string;
  woodEdge: string;
  night: string;
  dusk: string;
  rain: string;
  frost: string;
  lamp: string;
  card: string;
  text: string;
  muted: string;
  good: string;
  warn: string;
  bad: string;
  gold: string;
}

export const INKS: Record<Theme, Inks> = {
  dark: {
    beyond: "#0b1220",
    ground: "#2c4636",
    tuft: "#3a5a44",
    grid: "rgb(255 255 255 / 4%)",
    venues: {
      home: { floor: "#5b4a3c", edge: "#8a6f55" },
      gym: { floor: "#2f4f66", edge: "#5c8fb0" },
      cafe: { floor: "#69453f", edge: "#b5776a" },
      grocer: { floor: "#5a5c33", edge: "#a5a85c" },
      office: { floor: "#48466a", edge: "#827fba" },
      park: { floor: "#37643f", edge: "#66a370" },
      bus: { floor: "#48515f", edge: "#8494a8" },
    },
    label: "#f3f0e6",
    labelHalo: "rgb(8 12 22 / 82%)",
    thing: "#e9e2d0",
    thingSoft: "#b9ad95",
    thingLine: "#1b1d26",
    wood: "#cf9a6b",
    woodEdge: "#5d3a24",
    night: "#7d8ac8",
    dusk: "#e8a878",
    rain: "#a9c8ec",
    frost: "#dcecff",
    lamp: "255 205 120",
    card: "rgb(12 19 38 / 86%)",
    text: "#e9eefb",
    muted: "#a3b1d3",
    good: "#74d7a3",
    warn: "#f4b75f",
    bad: "#ff938a",
    gold: "#f3c971",
  },
  light: {
    beyond: "#d8d4c6",
    ground: "#cfe0b4",
    tuft: "#b6cf95",
    grid: "rgb(0 0 0 / 4%)",
    venues: {
      home: { floor: "#ecd9bd", edge: "#b08b57" },
      gym: { floor: "#cbe2ef", edge: "#5b93b4" },
      cafe: { floor: "#f2cfc3", edge: "#b96f5b" },
      grocer: { floor: "#ebe7ad", edge: "#9a963c" },
      office: { floor: "#dad7f1", edge: "#7a75b8" },
      park: { floor: "#b2da9f", edge: "#5c9a4a" },
      bus: { floor: "#d5d9e0", edge: "#7d8896" },
    },
    label: "#22283a",
    labelHalo: "rgb(255 253 249 / 85%)",
    thing: "#fffdf6",
    thingSoft: "#d8ccb0",
    thingLine: "#4a4436",
    wood: "#9a6238",
    woodEdge: "#5d3a24",
    night: "#7080cc",
    dusk: "#f3c096",
    rain: "#4f7fb5",
    frost: "#eaf4ff",
    lamp: "255 226 150",
    card: "rgb(255 253 249 / 90%)",
    text: "#1b2338",
    muted: "#525c77",
    good: "#1c6e43",
    warn: "#8d5200",
    bad: "#b3261e",
    gold: "#8a5a00",
  },
};

/** Bright enough for dark writing on every one of them. */
const COATS = [
  "#ffb454",
  "#7cc7ff",
  "#a4e17a",
  "#ff9aa9",
  "#c9a8ff",
  "#5fe0cf",
  "#ffe06b",
  "#ff9d6e",
  "#9fb6ff",
  "#f5a3dd",
  "#c3d96a",
  "#8fe3ff",
];
export const COAT_INK = "#171a26";

/** Somebody's colour, for as long as they live here. */
export function coatOf(serial: number): string {
  return COATS[((serial % COATS.length) + COATS.length) % COATS.length] ?? "#cccccc";
}
