/** What part of a map is on the screen. */

export interface Camera {
  /** The place in the middle, in the map's own units, y downwards. */
  x: number;
  y: number;
  /** Pixels a unit. */
  scale: number;
}

export interface Room {
  width: number;
  height: number;
}

/** What there is to see, and how it is looked at. */
export interface Area {
  x: number;
  y: number;
  width: number;
  height: number;
  /** Air around it, in its own units. */
  margin: number;
  /** Units of height shown when somebody is followed. */
  closeUp: number;
  /** How much nearer than the whole one can go. */
  zoomMax: number;
}

/** The whole area, with a little air around it. */
export function fitted(area: Area, room: Room): Camera {
  const { x, y, width, height, margin } = area;
  const scale = Math.min(room.width / (width + 2 * margin), room.height / (height + 2 * margin));
  return { x: x + width / 2, y: y + height / 2, scale };
}

/** Close to a point; never so far that the area would be smaller than when it is shown whole. */
export function closeTo(area: Area, room: Room, x: number, y: number, zoom: number): Camera {
  const whole = fitted(area, room);
  const near = Math.max(whole.scale, Math.min(room.width, room.height) / area.closeUp);
  const scale = Math.max(whole.scale, near * zoom);
  return within(area, room, { x, y, scale });
}

/** Shifted so that no more than the margin lies outside the area, where it is large enough. */
export function within(area: Area, room: Room, camera: Camera): Camera {
  const along = (at: number, from: number, units: number, pixels: number) => {
    const half = pixels / camera.scale / 2;
    if (half * 2 >= units + 2 * area.margin) return from + units / 2;
    return Math.min(Math.max(at, from + half - area.margin), from + units + area.margin - half);
  };
  return {
    x: along(camera.x, area.x, area.width, room.width),
    y: along(camera.y, area.y, area.height, room.height),
    scale: camera.scale,
  };
}

export function approached(from: Camera, to: Camera, share: number): Camera {
  const mix = (a: number, b: number) => a + (b - a) * share;
  return { x: mix(from.x, to.x), y: mix(from.y, to.y), scale: mix(from.scale, to.scale) };
}

export function close(a: Camera, b: Camera): boolean {
  const gap = Math.hypot(a.x - b.x, a.y - b.y) * b.scale;
  return gap < 0.4 && Math.abs(a.scale / b.scale - 1) < 0.001;
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
