/** The shapes of the three presentation manifests. */

export interface FrameEntry {
  path: string;
  /** Sheet and cell, where sprites share a file; every sprite here has its own. */
  atlas: string | null;
  frame: string | null;
}

export interface GraphicsManifest {
  version: number;
  frames: Record<string, FrameEntry>;
  backgrounds: Record<string, { path: string; type: "tile" | "sprite" }>;
  fonts: Record<string, string>;
  colors: Record<string, string>;
  atlases: Record<string, string>;
}

export interface CueEntry {
  group: string;
  files: string[];
  synth: string | null;
  volume: number;
}

export interface AudioManifest {
  version: number;
  groups: Record<string, { basePath: string; volume: number }>;
  cues: Record<string, CueEntry>;
}

export interface EffectsManifest {
  version: number;
  actions: { id: number; vfx: string; cue: string }[];
  events: Record<string, { vfx: string; cue: string }>;
}
