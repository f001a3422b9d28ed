/** A war and its days; one that is still waged is looked at again and again. */

import { useEffect, useMemo } from "react";
import { wars } from "../../api/wars";
import { useResource } from "../../shell/resource";

const LOOK_EVERY_MS = 4000;

/** Days are shown as far as the summary goes, which a war writes every ten of them. */
export function useWar(war: string) {
  const told = useResource(`war ${war}`, (signal) => wars.one(war, signal));
  const days = useResource(`days ${war}`, (signal) => wars.days(war, 0, signal));
  const summary = told.value?.war;
  const fought = summary?.days ?? 0;
  const known = days.value?.length ?? null;
  const goesOn = summary !== undefined && (!summary.finished || (known ?? 0) < fought);

  const { reload } = told;
  useEffect(() => {
    if (!goesOn) return;
    const timer = setInterval(reload, LOOK_EVERY_MS);
    return () => clearInterval(timer);
  }, [goesOn, reload]);

  const { set } = days;
  useEffect(() => {
    if (known === null || known >= fought) return;
    const leaving = new AbortController();
    wars.days(war, known, leaving.signal).then(
      (more) => set((before) => [...before, ...more.filter((one) => one.day > before.length)]),
      () => undefined, // the next look asks again
    );
    return () => leaving.abort();
    // A new summary is a reason to ask again, also where it says the same.
  }, [war, known, fought, set, summary]);

  const shown = useMemo(() => days.value?.slice(0, fought) ?? null, [days.value, fought]);
  return { told, days, shown };
}
