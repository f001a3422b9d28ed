/** Pictures as an animated GIF: one palette for all, LZW by the book. */

export interface Picture {
  width: number;
  height: number;
  /** RGBA, as a canvas gives it. */
  data: Uint8ClampedArray;
}

const COLORS = 256;

/** Five bits a channel: near colours share a bin. */
function bin(data: Uint8ClampedArray, at: number): number {
  return (
    (((data[at] ?? 0) >> 3) << 10) | (((data[at + 1] ?? 0) >> 3) << 5) | ((data[at + 2] ?? 0) >> 3)
  );
}

/** The bins seen most often. */
export function paletteOf(pictures: readonly Picture[]): number[] {
  const counts = new Uint32Array(1 << 15);
  for (const { data } of pictures) {
    for (let at = 0; at < data.length; at += 4) {
      const color = bin(data, at);
      counts[color] = (counts[color] ?? 0) + 1;
    }
  }
  const count = (color: number) => counts[color] ?? 0;
  const seen = Array.from(counts.keys()).filter((color) => count(color) > 0);
  return seen.sort((a, b) => count(b) - count(a)).slice(0, COLORS);
}

function distance(a: number, b: number): number {
  const red = (a >> 10) - (b >> 10);
  const green = ((a >> 5) & 31) - ((b >> 5) & 31);
  const blue = (a & 31) - (b & 31);
  return red * red * 3 + green * green * 6 + blue * blue;
}

class Palette {
  #nearest = new Map<number, number>();

  constructor(readonly colors: readonly number[]) {}

  indexOf(color: number): number {
    const known = this.#nearest.get(color);
    if (known !== undefined) return known;
    let best = 0;
    let least = Infinity;
    this.colors.forEach((one, index) => {
      const apart = distance(color, one);
      if (apart < least) {
        least = apart;
        best = index;
      }
    });
    this.#nearest.set(color, best);
    return best;
  }
}

class Bytes {
  #held = new Uint8Array(1 << 16);
  #length = 0;

  put(...values: number[]): void {
    for (const value of values) {
      if (this.#length === this.#held.length) {
        const larger = new Uint8Array(this.#held.length * 2);
        larger.set(this.#held);
        this.#held = larger;
      }
      this.#held[this.#length++] = value & 255;
    }
  }

  short(value: number): void {
    this.put(value & 255, value >> 8);
  }

  text(value: string): void {
    for (const letter of value) this.put(letter.charCodeAt(0));
  }

  take(): Uint8Array<ArrayBuffer> {
    return this.#held.slice(0, this.#length);
  }
}

/** Codes of growing width, packed into blocks of at most 255 bytes. */
class CodeWriter {
  #bits = 0;
  #count = 0;
  #block: number[] = [];

  constructor(private readonly out: Bytes) {}

  put(code: number, width: number): void {
    this.#bits |= code << this.#count;
    this.#count += width;
    while (this.#count >= 8) {
      this.#push(this.#bits & 255);
      this.#bits >>>= 8;
      this.#count -= 8;
    }
  }

  finish(): void {
    if (this.#count > 0) this.#push(this.#bits & 255);
    this.#flush();
    this.out.put(0);
  }

  #push(byte: number): void {
    this.#block.push(byte);
    if (this.#block.length === 255) this.#flush();
  }

  #flush(): void {
    if (this.#block.length === 0) return;
    this.out.put(this.#block.length, ...this.#block);
    this.#block = [];
  }
}

const MIN_CODE_BITS = 8;
const CLEAR = 1 << MIN_CODE_BITS;
const END = CLEAR + 1;
const CODES_MAX = 4096;

function lzw(indices: Uint8Array, out: Bytes): void {
  out.put(MIN_CODE_BITS);
  const codes = new CodeWriter(out);
  let table = new Map<number, number>();
  let next = END + 1;
  let width = MIN_CODE_BITS + 1;
  codes.put(CLEAR, width);
  let prefix = indices[0] ?? 0;
  for (let i = 1; i < indices.length; i++) {
    const pixel = indices[i] ?? 0;
    const key = (prefix << 8) | pixel;
    const known = table.get(key);
    if (known !== undefined) {
      prefix = known;
      continue;
    }
    codes.put(prefix, width);
    if (next === CODES_MAX) {
      codes.put(CLEAR, width);
      table = new Map();
      next = END + 1;
      width = MIN_CODE_BITS + 1;
    } else {
      if (next === 1 << width) width++;
      table.set(key, next++);
    }
    prefix = pixel;
  }
  codes.put(prefix, width);
  codes.put(END, width);
  codes.finish();
}

/** An endless GIF of equal pictures, each shown for `delayMs`. */
export function encodeGif(pictures: readonly Picture[], delayMs: number): Uint8Array<ArrayBuffer> {
  const first = pictures[0];
  if (!first) throw new Error("a GIF needs at least one picture");
  const palette = new Palette(paletteOf(pictures));
  const out = new Bytes();
  out.text("GIF89a");
  out.short(first.width);
  out.short(first.height);
  out.put(0xf7, 0, 0);
  for (let i = 0; i < COLORS; i++) {
    const color = palette.colors[i] ?? 0;
    out.put(channel(color >> 10), channel((color >> 5) & 31), channel(color & 31));
  }
  out.put(0x21, 0xff, 11);
  out.text("NETSCAPE2.0");
  out.put(3, 1, 0, 0, 0);
  for (const picture of pictures) putPicture(out, picture, palette, delayMs);
  out.put(0x3b);
  return out.take();
}

function channel(five: number): number {
  return (five << 3) | (five >> 2);
}

function putPicture(out: Bytes, picture: Picture, palette: Palette, delayMs: number): void {
  out.put(0x21, 0xf9, 4, 0);
  out.short(Math.max(2, Math.round(delayMs / 10)));
  out.put(0, 0, 0x2c);
  out.short(0);
  out.short(0);
  out.short(picture.width);
  out.short(picture.height);
  out.put(0);
  const indices = new Uint8Array(picture.width * picture.height);
  for (let i = 0; i < indices.length; i++) indices[i] = palette.indexOf(bin(picture.data, i * 4));
  lzw(indices, out);
}
