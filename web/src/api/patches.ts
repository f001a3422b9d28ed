/** JSON merge patches (RFC 7396): what changed, told key by key; null takes a key away. */

type Json = Record<string, unknown>;

/** The object a patch leads to. What did not change is shared with the one before. */
export function patched(before: Json, patch: Json): Json {
  const after = { ...before };
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete after[key];
    else if (isObject(value)) {
      const held = after[key];
      after[key] = patched(isObject(held) ? held : {}, value);
    } else after[key] = value;
  }
  return after;
}

function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
