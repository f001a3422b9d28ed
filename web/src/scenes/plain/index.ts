/** A scene for any world: what each agent sees as bars by name, and what it did. */

import type { Frame } from "../../api/types";
import { agentCount, choicesOf, choiceName, observationOf, rewardOf } from "../../player/reading";
import type { Fact, Gauge, MountOptions, Scene, Words } from "../scene";
import { paint, type AgentView } from "./paint";

export function create(_assets: unknown, words: Words): Scene {
  return new PlainScene(words);
}

class PlainScene implements Scene {
  #words: Words;
  #canvas: HTMLCanvasElement | null = null;
  #options: MountOptions | null = null;
  #frame: Frame | null = null;

  constructor(words: Words) {
    this.#words = words;
  }

  mount(host: HTMLElement, options: MountOptions): Promise<void> {
    this.#options = options;
    this.#canvas = document.createElement("canvas");
    this.#canvas.style.cssText = "display:block;width:100%;height:100%";
    host.append(this.#canvas);
    this.resize();
    return Promise.resolve();
  }

  show(frame: Frame | null): void {
    if (frame === this.#frame) return;
    this.#frame = frame;
    this.#draw();
  }

  resize(): void {
    const canvas = this.#canvas;
    if (!canvas) return;
    const ratio = Math.min(window.devicePixelRatio || 1, 2);
    canvas.width = Math.max(1, Math.round(canvas.clientWidth * ratio));
    canvas.height = Math.max(1, Math.round(canvas.clientHeight * ratio));
    this.#draw();
  }

  destroy(): void {
    this.#canvas?.remove();
    this.#canvas = null;
  }

  canvas(): HTMLCanvasElement | null {
    return this.#canvas;
  }

  #draw(): void {
    const pen = this.#canvas?.getContext("2d");
    if (!pen || !this.#options) return;
    paint(pen, this.#frame ? agentViews(this.#frame, this.#words) : [], this.#options.theme);
  }
}

function agentViews(frame: Frame, words: Words): AgentView[] {
  return Array.from({ length: agentCount(frame) }, (_, agent) => ({
    name: words.agents[agent] ?? `agent ${agent}`,
    did: choicesOf(frame, agent)
      .map((choice, head) => (choice < 0 ? "" : choiceName(words, head, choice)))
      .filter((text) => text !== "")
      .join(", "),
    reward: rewardOf(frame, agent),
    bars: observationOf(frame, agent).map((value, i) => ({
      name: words.obs_names[i] ?? `value ${i}`,
      value,
    })),
  }));
}

const GAUGES_MAX = 6;

/** The first values an agent sees; worlds put what matters most first. */
export function gauges(frame: Frame, words: Words): Gauge[] {
  return observationOf(frame, 0)
    .slice(0, GAUGES_MAX)
    .map((value, i) => ({
      label: (words.obs_names[i] ?? `value ${i}`).replaceAll("_", " "),
      value: Math.min(1, Math.abs(value)),
      tone: "plain",
      text: value.toFixed(2),
    }));
}

export function facts(frame: Frame): Fact[] {
  const numbers = Object.entries(frame.info ?? {}).filter(([, value]) => typeof value === "number");
  return numbers.slice(0, 8).map(([name, value]) => ({
    label: name.replaceAll("_", " "),
    text: Number((value as number).toFixed(2)).toLocaleString("en"),
  }));
}
