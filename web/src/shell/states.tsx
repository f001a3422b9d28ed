/** The states a part of a page can be in besides showing its data. */

import { useState, type ReactNode } from "react";
import { adviceFor, ApiError, messageOf } from "../api/errors";
import { setToken } from "../api/client";
import { useNotify } from "./toasts";

export function Loading({ what }: { what: string }) {
  return (
    <div className="state" role="status">
      <span className="orbit" aria-hidden="true" />
      <p>Loading {what}…</p>
    </div>
  );
}

export function Empty({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className="state">
      <p className="state-title">{title}</p>
      {children}
    </div>
  );
}

export function Failed({ error, retry }: { error: unknown; retry?: () => void }) {
  const denied = error instanceof ApiError && error.fault === "denied";
  return (
    <div className="state state-bad" role="alert">
      <p className="state-title">{messageOf(error)}</p>
      <p className="muted">{withCode(adviceFor(error))}</p>
      {denied && <TokenForm onDone={retry} />}
      {retry && !denied && (
        <button type="button" onClick={retry}>
          Try again
        </button>
      )}
    </div>
  );
}

/** Shown above data that a failed reload left behind. */
export function Stale({ error, retry }: { error: unknown; retry: () => void }) {
  return (
    <p className="stale" role="status">
      Shown as last seen. {messageOf(error)}{" "}
      <button type="button" className="link" onClick={retry}>
        Try again
      </button>
    </p>
  );
}

function TokenForm({ onDone }: { onDone: (() => void) | undefined }) {
  const [text, setText] = useState("");
  return (
    <form
      className="row"
      onSubmit={(event) => {
        event.preventDefault();
        setToken(text.trim());
        onDone?.();
      }}
    >
      <label className="grow">
        <span className="visually-hidden">Token</span>
        <input
          type="password"
          placeholder="Token"
          autoComplete="off"
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      </label>
      <button type="submit">Use it</button>
    </form>
  );
}

/** Text with `code` between backticks. */
export function withCode(text: string): ReactNode {
  return text.split("`").map((part, i) => (i % 2 ? <code key={i}>{part}</code> : part));
}

export function Command({ text }: { text: string }) {
  const notify = useNotify();
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => notify("Copied"),
      () => notify("The browser did not allow copying; select the text instead", "bad"),
    );
  return (
    <div className="command">
      <code>{text}</code>
      <button type="button" onClick={() => void copy()} aria-label={`Copy: ${text}`}>
        Copy
      </button>
    </div>
  );
}
