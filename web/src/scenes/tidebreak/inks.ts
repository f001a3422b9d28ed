/** The colours of a naval plot, by theme. */

import type { Theme } from "../scene";

export interface Inks {
  beyond: string;
  sea: string;
  seaLit: string;
  grid: string;
  gridText: string;
  edge: string;
  land: string;
  landEdge: string;
  storm: string;
  zone: string;
  /** By the order of teams in the battle. */
  teams: readonly string[];
  unknown: string;
  hullLine: string;
  wake: string;
  fire: string;
  water: string;
  burst: string;
  label: string;
  halo: string;
  card: string;
  text: string;
  muted: string;
  good: string;
  warn: string;
  bad: string;
  gold: string;
  /** Red, green, blue of the loudest noise. */
  noise: readonly [number, number, number];
}

export const INKS: Record<Theme, Inks> = {
  dark: {
    beyond: "#070d18",
    sea: "#0c1c2b",
    seaLit: "#12293b",
    grid: "rgb(150 190 220 / 9%)",
    gridText: "rgb(160 190 215 / 62%)",
    edge: "rgb(150 190 220 / 34%)",
    land: "#2c352f",
    landEdge: "#69776a",
    storm: "176 188 220",
    zone: "#c9a5f5",
    teams: ["#7cbcff", "#ff9d8c", "#8fd694", "#e6c66e"],
    unknown: "#c3cedd",
    hullLine: "#08121d",
    wake: "200 226 240",
    fire: "#ff9c4a",
    water: "#63c8e6",
    burst: "255 214 140",
    label: "#dfeaf5",
    halo: "rgb(6 12 22 / 84%)",
    card: "rgb(10 18 32 / 88%)",
    text: "#e9eefb",
    muted: "#a3b1d3",
    good: "#74d7a3",
    warn: "#f4b75f",
    bad: "#ff938a",
    gold: "#f3c971",
    noise: [240, 196, 110],
  },
  light: {
    beyond: "#d3d9da",
    sea: "#dfeaec",
    seaLit: "#edf4f4",
    grid: "rgb(40 80 100 / 10%)",
    gridText: "rgb(50 80 95 / 78%)",
    edge: "rgb(40 80 100 / 38%)",
    land: "#e9dfc4",
    landEdge: "#a08f63",
    storm: "92 104 132",
    zone: "#7a4bb8",
    teams: ["#1d5fae", "#b33a2a", "#2f7d3b", "#8a5a00"],
    unknown: "#4c5869",
    hullLine: "#ffffff",
    wake: "255 255 255",
    fire: "#d35400",
    water: "#0b7a9e",
    burst: "214 120 20",
    label: "#1b2b3a",
    halo: "rgb(248 252 252 / 86%)",
    card: "rgb(255 253 249 / 92%)",
    text: "#1b2338",
    muted: "#525c77",
    good: "#1c6e43",
    warn: "#8d5200",
    bad: "#b3261e",
    gold: "#8a5a00",
    noise: [176, 92, 20],
  },
};

export function teamInk(inks: Inks, teams: readonly { name: string }[], team: string): string {
  const at = teams.findIndex((one) => one.name === team);
  return inks.teams[at] ?? inks.unknown;
}
