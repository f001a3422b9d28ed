/** One live connection for the whole page; parts of it listen for what concerns them. */

import {
  createContext,
  useContext,
  useEffect,
  useMemo,
  useRef,
  useState,
  type ReactNode,
} from "react";
import { follow, type LiveNews, type LiveState } from "../api/live";

interface LiveHub {
  state: LiveState;
  listen: (listener: (news: LiveNews) => void) => () => void;
}

const Live = createContext<LiveHub>({ state: "connecting", listen: () => () => undefined });

export function LiveProvider({ children }: { children: ReactNode }) {
  const [state, setState] = useState<LiveState>("connecting");
  const listeners = useRef(new Set<(news: LiveNews) => void>());

  useEffect(() => {
    const leaving = new AbortController();
    const onNews = (news: LiveNews) => {
      for (const listener of listeners.current) listener(news);
    };
    void follow({ onNews, onState: setState, signal: leaving.signal });
    return () => leaving.abort();
  }, []);

  const hub = useMemo<LiveHub>(
    () => ({
      state,
      listen(listener) {
        const held = listeners.current;
        held.add(listener);
        return () => held.delete(listener);
      },
    }),
    [state],
  );
  return <Live.Provider value={hub}>{children}</Live.Provider>;
}

export function useLiveState(): LiveState {
  return useContext(Live).state;
}

/** Called with every piece of news while the component stands. */
export function useNews(onNews: (news: LiveNews) => void): void {
  const { listen } = useContext(Live);
  const latest = useRef(onNews);
  useEffect(() => {
    latest.current = onNews;
  });
  useEffect(() => listen((news) => latest.current(news)), [listen]);
}
