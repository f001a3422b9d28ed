/** One episode: the network, the player, the tracks, and what is known of the shown epoch. */

import { useMemo } from "react";
import type { GrowthOverview } from "../../api/growth";
import type { Mark } from "../../player/keyframes";
import { pressed } from "../../player/keys";
import { useKeys } from "../../shell/keyboard";
import { PlayerBar } from "../../shell/PlayerBar";
import { Failed, Loading, Stale } from "../../shell/states";
import type { GrowAddress } from "./address";
import { beside, type Chosen } from "./choosing";
import { useCursor } from "./cursor";
import { acted, anomaliesOf, episodeOf, slotsOf, stopsOf, type Episode } from "./episode";
import { useFollowed } from "./growing";
import { EpochPanel } from "./EpochPanel";
import { NetworkView } from "./NetworkView";
import { Tracks } from "./Tracks";
import { decisionWords } from "./words";

interface Props {
  runId: string;
  running: boolean;
  overview: GrowthOverview;
  chosen: Chosen;
  address: GrowAddress;
  onChoose: (chosen: Chosen) => void;
}

export function EpisodeView({ runId, running, overview, chosen, address, onChoose }: Props) {
  const news = `${overview.edition} ${overview.bytes_read}`;
  const followed = useFollowed(runId, chosen, news);
  const places = overview.started?.slots;
  const episode = useMemo(
    () => episodeOf(followed.events, places ?? []),
    [followed.events, places],
  );
  const slots = useMemo(() => slotsOf(episode.moments, places ?? []), [episode.moments, places]);
  const cursor = useCursor(followed.key, episode.moments, address);
  const stops = useMemo(() => stopsOf(episode, overview.kinds), [episode, overview.kinds]);
  const marks = useMemo(() => marksOf(episode, overview.kinds), [episode, overview.kinds]);
  useKeys((event) => {
    if (event.key === "," || event.key === ".") {
      const next = beside(overview.episodes, chosen, event.key === "." ? 1 : -1);
      if (next) onChoose(next);
      return next !== null;
    }
    const next = pressed(cursor.playback.clock, event.key, event.shiftKey, stops);
    if (next) cursor.playback.update(() => next);
    return next !== null;
  });
  if (episode.moments.length === 0) {
    if (followed.error !== null) return <Failed error={followed.error} />;
    return <Loading what="the episode" />;
  }
  const moment = episode.moments[cursor.at] ?? null;
  const going = running && episode.outcome === null;
  const lastEpoch = going ? (overview.started?.max_epochs ?? 0) : 0;
  return (
    <div className="growth">
      <div className="growth-main">
        {followed.error !== null && (
          <Stale error={followed.error} retry={() => location.reload()} />
        )}
        <NetworkView started={overview.started} slots={slots} moment={moment} />
        <PlayerBar playback={cursor.playback} clock={cursor.clock} marks={marks} noun="epoch" />
        <Tracks
          episode={episode}
          kinds={overview.kinds}
          at={cursor.at}
          lastEpoch={lastEpoch}
          onSeek={cursor.seek}
        />
      </div>
      <EpochPanel
        episode={episode}
        moment={moment}
        slots={slots}
        overview={overview}
        damaged={followed.damaged}
        onSeek={cursor.seek}
      />
    </div>
  );
}

/** Decisions and anomalies above the scrubber. */
function marksOf(episode: Episode, kinds: GrowthOverview["kinds"]): Mark[] {
  const last = Math.max(1, episode.moments.length - 1);
  return episode.moments.flatMap((moment, i): Mark[] => {
    const odd = anomaliesOf(moment, kinds).map((event) => kinds[event.kind]?.label ?? event.kind);
    const done = acted(moment) && moment.decision ? [decisionWords(moment.decision)] : [];
    const names = [...done, ...odd];
    if (names.length === 0) return [];
    const tone = odd.length ? "bad" : moment.decision?.success ? "good" : "warn";
    return [{ frame: i, place: i / last, names, tone }];
  });
}
