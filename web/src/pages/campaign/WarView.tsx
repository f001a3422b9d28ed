/** One war: its map and its days, its curves, and what is known of the shown day. */

import { useMemo, useState } from "react";
import type { ToldWar, WarDay } from "../../api/wars";
import { pressed } from "../../player/keys";
import { useKeys } from "../../shell/keyboard";
import { PlayerBar } from "../../shell/PlayerBar";
import { formatRoute } from "../../shell/route";
import { Tabs } from "../../shell/Tabs";
import type { CampaignAddress } from "./address";
import { BattleList } from "./BattleList";
import { DayPanel } from "./DayPanel";
import { useDays } from "./days";
import { FactionsPanel } from "./FactionsPanel";
import { NodePanel } from "./NodePanel";
import { endingWords, factionOf, marksOf } from "./war";
import { WarCurves } from "./WarCurves";
import { WarMap } from "./WarMap";

interface Props {
  told: ToldWar;
  days: readonly WarDay[];
  address: CampaignAddress;
}

const TABS = [
  { name: "day", title: "Day" },
  { name: "factions", title: "Factions" },
  { name: "node", title: "Node" },
  { name: "battles", title: "Battles" },
] as const;
type TabName = (typeof TABS)[number]["name"];

export function WarView({ told, days, address }: Props) {
  const { war } = told;
  const { playback, clock, at, seek } = useDays(days, address);
  const [tab, setTab] = useState<TabName>("day");
  const [node, setNode] = useState<string | null>(null);
  const marks = useMemo(() => marksOf(war, days), [war, days]);
  const stops = useMemo(() => marks.map((mark) => mark.frame), [marks]);
  useKeys((event) => {
    const next = pressed(playback.clock, event.key, event.shiftKey, stops);
    if (next) playback.update(() => next);
    return next !== null;
  });
  const day = days[at];
  if (!day) return null;
  const choose = (id: string) => {
    setNode(id);
    setTab("node");
  };
  return (
    <>
      <WarHead told={told} />
      <div className="watch war">
        <div className="war-main">
          <WarMap war={war} day={day} chosen={node} onChoose={choose} />
          <PlayerBar playback={playback} clock={clock} marks={marks} noun="day" />
          <WarCurves war={war} at={at} onSeek={seek} />
        </div>
        <aside className="inspector panel" aria-label="The day">
          <Tabs label="The day" tabs={TABS} chosen={tab} onChoose={setTab}>
            {tab === "day" && <DayPanel war={war} day={day} replays={told.replays} />}
            {tab === "factions" && <FactionsPanel war={war} day={day} />}
            {tab === "node" && <NodePanel war={war} day={day} chosen={node} onChoose={setNode} />}
            {tab === "battles" && (
              <BattleList told={told} until={day.day} onDay={(one) => seek(one - 1)} />
            )}
          </Tabs>
        </aside>
      </div>
    </>
  );
}

function WarHead({ told }: { told: ToldWar }) {
  const { war } = told;
  const winner = factionOf(war, war.winner);
  return (
    <div className="watch-head">
      <div className="replay-line">
        <h1 className="replay-title">
          {told.war_id} <span className="muted">· seed {war.seed}</span>
        </h1>
        <p className="muted small replay-figures">
          <span>
            day <b>{war.days}</b> of {war.days_planned}
          </span>
          <span>
            {winner ? `${winner.name} wins: ${endingWords(war)}` : capitalised(endingWords(war))}
          </span>
        </p>
      </div>
      <div className="watch-tools">
        <a className="button" href={formatRoute("campaign")}>
          All wars
        </a>
      </div>
    </div>
  );
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
