/** Finds the drawing module a world names. A world without one gets the plain scene. */

import type { SceneModule } from "./scene";

const modules = import.meta.glob<SceneModule>("./*/index.ts");

export async function loadScene(name: string): Promise<SceneModule> {
  const load = modules[`./${name}/index.ts`] ?? modules["./plain/index.ts"];
  if (!load) throw new Error("the plain scene is missing from this build");
  return load();
}

/** The scene of a world whose description could not be had: its id begins with the scene's name. */
export function sceneOfWorldId(world: string | null | undefined): string {
  return (world ?? "").replace(/-v\d+$/, "");
}
