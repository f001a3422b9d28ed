/** Where playback stands. Pure: time is handed in, nothing is scheduled here. */

export const SPEEDS = [0.25, 0.5, 1, 2, 4, 8, 16, 32, 64] as const;

/** Frames a second at speed 1. */
export const FRAMES_PER_SECOND = 6;

export interface ClockState {
  /** The frame shown, plus how far its step has been shown. */
  readonly position: number;
  readonly playing: boolean;
  readonly speed: number;
  readonly loop: boolean;
  /** Frames that can be shown now. */
  readonly available: number;
  /** Frames there will be; equal to `available` once all is loaded. */
  readonly total: number;
}

export function newClock(): ClockState {
  return { position: 0, playing: false, speed: 1, loop: false, available: 0, total: 0 };
}

export function frameIndex(clock: ClockState): number {
  return Math.floor(clock.position);
}

/** How far the shown step has gone. A still picture is always a finished step. */
export function progress(clock: ClockState): number {
  return clock.playing ? clock.position - Math.floor(clock.position) : 1;
}

/** Playing, but the next frame has not arrived. */
export function waiting(clock: ClockState): boolean {
  return clock.playing && clock.available < clock.total && clock.position >= clock.available - 1;
}

export function atEnd(clock: ClockState): boolean {
  return clock.total > 0 && frameIndex(clock) >= clock.total - 1;
}

export function grow(clock: ClockState, available: number, total: number): ClockState {
  const last = Math.max(0, Math.max(available, total) - 1);
  return { ...clock, available, total, position: Math.min(clock.position, last + 0.999) };
}

export function advance(clock: ClockState, elapsedMs: number): ClockState {
  if (!clock.playing || clock.available === 0) return clock;
  const moved = clock.position + (elapsedMs / 1000) * FRAMES_PER_SECOND * clock.speed;
  // Put on a frame that has not arrived: wait for it there.
  if (clock.position >= clock.available && clock.available < clock.total) return clock;
  // The last step is shown to its end before playback stops.
  if (moved < clock.available) return { ...clock, position: moved };
  if (clock.available < clock.total) return { ...clock, position: clock.available - 0.001 };
  if (clock.loop && clock.total > 1) return { ...clock, position: moved % clock.total };
  return { ...clock, position: clock.total - 1, playing: false };
}

export function play(clock: ClockState): ClockState {
  if (clock.available === 0) return clock;
  return { ...clock, playing: true, position: atEnd(clock) ? 0 : clock.position };
}

export function pause(clock: ClockState): ClockState {
  return { ...clock, playing: false, position: frameIndex(clock) };
}

export function toggle(clock: ClockState): ClockState {
  return clock.playing ? pause(clock) : play(clock);
}

/** Go to a frame. One that has not arrived yet is waited for at its place. */
export function seek(clock: ClockState, frame: number): ClockState {
  const last = Math.max(0, clock.total - 1);
  return { ...clock, position: Math.min(Math.max(0, Math.round(frame)), last) };
}

export function step(clock: ClockState, by: number): ClockState {
  return seek(pause(clock), frameIndex(clock) + by);
}

export function withSpeed(clock: ClockState, speed: number): ClockState {
  return { ...clock, speed };
}

export function faster(clock: ClockState, notches: 1 | -1): ClockState {
  const at = SPEEDS.findIndex((speed) => speed >= clock.speed);
  const next = Math.min(
    Math.max(0, (at < 0 ? SPEEDS.length - 1 : at) + notches),
    SPEEDS.length - 1,
  );
  return { ...clock, speed: SPEEDS[next] ?? 1 };
}

export function toggleLoop(clock: ClockState): ClockState {
  return { ...clock, loop: !clock.loop };
}
