/** A world's settings as form fields, from the schema it publishes. */

import type { World } from "../../api/types";

export interface SettingField {
  name: string;
  title: string;
  description: string;
  /** Its default, shown where nothing is entered. */
  standard: string;
}

interface Property {
  type?: string;
  title?: string;
  description?: string;
  anyOf?: { type?: string }[];
}

/** Numbers only: they are what a person sets by hand. */
export function settingFields(world: World): SettingField[] {
  const properties = (world.settings_schema["properties"] ?? {}) as Record<string, Property>;
  return Object.entries(properties)
    .filter(([, property]) => isNumber(property))
    .map(([name, property]) => ({
      name,
      title: spaced(name),
      description: property.description ?? "",
      standard: textOf(world.defaults[name]),
    }));
}

function isNumber(property: Property): boolean {
  const types = [property.type, ...(property.anyOf ?? []).map((one) => one.type)];
  return types.includes("number") || types.includes("integer");
}

function spaced(name: string): string {
  const text = name.replaceAll("_", " ");
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function textOf(value: unknown): string {
  return typeof value === "number" ? String(value) : "";
}

/** What was filled in; anything that is no number is left for the server to explain. */
export function settingsOf(
  fields: readonly SettingField[],
  values: Record<string, string>,
): Record<string, unknown> {
  const settings: Record<string, unknown> = {};
  for (const field of fields) {
    const text = (values[field.name] ?? "").trim();
    if (text === "") continue;
    const number = Number(text);
    settings[field.name] = Number.isNaN(number) ? text : number;
  }
  return settings;
}
