/** The selected action again and again, until it stops being possible or something happens. */

import { useEffect, useRef, useState } from "react";
import type { Session } from "../../api/types";

export interface AutoRun {
  running: boolean;
  rate: number;
  setRate: (rate: number) => void;
  start: () => void;
  stop: () => void;
}

export function useAutoRun(
  act: (action: number) => Promise<boolean>,
  session: Session,
  action: number | null,
): AutoRun {
  const [running, setRunning] = useState(false);
  const [rate, setRate] = useState(4);
  const latest = useRef({ act, session, action });
  useEffect(() => {
    latest.current = { act, session, action };
  });
  useEffect(() => {
    if (!running) return;
    const timer = setInterval(() => {
      const { act: again, session: now, action: chosen } = latest.current;
      const possible = chosen !== null && (now.legal[0]?.[chosen] ?? false) && !now.over;
      if (!possible) return setRunning(false);
      void again(chosen);
    }, 1000 / rate);
    return () => clearInterval(timer);
  }, [running, rate]);
  const eventful = (session.frame?.events.length ?? 0) > 0;
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
