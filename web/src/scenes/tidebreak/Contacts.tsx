/** What a side knows of others: the table behind the ellipses. */

import type { Battle, Ship, Track } from "./battle";
import { capital, compass, distance, plain, qualityWords } from "./words";

const SHOWN = 12;

interface Props {
  battle: Battle;
  team: string;
  /** Whose bearing and range are told. */
  from: Ship;
}

export function Contacts({ battle, team, from }: Props) {
  const tracks = nearest(battle.knowledge[team] ?? [], from).slice(0, SHOWN);
  return (
    <section className="stack-tight">
      <h3>What {team} knows</h3>
      {tracks.length === 0 ? (
        <p className="muted small">No contacts.</p>
      ) : (
        <ul className="contacts">
          {tracks.map((track) => (
            <li key={track.key}>
              <span className="grow">{contactWords(track)}</span>
              <span className="muted">{bearingWords(track, from)}</span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

export function nearest(tracks: readonly Track[], from: Ship): Track[] {
  const range = (track: Track) => Math.hypot(track.x - from.x, track.y - from.y);
  return tracks.toSorted((a, b) => b.quality - a.quality || range(a) - range(b));
}

/** "Hostile, Q2 fire control, ±40 m, 3 s old". */
export function contactWords(track: Track): string {
  const old = track.age >= 1 ? `, ${Math.round(track.age)} s old` : "";
  const kind = capital(plain(track.iff || "unknown"));
  return `${kind}, ${qualityWords(track.quality)}, ±${distance(track.sigma)}${old}`;
}

export function bearingWords(track: Track, from: Ship): string {
  const bearing = compass(Math.atan2(track.y - from.y, track.x - from.x));
  const range = Math.hypot(track.x - from.x, track.y - from.y);
  return `${String(bearing).padStart(3, "0")}°, ${distance(range)}`;
}
