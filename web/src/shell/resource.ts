/** Something loaded for a page: its state, and what it last was while it is loaded again. */

import { useCallback, useEffect, useState } from "react";
import { isAbort } from "../api/errors";

export interface Resource<T> {
  value: T | null;
  error: unknown;
  loading: boolean;
  /** The value is from before a reload that failed. */
  stale: boolean;
  reload: () => void;
  set: (update: (value: T) => T) => void;
}

interface Held<T> {
  key: string;
  value: T | null;
  error: unknown;
  loading: boolean;
}

/** Load what `key` names; a new key starts anew, `null` loads nothing. */
export function useResource<T>(
  key: string | null,
  load: (signal: AbortSignal) => Promise<T>,
): Resource<T> {
  const [attempt, setAttempt] = useState(0);
  const [held, setHeld] = useState<Held<T>>({
    key: key ?? "",
    value: null,
    error: null,
    loading: key !== null,
  });

  useEffect(() => {
    if (key === null) return;
    const leaving = new AbortController();
    setHeld((before) =>
      before.key === key
        ? { ...before, loading: true }
        : { key, value: null, error: null, loading: true },
    );
    load(leaving.signal).then(
      (value) => {
        if (!leaving.signal.aborted) setHeld({ key, value, error: null, loading: false });
      },
      (error: unknown) => {
        if (leaving.signal.aborted || isAbort(error)) return;
        setHeld((before) => ({ ...before, key, error, loading: false }));
      },
    );
    return () => leaving.abort();
    // The key says everything about what is loaded; a new closure is no reason to load again.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [key, attempt]);

  const reload = useCallback(() => setAttempt((n) => n + 1), []);
  const set = useCallback(
    (update: (value: T) => T) =>
      setHeld((before) =>
        before.value === null ? before : { ...before, value: update(before.value) },
      ),
    [],
  );
  const current = key !== null && held.key === key;
  return {
    value: current ? held.value : null,
    error: current ? held.error : null,
    loading: key !== null && (!current || held.loading),
    stale: current && held.error !== null && held.value !== null,
    reload,
    set,
  };
}
