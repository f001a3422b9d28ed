/** Contacts as a captain sees them: rows of the observation, each one a choice of target. */

import type { Frame } from "../../api/types";
import { choicesOf, observationOf } from "../../player/reading";
import type { Words } from "../scene";
import type { Ship, Track } from "./battle";
import { capital, distance, qualityWords } from "./words";

/** Which head chooses the target. */
const TARGET_HEAD = 2;
const RANGE_M = 20_000;
const QUALITIES = 3;
const IFF_WORDS: [number, string][] = [
  [0.75, "hostile"],
  [0.25, "suspect"],
  [-0.25, "unknown"],
  [-0.75, "assumed friend"],
  [-Infinity, "friend"],
];

export interface Contact {
  /** To starboard of the bow, radians. */
  bearing: number;
  range: number;
  quality: number;
  iff: string;
  ordnance: boolean;
}

/** The contact in a slot, from 0; null where there is none. */
export function contactOf(frame: Frame, words: Words, slot: number): Contact | null {
  const seen = observationOf(frame, 0);
  const read = (name: string) => {
    const at = placesOf(words).get(`contact_${slot}_${name}`);
    return at === undefined ? 0 : (seen[at] ?? 0);
  };
  if (read("valid") <= 0) return null;
  const iff = read("iff");
  return {
    // The world counts angles to port.
    bearing: -Math.atan2(read("sin_bearing"), read("cos_bearing")),
    range: read("range") * RANGE_M,
    quality: Math.round(read("quality") * QUALITIES),
    iff: IFF_WORDS.find(([least]) => iff >= least)?.[1] ?? "unknown",
    ordnance: read("size") < -0.75,
  };
}

const places = new WeakMap<readonly string[], Map<string, number>>();

function placesOf({ obs_names }: Words): Map<string, number> {
  let found = places.get(obs_names);
  if (!found) places.set(obs_names, (found = new Map(obs_names.map((name, at) => [name, at]))));
  return found;
}

/** "Hostile, Q2 fire control, 034° to port, 4.2 km". */
export function contactTitle(contact: Contact): string {
  const degrees = Math.round((Math.abs(contact.bearing) * 180) / Math.PI);
  const side =
    degrees === 0 ? "ahead" : `${degrees}° to ${contact.bearing > 0 ? "starboard" : "port"}`;
  const what = contact.ordnance ? "torpedo or missile" : contact.iff;
  return `${capital(what)}, ${qualityWords(contact.quality)}, ${side}, ${distance(contact.range)}`;
}

export function choiceWords(
  frame: Frame,
  words: Words,
  head: number,
  choice: number,
): string | null {
  if (head !== TARGET_HEAD || choice === 0) return null;
  const contact = contactOf(frame, words, choice - 1);
  return contact && `${choice}. ${contactTitle(contact)}`;
}

/** The track that the last orders aimed at: the one nearest to where the contact is seen. */
export function aimedTrack(
  frame: Frame,
  words: Words,
  own: Ship | null,
  tracks: readonly Track[],
): string | null {
  const choice = choicesOf(frame, 0)[TARGET_HEAD] ?? 0;
  const contact = choice > 0 ? contactOf(frame, words, choice - 1) : null;
  if (!own || !contact) return null;
  const angle = own.heading + contact.bearing;
  const x = own.x + Math.cos(angle) * contact.range;
  const y = own.y + Math.sin(angle) * contact.range;
  const gap = (track: Track) => Math.hypot(track.x - x, track.y - y);
  const [nearest] = tracks.toSorted((a, b) => gap(a) - gap(b));
  return nearest?.key ?? null;
}
