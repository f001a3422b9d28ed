/** The small map of a scene, where it has one. */

import { useEffect, useRef } from "react";
import type { FrameSource } from "../player/playback";
import type { Minimap, Scene } from "./scene";

export function MinimapView({ scene, source }: { scene: Scene; source: FrameSource }) {
  const host = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const box = host.current;
    if (!box || !scene.minimap) return;
    let map: Minimap | null = null;
    let left = false;
    const draw = () => map?.show(source.now().frame);
    const undo = source.onTick(draw);
    scene.minimap(box).then(
      (made) => {
        if (left) return made.destroy();
        map = made;
        draw();
      },
      () => undefined, // the main scene has already said what is wrong
    );
    return () => {
      left = true;
      undo();
      map?.destroy();
    };
  }, [scene, source]);
  return <div className="minimap" ref={host} role="img" aria-label="Map of the surroundings" />;
}
