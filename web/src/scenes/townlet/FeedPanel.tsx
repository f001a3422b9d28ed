/** What happens in town, newest first, by kind of story. */

import { useState } from "react";
import { EventLines } from "../panel/EventLines";
import { lastEvents } from "../panel/last_events";
import type { PanelProps } from "../scene";
import { chronicleOf } from "./chronicle";
import { eventLines } from "./event_lines";
import { concerns, isNews, STORIES, STORY_TITLES, tell, type Story } from "./event_words";
import { townOf } from "./town";
import { useView } from "./view";
import { nameOf } from "./words";

const SHOWN = 80;
export function FeedPanel({ frame, frames, onSeek }: PanelProps) {
  const town = townOf(frame);
  const { followed } = useView();
  const [hidden, setHidden] = useState<readonly Story[]>([]);
  const [personal, setPersonal] = useState(false);
  if (!town) return <p className="muted">This frame shows no town.</p>;
  const at = frame.frame_index;
  const only = personal ? followed : null;
  const events = lastEvents(chronicleOf(frames).events, at, SHOWN, ({ event }) => {
    if (!isNews(event) || hidden.includes(tell(event).story)) return false;
    return only === null || concerns(event, only);
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
        {followed !== null && (
          <button type="button" aria-pressed={personal} onClick={() => setPersonal(!personal)}>
            Only {nameOf(followed)}
          </button>
        )}
      </div>
      <EventLines
        lines={eventLines(events, town)}
        at={at}
        onSeek={onSeek}
        none="All is quiet so far."
      />
    </div>
  );
}
