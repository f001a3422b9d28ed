/** What is known of the shown frame, by question. */

import { useState, type ReactNode } from "react";
import type { Frame, Timeline } from "../../api/types";
import type { FrameBuffer } from "../../api/frames";
import { agentCount } from "../../player/reading";
import type { FrameSource } from "../../player/playback";
import { Facts, Gauges } from "../../scenes/Hud";
import { MinimapView } from "../../scenes/MinimapView";
import type { Panel, Words } from "../../scenes/scene";
import type { MountedScene } from "../../scenes/SceneView";
import { Tabs, type Tab } from "../../shell/Tabs";
import { ChoicePanel } from "./ChoicePanel";
import { EventsPanel } from "./EventsPanel";
import { ObservationPanel } from "./ObservationPanel";
import { RewardPanel } from "./RewardPanel";

const COMMON_TABS = [
  { name: "choice", title: "Choice" },
  { name: "state", title: "State" },
  { name: "reward", title: "Reward" },
  { name: "events", title: "Events" },
  { name: "observation", title: "Sight" },
  { name: "about", title: "About" },
  { name: "raw", title: "Raw" },
] as const;

/** The world's own pages first; one named like a common page stands in for it. */
function tabsOf(panels: readonly Panel[]): Tab<string>[] {
  const own = panels.map((panel) => panel.name);
  return [...panels, ...COMMON_TABS.filter((tab) => !own.includes(tab.name))];
}

/** Common pages about one agent, not about all. */
const OF_ONE_AGENT = ["choice", "reward", "observation"];
const NO_PANELS: readonly Panel[] = [];

interface Props {
  frame: Frame | null;
  words: Words;
  timeline: Timeline | null;
  buffer: FrameBuffer;
  mounted: MountedScene | null;
  source: FrameSource;
  onSeek: (frame: number) => void;
  about: ReactNode;
}

export function Inspector(props: Props) {
  const { frame, words, timeline, buffer, mounted, source, onSeek, about } = props;
  const [chosen, setTab] = useState<string | null>(null);
  const [agent, setAgent] = useState(0);
  const agents = frame ? agentCount(frame) : 1;
  const panels = mounted?.module.panels ?? NO_PANELS;
  const tab = chosen ?? panels[0]?.name ?? "choice";
  const panel = panels.find((one) => one.name === tab);
  const nameOf = (at: number) =>
    (frame && mounted?.module.agentName?.(frame, at)) ?? words.agents[at] ?? `agent ${at}`;
  return (
    <aside className="inspector panel" aria-label="Inspector">
      {panels.length === 0 && (
        <div className="inspector-top">
          {mounted?.scene.minimap && <MinimapView scene={mounted.scene} source={source} />}
          <Gauges module={mounted?.module ?? null} frame={frame} words={words} />
        </div>
      )}
      <Tabs label="Inspector" tabs={tabsOf(panels)} chosen={tab} onChoose={setTab}>
        {agents > 1 && OF_ONE_AGENT.includes(tab) && !panel && (
          <label className="field inspector-agent">
            Agent
            <select value={agent} onChange={(event) => setAgent(Number(event.target.value))}>
              {Array.from({ length: agents }, (_, i) => (
                <option key={i} value={i}>
                  {nameOf(i)}
                </option>
              ))}
            </select>
          </label>
        )}
        {panel && frame && (
          <panel.View
            frame={frame}
            frames={buffer.frames}
            words={words}
            agent={agent}
            onAgent={setAgent}
            onSeek={onSeek}
          />
        )}
        {tab === "choice" && <ChoicePanel frame={frame} words={words} agent={agent} />}
        {tab === "state" && !panel && (
          <Facts module={mounted?.module ?? null} frame={frame} words={words} />
        )}
        {tab === "reward" && (
          <RewardPanel
            frame={frame}
            agent={agent}
            buffer={buffer}
            timeline={timeline}
            onSeek={onSeek}
          />
        )}
        {tab === "events" && !panel && (
          <EventsPanel timeline={timeline} at={frame?.frame_index ?? 0} onSeek={onSeek} />
        )}
        {tab === "observation" && <ObservationPanel frame={frame} words={words} agent={agent} />}
        {tab === "about" && about}
        {tab === "raw" && <Raw frame={frame} />}
      </Tabs>
    </aside>
  );
}

function Raw({ frame }: { frame: Frame | null }) {
  return (
    // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must take the focus
    <pre className="raw" role="region" aria-label="The frame as stored" tabIndex={0}>
      {frame ? rawText(frame) : "No frame."}
    </pre>
  );
}

/** Long rows of numbers on one line, so that the rest stays readable. */
function rawText(frame: Frame): string {
  return JSON.stringify(frame, null, 2).replace(/\[[\s\d.,eE+-]*\]/g, (row) =>
    row.replace(/\s+/g, " "),
  );
}
