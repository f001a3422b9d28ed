import { describe, expect, it } from "vitest";
import { encodeGif, type Picture } from "../src/export/gif";

function picture(
  width: number,
  height: number,
  color: (i: number) => [number, number, number],
): Picture {
  const data = new Uint8ClampedArray(width * height * 4);
  for (let i = 0; i < width * height; i++) data.set([...color(i), 255], i * 4);
  return { width, height, data };
}

/** The palette and the pixels of the first picture, by a plain reader of the format. */
function decode(gif: Uint8Array): { palette: Uint8Array; pixels: number[] } {
  const palette = gif.slice(13, 13 + 768);
  let at = 13 + 768 + 19 + 8 + 10;
  const bits = gif[at++] ?? 0;
  const bytes: number[] = [];
  for (let size = gif[at++] ?? 0; size > 0; size = gif[at++] ?? 0) {
    bytes.push(...gif.slice(at, at + size));
    at += size;
  }
  return { palette, pixels: unpack(bytes, bits) };
}

function unpack(bytes: number[], bits: number): number[] {
  const clear = 1 << bits;
  let table: number[][] = [];
  let width = 0;
  const restart = () => {
    table = Array.from({ length: clear + 2 }, (_, i) => (i < clear ? [i] : []));
    width = bits + 1;
  };
  const out: number[] = [];
  let before: number[] | null = null;
  let at = 0;
  restart();
  for (;;) {
    let code = 0;
    for (let i = 0; i < width; i++, at++) code |= (((bytes[at >> 3] ?? 0) >> (at & 7)) & 1) << i;
    if (code === clear + 1) return out;
    if (code === clear) {
      restart();
      before = null;
      continue;
    }
    const row: number[] = table[code] ?? [...(before ?? []), before?.[0] ?? 0];
    out.push(...row);
    if (before && table.length < 4096) {
      table.push([...before, row[0] ?? 0]);
      if (table.length === 1 << width && width < 12) width++;
    }
    before = row;
  }
}

describe("GIF", () => {
  it("keeps every pixel of a picture with few colours", () => {
    const colors: [number, number, number][] = [
      [0, 0, 0],
      [248, 0, 0],
      [0, 248, 0],
    ];
    const original = picture(40, 30, (i) => colors[(i * i) % 3] ?? [0, 0, 0]);
    const { palette, pixels } = decode(encodeGif([original], 100));
    expect(pixels).toHaveLength(1200);
    pixels.forEach((index, i) => {
      const shown = [...palette.slice(index * 3, index * 3 + 3)].map((v) => v >> 3);
      expect(shown).toEqual([...original.data.slice(i * 4, i * 4 + 3)].map((v) => v >> 3));
    });
  });

  it("survives a full code table", () => {
    const noisy = picture(200, 200, (i) => {
      const mixed = Math.imul(i + 1, 2654435761) >>> 0;
      return [(mixed >> 3) & 248, (mixed >> 13) & 248, 0];
    });
    expect(decode(encodeGif([noisy], 40)).pixels).toHaveLength(40_000);
  });

  it("asks for a picture", () => {
    expect(() => encodeGif([], 40)).toThrow(/at least one/);
  });
});
