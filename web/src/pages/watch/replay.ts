/** One replay on its way into the page. */

import { useCallback, useEffect, useMemo, useState, useSyncExternalStore } from "react";
import { api } from "../../api/client";
import { fill, FrameBuffer, type ReplayAddress, type Transport } from "../../api/frames";
import type { ReplayEntry, Timeline } from "../../api/types";
import { useResource, type Resource } from "../../shell/resource";

export interface LoadedReplay {
  address: ReplayAddress;
  buffer: FrameBuffer;
  length: number;
  timeline: Resource<Timeline>;
  entry: Resource<ReplayEntry>;
  error: unknown;
  retry: () => void;
}

export function useReplay(
  address: ReplayAddress | null,
  transport: Transport,
): LoadedReplay | null {
  const key = address ? `${address.run}/${address.replay}` : null;
  // A new address gets a new buffer; the same one keeps what it has when the transport changes.
  const buffer = useMemo(() => new FrameBuffer(), [key]); // eslint-disable-line react-hooks/exhaustive-deps
  const [failed, setFailed] = useState<{ buffer: FrameBuffer; error: unknown } | null>(null);
  const [attempt, setAttempt] = useState(0);
  const timeline = useResource(key && `timeline ${key}`, (signal) =>
    api.timeline(address?.run ?? "", address?.replay ?? "", signal),
  );
  const entry = useResource(key && `entry ${key}`, (signal) =>
    api.replay(address?.run ?? "", address?.replay ?? "", signal),
  );

  useEffect(() => {
    if (!address) return;
    const leaving = new AbortController();
    setFailed(null);
    fill(buffer, address, { transport, signal: leaving.signal }).catch((error: unknown) =>
      setFailed({ buffer, error }),
    );
    return () => leaving.abort();
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [key, buffer, transport, attempt]);

  const length = useSyncExternalStore(
    useCallback((listener) => buffer.subscribe(listener), [buffer]),
    () => buffer.length,
  );
  const retry = useCallback(() => setAttempt((n) => n + 1), []);
  if (!address) return null;
  const error = failed?.buffer === buffer ? failed.error : null;
  return { address, buffer, length, timeline, entry, error, retry };
}

/** Frames the replay will have: from its timeline, its entry, or what has come so far. */
export function expectedFrames(replay: LoadedReplay | null): number {
  if (!replay) return 0;
  if (replay.buffer.complete) return replay.length;
  return Math.max(replay.timeline.value?.frames ?? replay.entry.value?.steps ?? 0, replay.length);
}
