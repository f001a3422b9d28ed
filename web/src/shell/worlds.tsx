/** The worlds the server knows, asked for once. */

import { createContext, useContext, type ReactNode } from "react";
import { api } from "../api/client";
import type { World } from "../api/types";
import { sceneOfWorldId } from "../scenes/loading";
import { useResource, type Resource } from "./resource";

const Worlds = createContext<Resource<World[]> | null>(null);

export function WorldsProvider({ children }: { children: ReactNode }) {
  const worlds = useResource("worlds", (signal) => api.worlds(signal));
  return <Worlds.Provider value={worlds}>{children}</Worlds.Provider>;
}

export function useWorlds(): Resource<World[]> {
  const worlds = useContext(Worlds);
  if (!worlds) throw new Error("useWorlds outside of WorldsProvider");
  return worlds;
}

export function worldById(worlds: Resource<World[]>, id: string | null | undefined): World | null {
  return worlds.value?.find((world) => world.id === id) ?? null;
}

/** Which drawing a world asks for, also where the server could not be asked. */
export function sceneName(worlds: Resource<World[]>, id: string | null | undefined): string {
  return worldById(worlds, id)?.scene ?? sceneOfWorldId(id);
}

export function worldTitle(worlds: Resource<World[]>, id: string | null | undefined): string {
  return worldById(worlds, id)?.title ?? id ?? "unknown world";
}
