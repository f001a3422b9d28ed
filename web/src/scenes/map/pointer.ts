/** Dragging the map, and clicks on it that were no drags. */

import type { Camera } from "./camera";

const DRAG_PX = 5;

/** Listens until the scene goes. */
export type Listen = <K extends keyof WindowEventMap>(
  target: Window | HTMLElement,
  name: K,
  listener: (event: WindowEventMap[K]) => void,
) => void;

interface Answers {
  camera: () => Camera | null;
  /** Whether a finger moves the map, too. */
  holds: () => boolean;
  onDrag: (camera: Camera) => void;
  onClick: (event: PointerEvent) => void;
}

export function listenToPointer(canvas: HTMLCanvasElement, on: Listen, answers: Answers): void {
  let from: { x: number; y: number; camera: Camera; dragging: boolean } | null = null;
  on(canvas, "pointerdown", (event) => {
    const camera = answers.camera();
    if (event.button !== 0 || !camera) return;
    from = { x: event.clientX, y: event.clientY, camera, dragging: false };
  });
  on(window, "pointermove", (event) => {
    if (!from || (event.pointerType === "touch" && !answers.holds())) return;
    const [dx, dy] = [event.clientX - from.x, event.clientY - from.y];
    from.dragging ||= Math.hypot(dx, dy) > DRAG_PX;
    if (!from.dragging) return;
    const { x, y, scale } = from.camera;
    answers.onDrag({ x: x - dx / scale, y: y - dy / scale, scale });
  });
  on(window, "pointerup", (event) => {
    const began = from;
    from = null;
    if (began && !began.dragging && event.target === canvas) answers.onClick(event);
  });
  on(window, "pointercancel", () => (from = null));
}
