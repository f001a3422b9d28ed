/** A run in which networks grow, followed while it runs. */

import { useCallback, useEffect, useRef, useState } from "react";
import { growth, type GrowthOverview, type WorldEvent } from "../../api/growth";
import { isAbort } from "../../api/errors";
import { useNews } from "../../shell/live";
import { useResource, type Resource } from "../../shell/resource";
import type { Chosen } from "./choosing";

export function useGrowth(run: string | null): Resource<GrowthOverview> {
  const told = useResource(run && `growth ${run}`, (signal) => growth.overview(run ?? "", signal));
  const { reload } = told;
  useNews(
    useCallback(
      (news) => {
        const ours =
          (news.kind === "growth" && news.run_id === run) ||
          (news.kind === "run" && news.run.run_id === run);
        if (ours || news.kind === "reset") reload();
      },
      [run, reload],
    ),
  );
  return told;
}

export interface Followed {
  /** Names the episode the events are of. */
  key: string;
  edition: string;
  offset: number;
  damaged: number;
  events: WorldEvent[];
  error: unknown;
}

/** One for all: a new list at every look would read as news. */
const NO_EVENTS: WorldEvent[] = [];

const nothing = (key: string): Followed => ({
  ...{ key, edition: "", offset: 0, damaged: 0, events: NO_EVENTS, error: null },
});

/** All events of an episode; whenever the run has written more, only what is new is asked for. */
export function useFollowed(run: string | null, chosen: Chosen | null, news: string): Followed {
  const key = run && chosen ? `${run}/${chosen.env}/${chosen.episode}` : "";
  const [held, setHeld] = useState(() => nothing(key));
  const latest = useRef(held);
  useEffect(() => {
    if (!run || !chosen) return;
    const leaving = new AbortController();
    const begun = latest.current.key === key ? latest.current : nothing(key);
    const show = (next: Followed) => {
      if (leaving.signal.aborted) return;
      latest.current = next;
      setHeld(next);
    };
    gathered(run, chosen, begun, leaving.signal).then(show, (error: unknown) => {
      if (!isAbort(error)) show({ ...begun, error });
    });
    return () => leaving.abort();
    // The texts say everything about what is asked for.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [key, news]);
  return held.key === key ? held : nothing(key);
}

/** From where it stood to the end; from the beginning where the file was cut back. */
export async function gathered(
  run: string,
  chosen: Chosen,
  from: Followed,
  signal: AbortSignal,
): Promise<Followed> {
  let held: Followed = { ...from, error: null };
  for (;;) {
    const page = await growth.events(run, chosen.env, chosen.episode, held.offset, signal);
    if (held.edition !== "" && page.edition !== held.edition) {
      held = nothing(held.key);
      continue;
    }
    held = {
      ...held,
      edition: page.edition,
      offset: page.next_offset,
      damaged: held.damaged + page.damaged,
      events: page.count > 0 ? [...held.events, ...page.events] : held.events,
    };
    if (!page.has_more) return held;
  }
}
