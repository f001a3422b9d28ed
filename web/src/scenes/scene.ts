/** What a world contributes to be drawn. A scene knows frames, and nothing of replays or HTTP. */

import type { ComponentType } from "react";
import type { Assets } from "../assets/assets";
import type { Frame } from "../api/types";
import type { FrameEvent } from "../player/keyframes";

export type Theme = "dark" | "light";

export interface MountOptions {
  /** A person steers, not a policy. */
  human: boolean;
  theme: Theme;
  reducedMotion: boolean;
}

export interface Moment {
  previous: Frame | null;
  /** How far the step that led to the frame has been shown, 0 to 1. */
  progress: number;
  playing: boolean;
  speed: number;
  /** The frame so many steps before the shown one, where it is still known. */
  earlier(steps: number): Frame | null;
}

export interface Minimap {
  show(frame: Frame | null): void;
  destroy(): void;
}

export interface Scene {
  mount(host: HTMLElement, options: MountOptions): Promise<void>;
  show(frame: Frame | null, moment: Moment): void;
  minimap?(host: HTMLElement): Promise<Minimap>;
  resize(): void;
  destroy(): void;
  /** For export to video or a picture. */
  canvas(): HTMLCanvasElement | null;
}

/** The names of a world's numbers, for scenes that show them as words. */
export interface Words {
  obs_names: readonly string[];
  action_names: readonly (readonly string[])[];
  agents: readonly string[];
  /** What each choice of the first head is called by people; replays alone do not have it. */
  labels?: readonly string[];
}

export interface SceneModule {
  create(assets: Assets, words: Words): Scene;
  gauges(frame: Frame, words: Words): Gauge[];
  facts(frame: Frame, words: Words): Fact[];
  /** What an action would cost or bring at this moment, where the frame tells it. */
  hint?(frame: Frame, action: number): string | null;
  /** What a choice of one of several heads means at this moment, where the frame tells it. */
  choiceWords?(frame: Frame, words: Words, head: number, choice: number): string | null;
  /** Which sounds a frame calls for; a scene without any is silent. */
  cues?(assets: Assets, frame: Frame, speed: number): string[];
  /** What the scrubber marks and Shift with an arrow finds, in place of the frames' event names. */
  moments?: (frames: readonly Frame[]) => FrameEvent[];
  /** What somebody chose to be shown, where there is a choice: moments are told anew with it. */
  outlook?: Outlook;
  /** Who sits in an agent's place at a frame, in words. */
  agentName?(frame: Frame, agent: number): string | null;
  /** Pages of the inspector that only this world has; one named like a common page replaces it. */
  panels?: readonly Panel[];
}

export interface Outlook {
  listen: (listener: () => void) => () => void;
  /** Another value whenever there is something else to tell. */
  current: () => string | null;
}

export interface Panel {
  name: string;
  title: string;
  View: ComponentType<PanelProps>;
}

export interface PanelProps {
  frame: Frame;
  /** All frames that have arrived; they grow in place. */
  frames: readonly Frame[];
  words: Words;
  /** Whose choice, reward and sight the other pages show. */
  agent: number;
  onAgent: (agent: number) => void;
  onSeek: (frame: number) => void;
}

export interface Gauge {
  label: string;
  /** 0 to 1. */
  value: number;
  tone: "good" | "warn" | "bad" | "plain";
  text: string;
}

export interface Fact {
  label: string;
  text: string;
}
