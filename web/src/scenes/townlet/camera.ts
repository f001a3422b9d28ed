/** What part of the town is on the screen. */

export interface Camera {
  /** The tile in the middle. */
  x: number;
  y: number;
  /** Pixels a tile. */
  scale: number;
}

export interface Room {
  width: number;
  height: number;
}

/** Tiles of height shown when somebody is followed. */
const CLOSE_TILES = 20;
export const ZOOM_MAX = 6;

/** The whole grid, with a little air around it. */
export function fitted(size: readonly [number, number], room: Room): Camera {
  const [width, height] = size;
  const scale = Math.max(1, Math.min(room.width / (width + 1), room.height / (height + 1)));
  return { x: width / 2, y: height / 2, scale };
}

/** Close to a point; never so close that less than the grid's edge would be wasted. */
export function closeTo(
  size: readonly [number, number],
  room: Room,
  x: number,
  y: number,
  zoom: number,
): Camera {
  const whole = fitted(size, room);
  const near = Math.max(whole.scale, Math.min(room.width, room.height) / CLOSE_TILES);
  const scale = Math.max(whole.scale, near * zoom);
  return within(size, room, { x, y, scale });
}

/** Shifted so that no more than the margin lies outside the grid, where it is large enough. */
export function within(size: readonly [number, number], room: Room, camera: Camera): Camera {
  const along = (at: number, tiles: number, pixels: number) => {
    const half = pixels / camera.scale / 2;
    const margin = 0.5;
    if (half * 2 >= tiles + 2 * margin) return tiles / 2;
    return Math.min(Math.max(at, half - margin), tiles + margin - half);
  };
  return {
    x: along(camera.x, size[0], room.width),
    y: along(camera.y, size[1], room.height),
    scale: camera.scale,
  };
}

export function approached(from: Camera, to: Camera, share: number): Camera {
  const mix = (a: number, b: number) => a + (b - a) * share;
  return { x: mix(from.x, to.x), y: mix(from.y, to.y), scale: mix(from.scale, to.scale) };
}

export function close(a: Camera, b: Camera): boolean {
  const gap = Math.hypot(a.x - b.x, a.y - b.y) * b.scale;
  return gap < 0.4 && Math.abs(a.scale - b.scale) < 0.02;
}

/** The place of the map under a point of the screen. */
export function placeAt(
  camera: Camera,
  room: Room,
  px: number,
  py: number,
): { x: number; y: number } {
  return {
    x: camera.x + (px - room.width / 2) / camera.scale,
    y: camera.y + (py - room.height / 2) / camera.scale,
  };
}
