/** Cues, heard only after somebody turned sound on. Playback that is blocked is no error. */

import { loadAssets, type Cue } from "./assets";

const KEY = "astrarium.sound";

export function soundOn(): boolean {
  return localStorage.getItem(KEY) === "on";
}

export function setSound(on: boolean): void {
  localStorage.setItem(KEY, on ? "on" : "off");
}

export async function playCue(key: string): Promise<void> {
  if (!soundOn()) return;
  const cue = (await loadAssets()).cue(key);
  if (!cue) return;
  try {
    const file = cue.files[Math.floor(Math.random() * cue.files.length)];
    if (file) await playFile(file, cue.volume);
    else if (cue.synth) playTone(cue);
  } catch {
    // Browsers refuse sound before the first click; the next cue will be heard.
  }
}

function playFile(file: string, volume: number): Promise<void> {
  const audio = new Audio(file);
  audio.volume = Math.min(1, volume);
  return audio.play();
}

const PITCH: Record<string, number> = { low: 180, mid: 320, high: 520, alarm: 740, click: 960 };
let context: AudioContext | null = null;

function playTone(cue: Cue): void {
  context ??= new AudioContext();
  const pitch = PITCH[cue.synth ?? ""] ?? 440;
  const start = context.currentTime;
  const tone = context.createOscillator();
  const level = context.createGain();
  tone.frequency.value = pitch;
  level.gain.setValueAtTime(0.12 * cue.volume, start);
  level.gain.exponentialRampToValueAtTime(0.0001, start + 0.25);
  tone.connect(level).connect(context.destination);
  tone.start(start);
  tone.stop(start + 0.26);
}
