/** Every key, in one place. */

import { Dialog } from "./Dialog";

const SECTIONS: { title: string; keys: [string, string][] }[] = [
  {
    title: "Everywhere",
    keys: [
      ["g then h, w, p, a, c", "Home, Watch, Play, Analyse, Campaign"],
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
    title: "Grow",
    keys: [
      ["Space", "Play or pause"],
      ["← →", "One epoch back or on"],
      ["Shift ← →", "To the last or next decision or anomaly"],
      ["Home End", "First or last epoch"],
      [", .", "One episode back or on"],
    ],
  },
  {
    title: "Campaign",
    keys: [
      ["Space", "Play or pause"],
      ["← →", "One day back or on"],
      ["Shift ← →", "To the last or next battle or change of hands"],
      ["Home End", "First or last day"],
    ],
  },
  {
    title: "Play",
    keys: [
      ["shown on the buttons", "Take that action"],
      ["Backspace", "Undo"],
      ["Enter", "The selected action once more; where there are several orders, one step"],
      ["Space", "Run or pause, where there are several orders"],
      ["n", "New game: world, seed, settings"],
    ],
  },
];

export function HelpDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  return (
    <Dialog title="Keys" open={open} onClose={onClose}>
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
    </Dialog>
  );
}
