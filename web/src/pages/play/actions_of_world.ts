import type { World } from "../../api/types";
import { spoken } from "../../player/reading";

export function actionOfKey(world: World, key: string): number | undefined {
  return world.hotkeys[key] ?? world.hotkeys[key.toLowerCase()];
}

export function keyOfAction(world: World, action: number): string | null {
  return Object.entries(world.hotkeys).find(([, one]) => one === action)?.[0] ?? null;
}

export function actionLabel(world: World, action: number): string {
  return world.labels[action] ?? spoken(world.action_names[0]?.[action] ?? `action ${action}`);
}

/** The world's groups, and one for whatever they leave out. */
export function groupsOf(world: World): { title: string; actions: number[] }[] {
  const grouped = new Set(world.groups.flatMap((group) => group.actions));
  const rest = (world.action_names[0] ?? []).map((_, i) => i).filter((i) => !grouped.has(i));
  return rest.length > 0 ? [...world.groups, { title: "Other", actions: rest }] : world.groups;
}
