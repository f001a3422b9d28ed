/** One event: its sign, its name, and what it says. */

import type { Happening, Kinds } from "../../api/growth";
import { severityOf } from "./episode";
import { wordsOf } from "./words";

const SIGNS = { debug: "·", info: "•", warning: "▲", error: "▲", critical: "▲" } as const;

export function EventLine({ event, kinds }: { event: Happening; kinds: Kinds }) {
  const severity = severityOf(event, kinds);
  return (
    <>
      <span className={`event-sign severity-${severity}`} aria-hidden="true">
        {SIGNS[severity]}
      </span>
      <span className="grow">
        <b>{kinds[event.kind]?.label ?? event.kind}</b>{" "}
        <span className="muted small">{wordsOf(event)}</span>
      </span>
    </>
  );
}
