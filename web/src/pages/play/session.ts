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
  /** Somebody ended the game; none starts by itself after that. */
  ended: boolean;
  reel: Reel;
  start: (body: NewSession) => void;
  step: (action: number | number[][]) => Promise<boolean>;
  undo: () => void;
  reset: (seed?: number) => void;
  end: () => void;
}

/** `wanted` is played unless a game that fits it can be gone on with. */
export function useGame(wanted: Wanted): Game {
  const notify = useNotify();
  const reel = useMemo(() => new Reel(), []);
  const [session, setSession] = useState<Session | null>(null);
  const [error, setError] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);
  const [ended, setEnded] = useState(false);
  const arrived = useRef(false);
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
    if (arrived.current) return;
    arrived.current = true;
    void send(() => arrive(wanted), true);
  }, [send, wanted]);

  // A game in which something was done is there again when its player comes back; an untouched
  // one would only take a place on the server.
  useEffect(() => {
    const leave = () => {
      if (current.current?.steps !== 0) return;
      void play.end(current.current.session_id).catch(() => undefined);
      current.current = null;
      forget();
    };
    window.addEventListener("pagehide", leave);
    return () => {
      window.removeEventListener("pagehide", leave);
      leave();
    };
  }, []);

  const id = session?.session_id ?? "";
  return {
    session,
    error,
    busy,
    ended,
    reel,
    start: (body) => {
      const before = current.current;
      void send(() => play.create(body), true).then((made) => {
        setEnded(false);
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
      setEnded(true);
    },
  };
}

/** What the page was asked for; without a seed any game of that world will do. */
export interface Wanted {
  world: string;
  /** Whether the world was named, or only is the usual one. */
  named: boolean;
  seed: number | null;
}

async function arrive(wanted: Wanted): Promise<Session> {
  const kept = sessionStorage.getItem(KEY);
  const found = kept ? await play.read(kept).catch(() => null) : null;
  if (found && fits(found, wanted)) return found;
  const { world, seed } = wanted;
  const made = await play.create({ world, ...(seed === null ? {} : { seed }) });
  if (found) void play.end(found.session_id).catch(() => undefined);
  return made;
}

export function fits(session: Session, { world, named, seed }: Wanted): boolean {
  return (!named || session.world === world) && (seed === null || session.seed === seed);
}

function forget(): void {
  sessionStorage.removeItem(KEY);
}

function isGone(failure: unknown): boolean {
  return failure instanceof ApiError && failure.fault === "missing";
}
