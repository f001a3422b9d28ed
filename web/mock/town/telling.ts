/** People and things as a portrait tells them: under their ids, without what does not apply. */

import type { Citizen, Thing } from "../../src/scenes/townlet/town";

export function toldCitizen(citizen: Citizen): Record<string, unknown> {
  const ties = Object.fromEntries(citizen.ties.map(({ other, ...tie }) => [other, tie]));
  return { ...applying(citizen), ties };
}

export function toldThing(thing: Thing): Record<string, unknown> {
  return applying(thing);
}

function applying(entries: object): Record<string, unknown> {
  const unsaid: unknown[] = [null, false, ""];
  const said = Object.entries(entries).filter(
    ([key, value]) => key !== "id" && !unsaid.includes(value),
  );
  return Object.fromEntries(said);
}
