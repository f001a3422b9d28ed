/** People of a made-up town, as a portrait lists them. */

import type { Citizen, Place, Tie } from "../../src/scenes/townlet/town";

const NAMES = ["alice", "bob", "carol", "dave", "erin", "frank", "grace", "heidi"];
const PROFILES = ["socialite", "industrious", "stoic", "balanced"];
export const JOBS = [
  { id: "grocer", start: 180, end: 360, wage: 0.02, site: [33, 25] as Place },
  { id: "barista", start: 400, end: 560, wage: 0.0225, site: [12, 29] as Place },
  { id: "clerk", start: 600, end: 780, wage: 0.02, site: [35, 35] as Place },
] as const;

export function resident(seat: number, generation = 0, serial = seat): Citizen {
  const name = NAMES[seat % NAMES.length] ?? "resident";
  return {
    seat,
    id: generation === 0 ? name : `${name}#${generation}`,
    serial,
    position: generation === 0 ? [4 + 4 * seat, 5] : [2, 24],
    option: "Wait",
    needs: {
      hunger: 0.45 + 0.06 * ((seat * 3) % 8),
      hygiene: 0.5 + 0.05 * ((seat * 5) % 8),
      energy: 0.55 + 0.05 * ((seat * 7) % 8),
    },
    wallet: 3 + (seat % 3),
    inventory: { food_raw: seat % 2, meal: 0, clothes_clean: 1 },
    profile: generation > 0 ? "newcomer" : (PROFILES[seat % PROFILES.length] ?? "balanced"),
    traits: [0.2, 0, -0.1],
    since: 0,
    running: null,
    runs_from: 0,
    runs_until: 0,
    target: null,
    holding: null,
    waiting: null,
    bed: null,
    job: {
      job_id: JOBS[seat % JOBS.length]?.id ?? null,
      shift_state: "pre",
      attendance_ratio: 1,
      lateness_counter: 0,
      absent_shifts_7d: 0,
      wages_withheld: 0,
      wages_earned: 0,
      exit_pending: false,
    },
    ties: firstTies(seat),
    hospital: false,
    possessed: false,
    argues_with: null,
    spirals: false,
    leaving: "",
  };
}

function firstTies(seat: number): Tie[] {
  const friend = NAMES[(seat + 1) % NAMES.length] ?? "";
  const rival = NAMES[(seat + 3) % NAMES.length] ?? "";
  return [
    { other: friend, trust: 0.15 + 0.08 * (seat % 5), familiarity: 0.4, rivalry: 0 },
    { other: rival, trust: 0, familiarity: 0.1, rivalry: seat % 2 === 0 ? 0.55 : 0.08 },
  ];
}
