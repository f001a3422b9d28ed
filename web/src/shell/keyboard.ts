/** Keys for a page, which never take letters away from somebody who is typing. */

import { useEffect, useRef } from "react";

/** Whether a key belongs to the element that has the focus. */
export function keyIsTaken(target: EventTarget | null, key: string): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target.closest("dialog[open]")) return true;
  if (target.isContentEditable || target.matches("select, textarea")) return true;
  if (target.matches("input")) {
    const type = (target as HTMLInputElement).type;
    // A scrubber moves by its own arrows; other keys are free there.
    if (type === "range") return key.startsWith("Arrow") || key === "Home" || key === "End";
    return !["checkbox", "radio", "button"].includes(type) || key === " ";
  }
  return target.matches("button, a, summary, [role=tab]") && (key === " " || key === "Enter");
}

/** `onKey` says whether it used the key. `first` asks before the page inside does. */
export function useKeys(onKey: (event: KeyboardEvent) => boolean, first = false): void {
  const latest = useRef(onKey);
  useEffect(() => {
    latest.current = onKey;
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
      if (keyIsTaken(event.target, event.key)) return;
      if (latest.current(event)) event.preventDefault();
    };
    window.addEventListener("keydown", listen, first);
    return () => window.removeEventListener("keydown", listen, first);
  }, [first]);
}
