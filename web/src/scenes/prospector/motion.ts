// Small arithmetic of movement and colour.

export function clamp(value: number, low = 0, high = 1): number {
  return value < low ? low : value > high ? high : value;
}

export function lerp(from: number, to: number, share: number): number {
  return from + (to - from) * share;
}

/** Share of the way to a goal covered in a time, however often the screen is drawn. */
export function approach(elapsed_s: number, settle_s: number): number {
  return settle_s <= 0 ? 1 : 1 - Math.exp(-elapsed_s / settle_s);
}

export function smooth(share: number): number {
  const x = clamp(share);
  return x * x * (3 - 2 * x);
}

/** The short way round from one angle to another. */
export function turnTowards(from: number, to: number, share: number): number {
  const turn = 2 * Math.PI;
  let gap = (to - from) % turn;
  if (gap > Math.PI) gap -= turn;
  if (gap < -Math.PI) gap += turn;
  return from + gap * share;
}

/** 0 to 1, always the same for the same node and purpose. */
export function chanceOf(node: number, purpose: number): number {
  let mixed = Math.imul(node + 1, 0x9e3779b1) ^ Math.imul(purpose + 1, 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x2c1b3c6d);
  mixed = Math.imul(mixed ^ (mixed >>> 12), 0x297a2d39);
  return ((mixed ^ (mixed >>> 15)) >>> 0) / 4294967296;
}

export function colorNumber(css: string): number {
  const parsed = Number.parseInt(css.replace("#", ""), 16);
  return Number.isNaN(parsed) ? 0xffffff : parsed;
}

export function mixColors(from: number, to: number, share: number): number {
  const channel = (shift: number) =>
    Math.round(lerp((from >> shift) & 255, (to >> shift) & 255, share)) << shift;
  return channel(16) | channel(8) | channel(0);
}
