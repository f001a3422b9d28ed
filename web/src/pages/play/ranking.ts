import type { Outcome, OutcomeTable } from "../../api/types";

export interface Place {
  name: string;
  kind: "you" | "bot" | "oracle" | "policy";
  outcome: Outcome;
  /** Of the way from the worst return to the best, 0 to 1. */
  share: number;
}

/** Everybody by return, best first; on ties you come first. */
export function ranking(table: OutcomeTable): Place[] {
  const all = [{ name: "You", kind: "you" as const, outcome: table.you }, ...table.players];
  const returns = all.map((one) => one.outcome.return_total);
  const least = Math.min(...returns);
  const reach = Math.max(...returns) - least;
  return all
    .map((one) => ({
      ...one,
      share: reach > 0 ? (one.outcome.return_total - least) / reach : 1,
    }))
    .sort((a, b) => b.outcome.return_total - a.outcome.return_total);
}
