/** The weather over the town, where there is any: rain in streaks, cold as a pale cover. */

import type { Inks } from "./inks";
import type { Town } from "./town";

/** Tiles of ground per streak. */
const SPACING = 12;
const LENGTH = 0.9;

/** A share of 1 that looks like chance and is the same in every drawing of a tick. */
function scattered(index: number, salt: number): number {
  const mixed = Math.sin(index * 12.9898 + salt * 78.233) * 43758.5453;
  return mixed - Math.floor(mixed);
}

export function paintWeather(
  pen: CanvasRenderingContext2D,
  town: Town,
  inks: Inks,
  scale: number,
): void {
  const sky = town.weather?.now;
  if (sky !== "rainy" && sky !== "cold") return;
  const [width, height] = town.size;
  pen.save();
  if (sky === "cold") {
    pen.globalAlpha = 0.16;
    pen.fillStyle = inks.frost;
    pen.fillRect(-0.2, -0.2, width + 0.4, height + 0.4);
  } else {
    pen.globalAlpha = 0.5;
    pen.strokeStyle = inks.rain;
    pen.lineWidth = 1.3 / scale;
    pen.beginPath();
    for (let drop = 0; drop < (width * height) / SPACING; drop++) {
      const x = scattered(drop, town.tick) * width;
      const y = scattered(drop, town.tick + 0.5) * (height - LENGTH);
      pen.moveTo(x, y);
      pen.lineTo(x - LENGTH / 4, y + LENGTH);
    }
    pen.stroke();
  }
  pen.restore();
}
