/** Pictures, colours and sounds by meaning: code asks for keys, manifests name the files.
 *
 * A manifest that is missing or broken leaves its keys unanswered; pages then draw plainer.
 */

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
  cue(key: string): Cue | null;
  effect(actionId: number): Effect;
  event(name: string): Effect | null;
}

interface Graphics {
  frames?: Record<string, { path: string }>;
  backgrounds?: Record<string, { path: string }>;
  colors?: Record<string, string>;
}

interface Audio {
  groups?: Record<string, { basePath: string; volume: number }>;
  cues?: Record<string, { group: string; files?: string[]; synth?: string | null; volume?: number }>;
}

interface Effects {
  actions?: { id: number; vfx: string; cue: string }[];
  events?: Record<string, Effect>;
}

export interface Manifests {
  graphics: Graphics;
  audio: Audio;
  effects: Effects;
}

const NOTHING: Effect = { vfx: "vfx.none", cue: "sfx.none" };
const PLAIN_COLOR = "#9fb2dd";

export function assetsOf(manifests: Manifests, root: string): Assets {
  const { graphics, audio, effects } = manifests;
  const byAction = new Map((effects.actions ?? []).map((row) => [row.id, row]));
  const address = (path: string | undefined) => (path ? joined(root, path) : null);
  return {
    frame: (key) => address(graphics.frames?.[key]?.path),
    background: (key) => address(graphics.backgrounds?.[key]?.path),
    color: (key) => graphics.colors?.[key] ?? PLAIN_COLOR,
    cue: (key) => cueOf(audio, key, root),
    effect: (actionId) => byAction.get(actionId) ?? NOTHING,
    event: (name) => effects.events?.[name] ?? null,
  };
}

function cueOf(audio: Audio, key: string, root: string): Cue | null {
  const cue = audio.cues?.[key];
  if (!cue || key.endsWith(".none")) return null;
  const group = audio.groups?.[cue.group];
  const files = (cue.files ?? []).map((file) => joined(root, group?.basePath ?? "", file));
  return { files, synth: cue.synth ?? null, volume: (group?.volume ?? 1) * (cue.volume ?? 1) };
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
  loaded ??= Promise.all([
    manifest<Graphics>("graphics"),
    manifest<Audio>("audio"),
    manifest<Effects>("effects"),
  ]).then(([graphics, audio, effects]) => assetsOf({ graphics, audio, effects }, ROOT));
  return loaded;
}

async function manifest<T extends object>(name: string): Promise<T> {
  try {
    const reply = await fetch(`${ROOT}/${name}.json`);
    if (!reply.ok) return {} as T;
    return (await reply.json()) as T;
  } catch {
    return {} as T;
  }
}
