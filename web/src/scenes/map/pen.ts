/** Small things that are written on the picture itself, in pixels. */

export const FONT = "system-ui, sans-serif";

export function card(
  pen: CanvasRenderingContext2D,
  ink: string,
  x: number,
  y: number,
  width: number,
  height: number,
): void {
  pen.beginPath();
  pen.roundRect(x, y, width, height, 9);
  pen.fillStyle = ink;
  pen.fill();
}
