/** A step again and again, until it stops being possible or something happens. */

import { useEffect, useRef, useState } from "react";
import type { Session } from "../../api/types";

export interface AutoRun {
  running: boolean;
  rate: number;
  setRate: (rate: number) => void;
  start: () => void;
  stop: () => void;
}

export interface Repeated {
  again: () => void;
  possible: (session: Session) => boolean;
  /** Whether an event is worth a pause: where much happens at once it is not. */
  heedsEvents: boolean;
}

export function useAutoRun(session: Session, repeated: Repeated): AutoRun {
  const [running, setRunning] = useState(false);
  const [rate, setRate] = useState(4);
  const latest = useRef({ session, repeated });
  useEffect(() => {
    latest.current = { session, repeated };
  });
  useEffect(() => {
    if (!running) return;
    const timer = setInterval(() => {
      const { session: now, repeated: held } = latest.current;
      if (now.over || !held.possible(now)) return setRunning(false);
      held.again();
    }, 1000 / rate);
    return () => clearInterval(timer);
  }, [running, rate]);
  const eventful = repeated.heedsEvents && (session.frame?.events.length ?? 0) > 0;
  useEffect(() => {
    if (eventful || session.over) setRunning(false);
  }, [eventful, session.over, session.steps]);
  return {
    running,
    rate,
    setRate,
    start: () => setRunning(true),
    stop: () => setRunning(false),
  };
}
