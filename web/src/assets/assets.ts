/** Pictures, colours and sounds by meaning: code asks for keys, manifests name the files.
 *
 * A manifest that is missing or broken falls back to the built-in one, so pages never break on it.
 */

import { DEFAULT_AUDIO, DEFAULT_EFFECTS, DEFAULT_GRAPHICS } from "./defaults";
import type { AudioManifest, EffectsManifest, GraphicsManifest } from "./manifests";

export interface Effect {
  vfx: string;
  cue: string;
}

export interface Cue {
  /** Addresses; one is chosen at random each time. Empty: play the tone named by `synth`. */
  files: string[];
  synth: string | null;
  /** Group volume times the cue's own, 0 to 1. */
  volume: number;
}

export interface Assets {
  /** Address of a sprite, or null where no file answers the key. */
  frame(key: string): string | null;
  background(key: string): string | null;
  color(key: string): string;
  /** Null for silence: an unknown key or one that ends in `.none`. */
  cue(key: string): Cue | null;
  effect(actionId: number): Effect;
  event(name: string): Effect | null;
}

export interface Manifests {
  graphics: Partial<GraphicsManifest>;
  audio: Partial<AudioManifest>;
  effects: Partial<EffectsManifest>;
}

const NOTHING: Effect = { vfx: "vfx.none", cue: "sfx.none" };
const PLAIN_COLOR = "#9fb2dd";

/** Each key is looked up in the manifest first and in the defaults second. */
export function assetsOf(manifests: Manifests, root: string): Assets {
  const frames = { ...DEFAULT_GRAPHICS.frames, ...manifests.graphics.frames };
  const backgrounds = { ...DEFAULT_GRAPHICS.backgrounds, ...manifests.graphics.backgrounds };
  const colors = { ...DEFAULT_GRAPHICS.colors, ...manifests.graphics.colors };
  const events = { ...DEFAULT_EFFECTS.events, ...manifests.effects.events };
  const rows = [...DEFAULT_EFFECTS.actions, ...(manifests.effects.actions ?? [])];
  const byAction = new Map(rows.map((row) => [row.id, { vfx: row.vfx, cue: row.cue }]));
  const audio: AudioManifest = {
    version: 1,
    groups: { ...DEFAULT_AUDIO.groups, ...manifests.audio.groups },
    cues: { ...DEFAULT_AUDIO.cues, ...manifests.audio.cues },
  };
  const address = (path: string | undefined) => (path ? joined(root, path) : null);
  return {
    frame: (key) => address(frames[key]?.path),
    background: (key) => address(backgrounds[key]?.path),
    color: (key) => colors[key] ?? PLAIN_COLOR,
    cue: (key) => cueOf(audio, key, root),
    effect: (actionId) => byAction.get(actionId) ?? NOTHING,
    event: (name) => events[name] ?? null,
  };
}

function cueOf(audio: AudioManifest, key: string, root: string): Cue | null {
  const cue = audio.cues[key];
  if (!cue || key.endsWith(".none")) return null;
  const group = audio.groups[cue.group];
  const files = cue.files.map((file) => joined(root, group?.basePath ?? "", file));
  return { files, synth: cue.synth, volume: (group?.volume ?? 1) * cue.volume };
}

function joined(...parts: string[]): string {
  return parts
    .filter((part) => part !== "")
    .map((part, i) => (i === 0 ? part.replace(/\/+$/, "") : part.replace(/^\/+|\/+$/g, "")))
    .join("/");
}

const ROOT = "./assets";
let loaded: Promise<Assets> | null = null;

/** The manifests, read once for the whole page. */
export function loadAssets(): Promise<Assets> {
  loaded ??= loadAssetsFrom(ROOT);
  return loaded;
}

export async function loadAssetsFrom(root: string): Promise<Assets> {
  const [graphics, audio, effects] = await Promise.all([
    manifest<GraphicsManifest>(root, "graphics"),
    manifest<AudioManifest>(root, "audio"),
    manifest<EffectsManifest>(root, "effects"),
  ]);
  return assetsOf({ graphics, audio, effects }, root);
}

async function manifest<T extends object>(root: string, name: string): Promise<Partial<T>> {
  try {
    const reply = await fetch(`${root}/${name}.json`);
    const told: unknown = reply.ok ? await reply.json() : null;
    return told !== null && typeof told === "object" ? told : {};
  } catch {
    return {};
  }
}
