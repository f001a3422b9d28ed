/** Short notices that leave by themselves. */

import { createContext, useCallback, useContext, useState, type ReactNode } from "react";

type Tone = "plain" | "good" | "bad";

interface Toast {
  id: number;
  text: string;
  tone: Tone;
}

type Notify = (text: string, tone?: Tone) => void;

const Toasts = createContext<Notify>(() => undefined);
const SHOWN_MS = 5_000;

export function ToastProvider({ children }: { children: ReactNode }) {
  const [toasts, setToasts] = useState<Toast[]>([]);
  const notify = useCallback<Notify>((text, tone = "plain") => {
    const id = performance.now();
    setToasts((before) => [...before.slice(-2), { id, text, tone }]);
    setTimeout(() => setToasts((before) => before.filter((one) => one.id !== id)), SHOWN_MS);
  }, []);
  return (
    <Toasts.Provider value={notify}>
      {children}
      <div className="toasts" role="status" aria-live="polite">
        {toasts.map((toast) => (
          <p key={toast.id} className={`toast tone-${toast.tone}`}>
            {toast.text}
          </p>
        ))}
      </div>
    </Toasts.Provider>
  );
}

export function useNotify(): Notify {
  return useContext(Toasts);
}
