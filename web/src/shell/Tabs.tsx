/** Tabs with the keys a screen reader's user expects. */

import { useEffect, useId, useRef, type KeyboardEvent, type ReactNode } from "react";

export interface Tab<Name extends string> {
  name: Name;
  title: string;
}

interface Props<Name extends string> {
  label: string;
  tabs: readonly Tab<Name>[];
  chosen: NoInfer<Name>;
  onChoose: (name: NoInfer<Name>) => void;
  children: ReactNode;
}

export function Tabs<Name extends string>({
  label,
  tabs,
  chosen,
  onChoose,
  children,
}: Props<Name>) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  // Where the row is wider than its room, the chosen one must not hide beyond the edge.
  useEffect(() => {
    const row = list.current;
    const tab = row?.querySelector<HTMLElement>(`[data-tab="${chosen}"]`);
    if (!row || !tab) return;
    // Only the row is moved: on a phone the page would jump to it.
    const [from, to] = [tab.offsetLeft - row.offsetLeft, row.clientWidth - tab.offsetWidth];
    if (from < row.scrollLeft) row.scrollLeft = from;
    else if (from - to > row.scrollLeft) row.scrollLeft = from - to;
  }, [chosen]);
  const move = (event: KeyboardEvent) => {
    const by = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    if (by === 0) return;
    event.preventDefault();
    const at = tabs.findIndex((tab) => tab.name === chosen);
    const next = tabs[(at + by + tabs.length) % tabs.length];
    if (!next) return;
    onChoose(next.name);
    list.current?.querySelector<HTMLElement>(`[data-tab="${next.name}"]`)?.focus();
  };
  return (
    <>
      <div
        className="tabs"
        role="tablist"
        aria-label={label}
        ref={list}
        onKeyDown={move}
        tabIndex={-1}
      >
        {tabs.map((tab) => (
          <button
            key={tab.name}
            type="button"
            role="tab"
            id={`${id}-${tab.name}`}
            data-tab={tab.name}
            aria-selected={tab.name === chosen}
            aria-controls={`${id}-panel`}
            tabIndex={tab.name === chosen ? 0 : -1}
            onClick={() => onChoose(tab.name)}
          >
            {tab.title}
          </button>
        ))}
      </div>
      <div
        role="tabpanel"
        id={`${id}-panel`}
        aria-labelledby={`${id}-${chosen}`}
        className="tab-panel"
      >
        {children}
      </div>
    </>
  );
}
