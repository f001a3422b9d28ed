// The ship's dials and the facts beside them, in words. Pure.

import type { Frame } from "../../api/types";
import type { Fact, Gauge } from "../scene";
import { COMMODITY_WORDS, sightOf, type Rock, type Sight } from "./reading";

type Tone = Gauge["tone"];

const KIND_WORDS = { station: "Station", cluster: "Rock field", hazard: "Hazard field" } as const;

export function gauges(frame: Frame): Gauge[] {
  const { ship } = sightOf(frame);
  return [
    dial(
      "Fuel",
      ship.fuel,
      wanting(ship.fuel, 0.35, 0.15),
      `${Math.round(ship.fuel * 1000)} / 1000`,
    ),
    dial("Hull", ship.hull, wanting(ship.hull, 0.6, 0.3)),
    dial("Heat", ship.heat, rising(ship.heat, 0.55, 0.8)),
    dial("Tool", ship.tool, wanting(ship.tool, 0.5, 0.25)),
    dial("Cargo", ship.load, "plain", `${Math.round(ship.load * 200)} / 200`),
    dial("Alert", ship.alert, rising(ship.alert, 0.4, 0.7)),
    dial("Time", ship.time, wanting(ship.time, 0.15, 0.05), timeLeft(frame, ship.time)),
  ];
}

function dial(
  label: string,
  value: number,
  tone: Tone,
  text = `${Math.round(value * 100)} %`,
): Gauge {
  return { label, value: Math.min(1, Math.max(0, value)), tone, text };
}

/** Good while high. */
function wanting(value: number, warn: number, bad: number): Tone {
  return value <= bad ? "bad" : value <= warn ? "warn" : "good";
}

/** Good while low. */
function rising(value: number, warn: number, bad: number): Tone {
  return value >= bad ? "bad" : value >= warn ? "warn" : "good";
}

function timeLeft(frame: Frame, share: number): string {
  const ticks = figure(frame, "time_remaining");
  return ticks === null ? `${Math.round(share * 100)} %` : `${Math.round(ticks)} ticks`;
}

export function facts(frame: Frame): Fact[] {
  const sight = sightOf(frame);
  const { ship } = sight;
  const list: Fact[] = [
    { label: "Credits", text: whole(ship.credits) },
    { label: "Profit", text: whole(figure(frame, "net_profit") ?? ship.credits) },
    { label: "Where", text: whereText(sight) },
    {
      label: "Supplies",
      text: `${ship.repairKits} kits, ${ship.stabilizers} stabilizers, ${ship.decoys} decoys`,
    },
    { label: "Hold", text: holdText(sight) },
    { label: "Rock", text: rockText(sight) },
  ];
  const encounters = figure(frame, "pirate_encounters");
  if (encounters !== null) {
    const lost = figure(frame, "value_lost_to_pirates") ?? 0;
    list.push({ label: "Pirates", text: `${encounters} met, ${whole(lost)} lost` });
  }
  return [...list, ...marketFacts(sight)];
}

function figure(frame: Frame, name: string): number | null {
  const told: unknown = frame.info?.[name] ?? frame.render_state[name];
  return typeof told === "number" ? told : null;
}

function whole(value: number): string {
  return Math.round(value).toLocaleString("en");
}

function whereText({ place }: Sight): string {
  if (place.atStation) return "Docked at the station";
  const hops = place.hopsToStation === 1 ? "1 lane" : `${place.hopsToStation} lanes`;
  return `${KIND_WORDS[place.kind]} ${place.index}, ${hops} from home`;
}

function holdText({ ship }: Sight): string {
  const parts = ship.cargoUnits.flatMap((units, commodity) =>
    units >= 0.5 ? [`${Math.round(units)} ${COMMODITY_WORDS[commodity] ?? ""}`] : [],
  );
  return parts.length > 0 ? parts.join(", ") : "empty";
}

function rockText({ rocks, selected }: Sight): string {
  const rock = rocks[selected];
  if (!rock) return "none selected";
  if (rock.depletion >= 0.999) return `${selected + 1}, spent`;
  return `${selected + 1}, ${mixture(rock)}; ${percent(1 - rock.depletion)} left, stability ${percent(rock.stability)}, ${percent(rock.confidence)} sure`;
}

export function mixture(rock: Rock): string {
  return rock.composition
    .map((share, commodity) => ({ share, name: COMMODITY_WORDS[commodity] ?? "" }))
    .sort((a, b) => b.share - a.share)
    .slice(0, 2)
    .map(({ share, name }) => `${percent(share)} ${name}`)
    .join(", ");
}

export function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}

function marketFacts({ market }: Sight): Fact[] {
  return COMMODITY_WORDS.map((name, commodity) => {
    const change = market.changeCredits[commodity] ?? 0;
    const arrow = change > 0.05 ? "▲" : change < -0.05 ? "▼" : "▬";
    const stock = market.stockUnits[commodity];
    const held = stock === null || stock === undefined ? "" : `, ${Math.round(stock)} in stock`;
    const price = market.priceShares[commodity] ?? 0;
    return {
      label: `${name.charAt(0).toUpperCase()}${name.slice(1)} price`,
      // The observation cannot show more than the base price.
      text: `${price >= 1 ? "≥ " : ""}${percent(price)} of base ${arrow} ${Math.abs(change).toFixed(1)}${held}`,
    };
  });
}
