/** What happens in the battle, newest first, and for any of it what led there. */

import { useState } from "react";
import { EventLines } from "../panel/EventLines";
import { lastEvents } from "../panel/last_events";
import type { PanelProps } from "../scene";
import { shipOf } from "./battle";
import { eventLines } from "./event_lines";
import { concerns, STORIES, STORY_TITLES, storyOf, type Story } from "./event_words";
import { journalOf, type Journal } from "./journal";
import { useShownBattle, useView } from "./view";

const SHOWN = 80;
const CONSEQUENCES = 12;
/** What comes by the hundred is asked for, not forced on anybody. */
const QUIET: readonly Story[] = ["orders", "sensing"];

export function FeedPanel({ frame, frames, onSeek }: PanelProps) {
  const battle = useShownBattle(frame);
  const view = useView();
  const [hidden, setHidden] = useState<readonly Story[]>(QUIET);
  const [personal, setPersonal] = useState(false);
  const [chosen, setChosen] = useState<number | null>(null);
  if (!battle) return <p className="muted">This frame shows no battle.</p>;
  const at = frame.frame_index;
  const journal = journalOf(frames, view.side);
  const followed = shipOf(battle, view.followed);
  const only = personal ? followed : null;
  const found = lastEvents(journal.happenings, at, SHOWN, ({ event }) => {
    if (hidden.includes(storyOf(event))) return false;
    return only === null || concerns(event, only.id);
  });
  const toggle = (story: Story) =>
    setHidden(hidden.includes(story) ? hidden.filter((one) => one !== story) : [...hidden, story]);
  return (
    <div className="stack">
      <div className="chips" role="group" aria-label="Show">
        {STORIES.map((story) => (
          <button
            key={story}
            type="button"
            aria-pressed={!hidden.includes(story)}
            onClick={() => toggle(story)}
          >
            {STORY_TITLES[story]}
          </button>
        ))}
        {followed && (
          <button type="button" aria-pressed={personal} onClick={() => setPersonal(!personal)}>
            Only {followed.name}
          </button>
        )}
      </div>
      {/* What was chosen in the truth may be nothing that a side knew of. */}
      {chosen !== null && journal.find(chosen) && (
        <Chain journal={journal} id={chosen} at={at} onSeek={onSeek} />
      )}
      <EventLines
        lines={eventLines(found, journal)}
        at={at}
        onSeek={onSeek}
        none="All is quiet so far."
        chosen={chosen}
        onChoose={setChosen}
      />
    </div>
  );
}

interface ChainProps {
  journal: Journal;
  id: number;
  at: number;
  onSeek: (frame: number) => void;
}

/** Root first: the order that began it, then each step to the event, then what came of it. */
function Chain({ journal, id, at, onSeek }: ChainProps) {
  const chain = journal.chainOf(id);
  const after = journal.ledTo(id).slice(0, CONSEQUENCES);
  return (
    <section className="chain stack-tight" aria-label="What led to it">
      <h3>What led to it</h3>
      <EventLines
        lines={eventLines(chain, journal)}
        at={at}
        onSeek={onSeek}
        none="Nothing known."
      />
      {after.length > 0 && (
        <>
          <h3>What came of it</h3>
          <EventLines lines={eventLines(after, journal)} at={at} onSeek={onSeek} none="" />
        </>
      )}
    </section>
  );
}
