/** Something that happened in a frame. */
export interface InFrame {
  frame: number;
}

/** The last ones until a frame that fit, newest first; `told` is in the order of frames. */
export function lastEvents<T extends InFrame>(
  told: readonly T[],
  at: number,
  count: number,
  fits: (one: T) => boolean,
): T[] {
  const found: T[] = [];
  for (let i = lastIndex(told, at); i >= 0 && found.length < count; i--) {
    const one = told[i];
    if (one && fits(one)) found.push(one);
  }
  return found;
}

/** The index of the last one not later than a frame, or -1. */
function lastIndex(told: readonly InFrame[], at: number): number {
  let low = 0;
  let high = told.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((told[middle]?.frame ?? Infinity) <= at) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
