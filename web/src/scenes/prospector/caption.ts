// The two lines that say where the ship is, and the banner at the end of an episode.

import { BitmapText, Container } from "pixi.js";
import type { Frame } from "../../api/types";
import type { Field } from "./field";
import type { Sight } from "./reading";

const FONT = "system-ui, sans-serif";
const NAMES = { station: "Home station", cluster: "Rock field", hazard: "Hazard field" } as const;

export class Caption {
  readonly view = new Container();
  private readonly title = line(17, "700");
  private readonly subtitle = line(13, "500");
  private readonly banner = line(34, "800");

  constructor() {
    this.subtitle.tint = 0xb9c8ea;
    this.banner.anchor.set(0.5);
    this.view.addChild(this.title, this.subtitle, this.banner);
  }

  show(sight: Sight, frame: Frame | null): void {
    const { place } = sight;
    set(this.title, place.atStation ? NAMES.station : `${NAMES[place.kind]} ${place.index}`);
    const lanes = place.hopsToStation === 1 ? "lane" : "lanes";
    set(this.subtitle, place.atStation ? "" : `${place.hopsToStation} ${lanes} from home`);
    const ending = frame ? endingOf(frame) : null;
    this.banner.visible = ending !== null;
    if (ending) {
      set(this.banner, ending.text);
      this.banner.tint = ending.color;
    }
  }

  resize(field: Field): void {
    const scale = Math.min(1.15, Math.max(0.8, field.unit));
    this.title.scale.set(scale);
    this.subtitle.scale.set(scale);
    this.banner.scale.set(scale * Math.min(1, field.width / 420));
    this.title.position.set(16, 13);
    this.subtitle.position.set(16, 13 + 23 * scale);
    this.banner.position.set(
      field.centerX,
      field.centerY + Math.max(field.height * 0.2, 92 * field.unit),
    );
  }

  destroy(): void {
    this.view.destroy({ children: true });
  }
}

function endingOf(frame: Frame): { text: string; color: number } | null {
  if (frame.events.includes("destroyed")) return { text: "Ship lost", color: 0xff8a8a };
  if (frame.events.includes("stranded")) return { text: "Stranded", color: 0xb9c8ea };
  if (frame.events.includes("cash_out")) return { text: "Cashed out", color: 0xffe08a };
  if (isTrue(frame.truncated)) return { text: "Time is up", color: 0xffe08a };
  if (isTrue(frame.terminated)) return { text: "The run is over", color: 0xffe08a };
  return null;
}

function isTrue(told: boolean | boolean[]): boolean {
  return Array.isArray(told) ? told.some(Boolean) : told;
}

function line(fontSize: number, fontWeight: "500" | "700" | "800"): BitmapText {
  return new BitmapText({
    text: "",
    style: { fontFamily: FONT, fontSize, fontWeight, fill: 0xffffff },
  });
}

/** Setting a text lays it out again, so it is set only when it changed. */
function set(target: BitmapText, text: string): void {
  if (target.text !== text) target.text = text;
}
