/** What happened, as sentences. */

import type { Decision, Happening, SeedSeen } from "../../api/growth";
import { figure } from "../../shell/figures";
import type { Moment } from "./episode";
import { lookOf, opLook } from "./stages";

const text = (value: unknown): string => (typeof value === "string" ? value : "");
const number = (value: unknown): number | null => (typeof value === "number" ? value : null);
const list = (value: unknown): string =>
  Array.isArray(value) ? value.map((one) => spaced(String(one))).join(", ") : "";

export function spaced(name: string): string {
  return name.replaceAll("_", " ");
}

/** A difference of accuracies. */
export function gain(value: number): string {
  return `${value > 0 ? "+" : ""}${value.toFixed(1)}`;
}

export function points(value: number | null | undefined): string {
  return value === null || value === undefined ? "–" : `${gain(value)} points`;
}

export function accuracy(value: number | null | undefined): string {
  return value === null || value === undefined ? "–" : `${value.toFixed(1)} %`;
}

/** What an event of a host says beyond its name. */
export function wordsOf(event: Happening): string {
  const who = [text(event.slot_id), spaced(text(event.blueprint))].filter(Boolean).join(" ");
  const rest = sentence(event);
  return [who, rest].filter(Boolean).join(": ");
}

function sentence(event: Happening): string {
  switch (event.kind) {
    case "SEED_GERMINATED":
      return `${figure(number(event["params"]))} parameters`;
    case "SEED_STAGE_CHANGED":
      return because(
        `${lookOf(text(event["before"])).name} → ${lookOf(text(event["after"])).name}`,
        event,
      );
    case "SEED_GATE_EVALUATED":
      return gate(event);
    case "SEED_FOSSILIZED":
      return `${points(number(event["contribution"]))}, ${figure(number(event["params"]))} parameters`;
    case "SEED_PRUNED":
      return because(`${points(number(event["contribution"]))}`, event);
    case "VIOLATION_RECORDED":
      return list(event["violations"]);
    case "GOVERNOR_ROLLBACK":
      return because(`loss ${figure(number(event["loss"]))}`, event);
    case "GRADIENT_PATHOLOGY_DETECTED":
      return `norm ${figure(number(event["norm"]))}`;
    case "GRADIENT_ANOMALY":
      return event["blocked_by"] ? `blocked by ${text(event["blocked_by"])}` : "";
    case "REWARD_HACKING_SUSPECTED":
      return spaced(text(event["pattern"]));
    case "TOPOLOGY_MANIFEST_RECORDED":
      return Array.isArray(event["parts"]) ? `${event["parts"].length} seeds kept` : "";
    default:
      return text(event["reason"]);
  }
}

function because(what: string, event: Happening): string {
  const reason = spaced(text(event["reason"]));
  return reason ? `${what} (${reason})` : what;
}

function gate(event: Happening): string {
  const passed = list(event["checks_passed"]);
  const failed = list(event["checks_failed"]);
  return [
    `${text(event["gate"])} ${event["passed"] === true ? "opened" : "stayed shut"}`,
    passed && `passed ${passed}`,
    failed && `failed ${failed}`,
    text(event["message"]),
  ]
    .filter(Boolean)
    .join("; ");
}

export function decisionWords(decision: Decision): string {
  const what = opLook(decision.op).name;
  const about = [decision.blueprint && spaced(decision.blueprint), decision.slot_id]
    .filter(Boolean)
    .join(" in ");
  const refused = decision.success
    ? ""
    : ` (refused${decision.reason ? `: ${spaced(decision.reason)}` : ""})`;
  return `${what}${about ? ` ${about}` : ""}${refused}`;
}

function seedWords(seed: SeedSeen): string {
  const share = seed.alpha > 0 ? `, alpha ${seed.alpha.toFixed(2)}` : "";
  const worth = seed.contribution === null ? "" : `, worth ${points(seed.contribution)}`;
  return `${seed.slot_id} ${spaced(seed.blueprint)} ${lookOf(seed.stage).name}${share}${worth}`;
}

/** The whole picture for somebody who cannot see it. */
export function pictureWords(moment: Moment | null): string {
  if (!moment) return "The network before its first epoch";
  const seeds = [...moment.seeds.values()].map(seedWords);
  const shown = seeds.length ? seeds.join("; ") : "every slot is empty";
  const decided = moment.decision ? `. Decided: ${decisionWords(moment.decision)}` : "";
  return `The network at the end of epoch ${moment.epoch}: ${shown}${decided}`;
}
