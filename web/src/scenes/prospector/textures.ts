// Sprites as textures: each SVG is drawn once on a canvas at the size the screen needs.
//
// An image element, not the library's loader: that one fetches and starts workers from blobs,
// which a strict content policy forbids.

import { CanvasSource, Texture } from "pixi.js";
import type { Assets } from "../../assets/assets";

export type Textures = Map<string, Texture>;

/** Widest side in CSS pixels that a sprite is shown at; drawn twice as fine for dense screens. */
const SIZES: [prefix: string, pixels: number][] = [
  ["bg.planet", 480],
  ["bg.starfield", 512],
  ["bg.nebula", 320],
  ["entity.station", 420],
  ["entity.ship", 150],
  ["entity.asteroid", 110],
  ["vfx.mine", 64],
  ["vfx", 128],
  ["", 110],
];

export async function loadTextures(assets: Assets, keys: readonly string[]): Promise<Textures> {
  const textures: Textures = new Map();
  await Promise.all(
    keys.map(async (key) => {
      const address = key.startsWith("bg.") ? assets.background(key) : assets.frame(key);
      textures.set(key, (address && (await drawn(address, sizeOf(key)))) || Texture.EMPTY);
    }),
  );
  return textures;
}

export function textureOf(textures: Textures, key: string): Texture {
  return textures.get(key) ?? Texture.EMPTY;
}

export function destroyTextures(textures: Textures): void {
  for (const texture of textures.values()) {
    if (texture !== Texture.EMPTY) texture.destroy(true);
  }
  textures.clear();
}

/** A round soft spot, for glows, dust and sparks. */
export function softSpot(): Texture {
  const size = 64;
  const canvas = sheet(size, size);
  const pen = canvas.getContext("2d");
  if (pen) {
    const light = pen.createRadialGradient(size / 2, size / 2, 0, size / 2, size / 2, size / 2);
    light.addColorStop(0, "rgba(255,255,255,1)");
    light.addColorStop(0.25, "rgba(255,255,255,.55)");
    light.addColorStop(0.6, "rgba(255,255,255,.12)");
    light.addColorStop(1, "rgba(255,255,255,0)");
    pen.fillStyle = light;
    pen.fillRect(0, 0, size, size);
  }
  return textureFrom(canvas);
}

/** Clear in the middle, full at the rim: the frame of a hazard. */
export function vignette(): Texture {
  const size = 256;
  const canvas = sheet(size, size);
  const pen = canvas.getContext("2d");
  if (pen) {
    const shade = pen.createRadialGradient(
      size / 2,
      size / 2,
      size * 0.34,
      size / 2,
      size / 2,
      size * 0.72,
    );
    shade.addColorStop(0, "rgba(255,255,255,0)");
    shade.addColorStop(0.55, "rgba(255,255,255,.25)");
    shade.addColorStop(1, "rgba(255,255,255,1)");
    pen.fillStyle = shade;
    pen.fillRect(0, 0, size, size);
  }
  return textureFrom(canvas);
}

/** A sky from top to bottom. */
export function gradient(colors: readonly string[]): Texture {
  const canvas = sheet(4, 256);
  const pen = canvas.getContext("2d");
  if (pen) {
    const sky = pen.createLinearGradient(0, 0, 0, 256);
    colors.forEach((color, i) => sky.addColorStop(i / (colors.length - 1), color));
    pen.fillStyle = sky;
    pen.fillRect(0, 0, 4, 256);
  }
  return textureFrom(canvas);
}

function sizeOf(key: string): number {
  return SIZES.find(([prefix]) => key.startsWith(prefix))?.[1] ?? 110;
}

function sheet(width: number, height: number): HTMLCanvasElement {
  const canvas = document.createElement("canvas");
  canvas.width = width;
  canvas.height = height;
  return canvas;
}

function textureFrom(canvas: HTMLCanvasElement): Texture {
  return new Texture({ source: new CanvasSource({ resource: canvas, autoGenerateMipmaps: true }) });
}

/** Null where the file is missing or no picture: the scene is drawn without it. */
async function drawn(address: string, pixels: number): Promise<Texture | null> {
  try {
    const image = new Image();
    image.src = address;
    await image.decode();
    const finer =
      (pixels * Math.min(2, Math.max(1, window.devicePixelRatio))) /
      Math.max(image.width, image.height);
    const canvas = sheet(Math.ceil(image.width * finer), Math.ceil(image.height * finer));
    canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
    return textureFrom(canvas);
  } catch {
    return null;
  }
}
