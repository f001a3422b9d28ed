/** What is worth a mark on the scrubber: comings and goings, the city's events, new days. */

import type { Frame } from "../../api/types";
import type { FrameEvent } from "../../player/keyframes";
import { chronicleOf } from "./chronicle";
import { tell } from "./event_words";
import { townOf } from "./town";
import { nameOf } from "./words";

const NOTABLE = new Set([
  "agent_spawned",
  "agent_removed",
  "agent_killed",
  "agent_hospitalised",
  "agent_near_death",
  "shared_meal",
  "job_late",
  "shift_absent",
  "employment_exit_processed",
  "rent_missed",
  "perturbation_price_spike",
  "perturbation_blackout",
  "perturbation_outage",
  "perturbation_arranged_meet",
  "perturbation_facility_closure",
]);

export function moments(frames: readonly Frame[]): FrameEvent[] {
  const chronicle = chronicleOf(frames);
  const told = chronicle.events
    .filter(({ event }) => NOTABLE.has(event.event))
    .map(({ frame, event }): FrameEvent => {
      const { text, tone } = tell(event);
      return { frame, name: text, tone };
    });
  const days = chronicle.days.map(({ frame, day }): FrameEvent => ({
    frame,
    name: `Day ${day + 1}`,
    tone: "plain",
  }));
  return [...told, ...days].sort((a, b) => a.frame - b.frame);
}

/** Who sits in a seat at a frame. */
export function agentName(frame: Frame, seat: number): string | null {
  const town = townOf(frame);
  const citizen = town?.agents.find((one) => one.seat === seat);
  return citizen ? nameOf(citizen.id) : town && `Seat ${seat + 1}, free`;
}
