/** What is known of the shown epoch, by question. */

import { useState } from "react";
import type { GrowthOverview, SlotPlace } from "../../api/growth";
import { Tabs } from "../../shell/Tabs";
import { AboutEpisode } from "./AboutEpisode";
import { DecisionPanel } from "./DecisionPanel";
import type { Episode, Moment } from "./episode";
import { HappeningsPanel } from "./HappeningsPanel";
import { SeedsPanel } from "./SeedsPanel";

const TABS = [
  { name: "decision", title: "Decision" },
  { name: "seeds", title: "Seeds" },
  { name: "events", title: "Events" },
  { name: "about", title: "About" },
] as const;

type TabName = (typeof TABS)[number]["name"];

interface Props {
  episode: Episode;
  moment: Moment | null;
  slots: readonly SlotPlace[];
  overview: GrowthOverview;
  damaged: number;
  onSeek: (moment: number) => void;
}

export function EpochPanel({ episode, moment, slots, overview, damaged, onSeek }: Props) {
  const [tab, setTab] = useState<TabName>("decision");
  const spent = moment?.figures;
  return (
    <aside className="inspector panel" aria-label="The shown epoch">
      <div className="epoch-head">
        <h2>Epoch {moment?.epoch ?? "–"}</h2>
        {spent && (
          <span className="muted small">
            {spent.spent_epochs.toFixed(1)}
            {spent.budget_epochs === null ? "" : ` of ${spent.budget_epochs}`} epochs of compute
          </span>
        )}
      </div>
      <Tabs label="The shown epoch" tabs={TABS} chosen={tab} onChoose={setTab}>
        {tab === "decision" && (
          <DecisionPanel
            moment={moment}
            episode={episode}
            kinds={overview.kinds}
            controller={overview.started?.controller ?? "policy"}
          />
        )}
        {tab === "seeds" && <SeedsPanel moment={moment} slots={slots} />}
        {tab === "events" && (
          <HappeningsPanel
            episode={episode}
            moment={moment}
            kinds={overview.kinds}
            damaged={damaged}
            onSeek={onSeek}
          />
        )}
        {tab === "about" && <AboutEpisode started={overview.started} episode={episode} />}
      </Tabs>
    </aside>
  );
}
