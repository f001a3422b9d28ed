/** Every key, in one place. */

import { useEffect, useRef } from "react";
import { Icon } from "./icons";

const SECTIONS: { title: string; keys: [string, string][] }[] = [
  {
    title: "Everywhere",
    keys: [
      ["g then h, w, p, a", "Home, Watch, Play, Analyse"],
      ["t", "Dark, light or as the system"],
      ["?", "This list"],
      ["Esc", "Close"],
    ],
  },
  {
    title: "Watch",
    keys: [
      ["Space", "Play or pause"],
      ["← →", "One frame back or on"],
      ["Shift ← →", "To the last or next keyframe"],
      ["Home End", "First or last frame"],
      ["[ ]", "Slower or faster"],
      ["l", "Loop"],
      ["f", "Whole screen"],
    ],
  },
  {
    title: "Play",
    keys: [
      ["shown on the buttons", "Take that action"],
      ["Backspace", "Undo"],
      ["Enter", "The selected action once more"],
    ],
  },
];

export function HelpDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const element = dialog.current;
    if (!element) return;
    if (open && !element.open) element.showModal();
    if (!open && element.open) element.close();
  }, [open]);
  return (
    <dialog ref={dialog} className="dialog" onClose={onClose} aria-labelledby="help-title">
      <header className="row">
        <h2 id="help-title" className="grow">
          Keys
        </h2>
        <button type="button" className="quiet" onClick={onClose} aria-label="Close">
          <Icon name="close" />
        </button>
      </header>
      <div className="help-columns">
        {SECTIONS.map((section) => (
          <section key={section.title}>
            <h3>{section.title}</h3>
            <dl className="keys">
              {section.keys.map(([keys, meaning]) => (
                <div key={keys}>
                  <dt>
                    <kbd>{keys}</kbd>
                  </dt>
                  <dd>{meaning}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </dialog>
  );
}
