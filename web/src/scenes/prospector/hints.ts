// What an action costs or brings right now, from what the ship sees. Pure.

import type { Frame } from "../../api/types";
import { mixture, percent } from "./gauges";
import { threatOf } from "./minimap";
import { COMMODITY_WORDS, LANE_COUNT, ROCK_COUNT, sightOf, type Sight } from "./reading";

const SELECT_AT = 12;
const JETTISON_AT = 36;
const SELL_AT = 43;
const LOTS = [0.25, 0.5, 1];

const GOALS = { station: "home", cluster: "rocks", hazard: "a hazard" } as const;
const THREATS = { low: "quiet", middle: "may be watched", high: "dangerous" } as const;

export function hint(frame: Frame, action: number): string | null {
  const sight = sightOf(frame);
  if (action < LANE_COUNT) return laneHint(sight, action);
  if (action >= SELECT_AT && action < SELECT_AT + ROCK_COUNT) {
    return rockHint(sight, action - SELECT_AT);
  }
  if (action >= JETTISON_AT && action < SELL_AT - 1) {
    return cargoHint(sight, action - JETTISON_AT, 1, "");
  }
  const lot = action - SELL_AT;
  if (lot < 0 || lot >= COMMODITY_WORDS.length * LOTS.length) return null;
  const commodity = Math.floor(lot / LOTS.length);
  const price = sight.market.priceShares[commodity] ?? 0;
  // The observation cannot show more than the base price.
  const worth = ` at ${percent(price)} of base price${price >= 1 ? " or more" : ""}`;
  return cargoHint(sight, commodity, LOTS[lot % LOTS.length] ?? 1, worth);
}

function laneHint({ lanes }: Sight, slot: number): string | null {
  const lane = lanes[slot];
  if (!lane?.exists) return null;
  const ticks = lane.ticks === 1 ? "1 tick" : `${lane.ticks} ticks`;
  return `To ${GOALS[lane.kind]}: ${ticks}, ${Math.round(lane.fuel)} fuel; ${THREATS[threatOf(lane)]}`;
}

function rockHint({ rocks }: Sight, slot: number): string | null {
  const rock = rocks[slot];
  if (!rock?.exists) return null;
  return `${mixture(rock)}; ${percent(1 - rock.depletion)} left, ${percent(rock.confidence)} sure`;
}

function cargoHint({ ship }: Sight, commodity: number, share: number, worth: string): string {
  const units = (ship.cargoUnits[commodity] ?? 0) * share;
  if (units < 0.05) return "None in the hold";
  return `${units < 10 ? units.toFixed(1) : Math.round(units)} units${worth}`;
}
