/** Configs compared: which runs are the same but for their seed, and where others differ. */

export type Flat = Record<string, string>;

/** Where and when a run was made is no part of what it tried. */
const IDENTITY = new Set(["run.seed", "run.id", "run.root", "run.threads"]);

export function flattened(value: unknown, path = ""): Flat {
  if (value !== null && typeof value === "object" && !Array.isArray(value)) {
    const entries = Object.entries(value);
    if (entries.length === 0 && path) return { [path]: "{}" };
    return Object.assign(
      {},
      ...entries.map(([name, inner]) => flattened(inner, path ? `${path}.${name}` : name)),
    ) as Flat;
  }
  return { [path]: JSON.stringify(value) ?? "" };
}

/** Equal text for runs that differ in nothing but identity. */
export function configKey(config: unknown): string {
  const flat = flattened(config);
  return Object.keys(flat)
    .filter((name) => !IDENTITY.has(name))
    .sort()
    .map((name) => `${name}=${flat[name]}`)
    .join("\n");
}

export interface DiffRow {
  name: string;
  /** One for each config; null where it has no such setting. */
  values: (string | null)[];
  differs: boolean;
}

export function configRows(configs: readonly unknown[]): DiffRow[] {
  const flats = configs.map((config) => flattened(config));
  const names = [...new Set(flats.flatMap((flat) => Object.keys(flat)))].sort();
  return names.map((name) => {
    const values = flats.map((flat) => flat[name] ?? null);
    return { name, values, differs: new Set(values).size > 1 };
  });
}

export interface Group {
  key: string;
  runs: string[];
}

export function groupsByConfig(runs: readonly { id: string; config: unknown }[]): Group[] {
  const groups = new Map<string, string[]>();
  for (const run of runs) {
    // A run whose config could not be read stands alone.
    const key = run.config === null ? run.id : configKey(run.config);
    groups.set(key, [...(groups.get(key) ?? []), run.id]);
  }
  return [...groups].map(([key, ids]) => ({ key, runs: ids }));
}
