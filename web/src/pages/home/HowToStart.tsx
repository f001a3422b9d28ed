import { Command } from "../../shell/states";

const STEPS: { title: string; command: string }[] = [
  { title: "Train for about a minute and judge it beside the bots", command: "astrarium tour" },
  { title: "Train with a preset", command: "astrarium train --preset prospector-v2" },
  { title: "See the worlds", command: "astrarium worlds" },
  { title: "Serve this page over the runs in a folder", command: "astrarium serve" },
];

export function HowToStart({ empty }: { empty: boolean }) {
  return (
    <aside className="panel how" aria-label="How to start">
      <header>
        <h2>{empty ? "Make your first run" : "How to start"}</h2>
      </header>
      <ol className="panel-body">
        {STEPS.map((step) => (
          <li key={step.command}>
            <p className="small">{step.title}</p>
            <Command text={step.command} />
          </li>
        ))}
      </ol>
      <p className="panel-body muted small">
        A run shows up here while it trains. Nothing on these pages starts, changes or stops one.
      </p>
    </aside>
  );
}
