/** A scene in a page: made for its box, fed from a source, gone with it. */

import { useEffect, useRef, useState } from "react";
import { loadAssets } from "../assets/assets";
import { messageOf } from "../api/errors";
import type { FrameSource } from "../player/playback";
import { reducedMotion, useTheme } from "../shell/theme";
import { loadScene } from "./loading";
import type { Scene, SceneModule, Theme, Words } from "./scene";

export interface MountedScene {
  scene: Scene;
  module: SceneModule;
}

interface Props {
  sceneName: string;
  words: Words;
  human: boolean;
  source: FrameSource;
  label: string;
  onReady?: (mounted: MountedScene | null) => void;
}

export function SceneView({ sceneName, words, human, source, label, onReady }: Props) {
  const host = useRef<HTMLDivElement>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const theme = useTheme();
  const ready = useRef(onReady);
  useEffect(() => {
    ready.current = onReady;
  });

  useEffect(() => {
    const box = host.current;
    if (!box) return;
    const stage = new Stage(box, { sceneName, words, human, theme, source });
    setProblem(null);
    stage.open().then(
      (mounted) => mounted && ready.current?.(mounted),
      (error: unknown) => setProblem(messageOf(error)),
    );
    return () => {
      ready.current?.(null);
      stage.close();
    };
  }, [sceneName, words, human, theme, source]);

  return (
    <div className="scene" role="img" aria-label={label}>
      <div className="scene-host" ref={host} />
      {problem && (
        <p className="scene-problem" role="alert">
          This world could not be drawn: {problem}. The figures beside it are complete.
        </p>
      )}
    </div>
  );
}

interface StagePlan {
  sceneName: string;
  words: Words;
  human: boolean;
  theme: Theme;
  source: FrameSource;
}

/** The life of one scene, from loading its code to the last frame. */
class Stage {
  #closed = false;
  #scene: Scene | null = null;
  #undo: (() => void)[] = [];

  constructor(
    private readonly box: HTMLElement,
    private readonly plan: StagePlan,
  ) {}

  async open(): Promise<MountedScene | null> {
    const { sceneName, words, human, theme, source } = this.plan;
    const [module, assets] = await Promise.all([loadScene(sceneName), loadAssets()]);
    if (this.#closed) return null;
    const scene = module.create(assets, words);
    await scene.mount(this.box, { human, theme, reducedMotion: reducedMotion() });
    // Left while the scene was being made: nobody will close it later.
    if (this.#closed) {
      scene.destroy();
      return null;
    }
    this.#scene = scene;
    const draw = () => {
      const { frame, moment } = source.now();
      scene.show(frame, moment);
    };
    this.#undo.push(source.onTick(draw));
    const sizes = new ResizeObserver(() => {
      scene.resize();
      draw();
    });
    sizes.observe(this.box);
    this.#undo.push(() => sizes.disconnect());
    draw();
    return { scene, module };
  }

  close(): void {
    this.#closed = true;
    for (const undo of this.#undo) undo();
    this.#scene?.destroy();
    this.#scene = null;
  }
}
