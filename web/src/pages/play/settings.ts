/** A world's settings as form fields, from the schema it publishes. */

import type { World } from "../../api/types";

export interface SettingField {
  name: string;
  title: string;
  description: string;
  /** Its default, shown where nothing is entered. */
  standard: string;
  /** What there is to choose from; null for a number. */
  choices: string[] | null;
}

interface Property {
  type?: string;
  enum?: unknown[];
  const?: unknown;
  description?: string;
  anyOf?: Property[];
}

/** Numbers and choices among words: they are what a person sets by hand. */
export function settingFields(world: World): SettingField[] {
  const properties = (world.settings_schema["properties"] ?? {}) as Record<string, Property>;
  return Object.entries(properties).flatMap(([name, property]) => {
    const choices = choicesOf(property);
    if (choices.length === 0 && !isNumber(property)) return [];
    return {
      name,
      title: spaced(name),
      description: property.description ?? "",
      standard: textOf(world.defaults[name]),
      choices: choices.length > 0 ? choices : null,
    };
  });
}

function isNumber(property: Property): boolean {
  const types = [property.type, ...(property.anyOf ?? []).map((one) => one.type)];
  return types.includes("number") || types.includes("integer");
}

function choicesOf(property: Property): string[] {
  const given = [...(property.enum ?? []), property.const].filter(isText);
  return [...given, ...(property.anyOf ?? []).flatMap(choicesOf)];
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

function spaced(name: string): string {
  const text = name.replaceAll("_", " ");
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function textOf(value: unknown): string {
  return typeof value === "number" || isText(value) ? String(value) : "";
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
    settings[field.name] = field.choices || Number.isNaN(number) ? text : number;
  }
  return settings;
}
