/** The game in hand: one request at a time, kept across a reload of the page. */

import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { play, type NewSession } from "../../api/client";
import { ApiError, messageOf } from "../../api/errors";
import type { Session } from "../../api/types";
import { frameOfSession, Reel } from "../../player/reel";
import { useNotify } from "../../shell/toasts";

const KEY = "astrarium.session";

export interface Game {
  session: Session | null;
  /** What stops the game from being shown at all. */
  error: unknown;
  busy: boolean;
  /** Looked for a game to go on with, and found none. */
  idle: boolean;
  reel: Reel;
  start: (body: NewSession) => void;
  step: (action: number) => Promise<boolean>;
  undo: () => void;
  reset: (seed?: number) => void;
  end: () => void;
}

export function useGame(): Game {
  const notify = useNotify();
  const reel = useMemo(() => new Reel(), []);
  const [session, setSession] = useState<Session | null>(null);
  const [error, setError] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);
  const [idle, setIdle] = useState(false);
  const flying = useRef(false);
  const current = useRef<Session | null>(null);

  const take = useCallback(
    (next: Session, still: boolean) => {
      current.current = next;
      sessionStorage.setItem(KEY, next.session_id);
      reel.push(frameOfSession(next), still);
      setSession(next);
      setError(null);
    },
    [reel],
  );

  /** One request in flight at a time; a second one is not sent. */
  const send = useCallback(
    async (ask: () => Promise<Session>, still: boolean): Promise<boolean> => {
      if (flying.current) return false;
      flying.current = true;
      setBusy(true);
      try {
        take(await ask(), still);
        return true;
      } catch (failure) {
        if (current.current && !isGone(failure)) notify(messageOf(failure), "bad");
        else {
          forget();
          current.current = null;
          setSession(null);
          setError(failure);
        }
        return false;
      } finally {
        flying.current = false;
        setBusy(false);
      }
    },
    [notify, take],
  );

  useEffect(() => {
    const kept = sessionStorage.getItem(KEY);
    if (!kept) return setIdle(true);
    let left = false;
    play.read(kept).then(
      (found) => !left && take(found, true),
      () => {
        if (left) return;
        forget();
        setIdle(true);
      },
    );
    return () => {
      left = true;
    };
  }, [take]);

  const id = session?.session_id ?? "";
  return {
    session,
    error,
    busy,
    idle: idle && session === null,
    reel,
    start: (body) => {
      const before = current.current;
      void send(() => play.create(body), true).then((made) => {
        if (made && before) void play.end(before.session_id).catch(() => undefined);
      });
    },
    step: (action) => send(() => play.step(id, action), false),
    undo: () => void send(() => play.undo(id), true),
    reset: (seed) => void send(() => play.reset(id, seed), true),
    end: () => {
      void play.end(id).catch(() => undefined);
      forget();
      current.current = null;
      setSession(null);
      setIdle(true);
    },
  };
}

function forget(): void {
  sessionStorage.removeItem(KEY);
}

function isGone(failure: unknown): boolean {
  return failure instanceof ApiError && failure.fault === "missing";
}
