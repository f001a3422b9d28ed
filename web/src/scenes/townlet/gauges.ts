/** The town's dials and facts: how all of them fare together. Pure. */

import type { Frame } from "../../api/types";
import type { Fact, Gauge } from "../scene";
import { feltBy, needOf, townOf, type Town } from "./town";
import { capital, clockOf, money } from "./words";

export function toneOfNeed(value: number): Gauge["tone"] {
  return value > 0.5 ? "good" : value > 0.2 ? "warn" : "bad";
}

function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((a, b) => a + b, 0) / values.length;
}

export function gauges(frame: Frame): Gauge[] {
  const town = townOf(frame);
  if (!town) return [];
  // The cold is felt by all of a town or by nobody.
  return feltBy(town.agents[0]).map((need) => {
    const value = mean(town.agents.map((citizen) => needOf(citizen, need)));
    return {
      label: capital(need),
      value,
      tone: toneOfNeed(value),
      text: `${Math.round(value * 100)} %`,
    };
  });
}

export function facts(frame: Frame): Fact[] {
  const town = townOf(frame);
  if (!town) return [];
  const queued = town.objects.reduce((sum, thing) => sum + thing.queue.length, 0);
  return [
    { label: "Day", text: `${town.day + 1}, ${clockOf(town.tod, town.ticks_per_day)}` },
    { label: "Residents", text: String(town.agents.length) },
    { label: "Money in purses", text: money(wealth(town)) },
    { label: "Waiting", text: String(queued) },
    { label: "Power", text: town.utilities.power ? "on" : "off" },
    { label: "Water", text: town.utilities.water ? "on" : "off" },
  ];
}

export function wealth(town: Town): number {
  return town.agents.reduce((sum, citizen) => sum + citizen.wallet, 0);
}
