// A small synthesiser: waves, envelopes, noise, filters. Times in seconds, pitches in hertz.

export const RATE_HZ = 22050;

export function silence(seconds) {
  return new Float64Array(Math.round(seconds * RATE_HZ));
}

const WAVES = {
  sine: (turn) => Math.sin(2 * Math.PI * turn),
  triangle: (turn) => 1 - 4 * Math.abs((turn % 1) - 0.5),
  // Few harmonics on purpose: a true saw or square is harsh in headphones.
  saw: (turn) =>
    [1, 2, 3, 4, 5].reduce((sum, n) => sum + Math.sin(2 * Math.PI * n * turn) / n, 0) * 0.6,
  square: (turn) =>
    [1, 3, 5].reduce((sum, n) => sum + Math.sin(2 * Math.PI * n * turn) / n, 0) * 0.8,
};

/** Rise, then fall as a power of what is left: 1 is straight, 3 is a bell. */
export function envelope(at, seconds, rise = 0.01, fall = 2) {
  if (at < 0 || at >= seconds) return 0;
  return at < rise ? at / rise : (1 - (at - rise) / (seconds - rise)) ** fall;
}

/** Adds a tone that may glide from `from` to `to` and tremble. */
export function tone(
  samples,
  { start = 0, seconds, from, to = from, wave = "sine", gain = 1, rise, fall, vibrato = [0, 0] },
) {
  const shape = WAVES[wave];
  const first = Math.round(start * RATE_HZ);
  const count = Math.min(Math.round(seconds * RATE_HZ), samples.length - first);
  let turn = 0;
  for (let i = 0; i < count; i += 1) {
    const at = i / RATE_HZ;
    const pitch =
      from *
      (to / from) ** (at / seconds) *
      (1 + vibrato[1] * Math.sin(2 * Math.PI * vibrato[0] * at));
    turn += pitch / RATE_HZ;
    samples[first + i] += gain * shape(turn) * envelope(at, seconds, rise, fall);
  }
  return samples;
}

/** Adds noise through a low-pass whose edge glides from `from` to `to`. */
export function noise(
  samples,
  { start = 0, seconds, from, to = from, gain = 1, rise, fall, seed = 1, high = 0 },
) {
  const first = Math.round(start * RATE_HZ);
  const count = Math.min(Math.round(seconds * RATE_HZ), samples.length - first);
  let state = seed >>> 0;
  let low = 0;
  let lower = 0;
  let rumble = 0;
  for (let i = 0; i < count; i += 1) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    const white = state / 2147483648 - 1;
    const at = i / RATE_HZ;
    const edge = from * (to / from) ** (at / seconds);
    const mix = 1 - Math.exp((-2 * Math.PI * edge) / RATE_HZ);
    low += mix * (white - low);
    lower += mix * (low - lower);
    // Taking the slowest part away turns rumble into hiss.
    rumble += (1 - Math.exp((-2 * Math.PI * high) / RATE_HZ)) * (lower - rumble);
    samples[first + i] +=
      gain * (lower - (high ? rumble : 0)) * 3 * envelope(at, seconds, rise, fall);
  }
  return samples;
}

/** A struck bar: a few partials that die at their own pace. */
export function bell(samples, { start = 0, seconds, pitch, gain = 1 }) {
  const partials = [
    [1, 1, 2.2],
    [2.01, 0.45, 3],
    [3.02, 0.22, 4],
    [5.4, 0.08, 6],
  ];
  for (const [ratio, share, fall] of partials) {
    tone(samples, { start, seconds, from: pitch * ratio, gain: gain * share, rise: 0.003, fall });
  }
  return samples;
}

export function echo(samples, delay, share) {
  const shift = Math.round(delay * RATE_HZ);
  for (let i = shift; i < samples.length; i += 1) samples[i] += samples[i - shift] * share;
  return samples;
}
