/** Which world, which seed, which settings. */

import { useState } from "react";
import type { NewSession } from "../../api/client";
import type { World } from "../../api/types";
import { settingFields, settingsOf, type SettingField } from "./settings";

interface Props {
  worlds: World[];
  busy: boolean;
  onStart: (body: NewSession) => void;
}

export function StartForm({ worlds, busy, onStart }: Props) {
  const [id, setId] = useState(() => newest(worlds).id);
  const world = worlds.find((one) => one.id === id) ?? newest(worlds);
  const [seed, setSeed] = useState("");
  const [values, setValues] = useState<Record<string, string>>({});
  const fields = settingFields(world);
  return (
    <form
      className="start"
      onSubmit={(event) => {
        event.preventDefault();
        const settings = settingsOf(fields, values);
        onStart({
          world: world.id,
          ...(seed.trim() === "" ? {} : { seed: Number(seed) }),
          ...(Object.keys(settings).length > 0 ? { settings } : {}),
        });
      }}
    >
      <h1>Take the controls</h1>
      <p className="muted">
        The same world the policies learn in, one step at a time, by your hand.
      </p>
      <div className="world-cards" role="radiogroup" aria-label="World">
        {worlds.map((one) => (
          <label key={one.id} className="world-card panel">
            <input
              type="radio"
              name="world"
              aria-label={one.title}
              value={one.id}
              checked={one.id === id}
              onChange={() => {
                setId(one.id);
                setValues({});
              }}
            />
            <span>
              <b>{one.title}</b>
              <span className="muted small">{one.summary}</span>
            </span>
          </label>
        ))}
      </div>
      <details>
        <summary>Seed and settings</summary>
        <div className="start-fields">
          <label className="field">
            Seed
            <input
              inputMode="numeric"
              pattern="[0-9]*"
              placeholder="any"
              value={seed}
              onChange={(event) => setSeed(event.target.value)}
            />
          </label>
          {fields.map((field) => (
            <SettingInput
              key={field.name}
              field={field}
              value={values[field.name] ?? ""}
              onChange={(text) => setValues((held) => ({ ...held, [field.name]: text }))}
            />
          ))}
        </div>
      </details>
      <button type="submit" className="primary start-button" disabled={busy}>
        {busy ? "Starting…" : "Start"}
      </button>
    </form>
  );
}

/** The last version of the first world listed: versions are told apart by their number. */
function newest(worlds: World[]): World {
  const family = worlds[0]?.scene;
  const found = worlds.findLast((world) => world.scene === family) ?? worlds[0];
  if (!found) throw new Error("no playable world");
  return found;
}

interface InputProps {
  field: SettingField;
  value: string;
  onChange: (text: string) => void;
}

function SettingInput({ field, value, onChange }: InputProps) {
  return (
    <label className="field" title={field.description}>
      {field.title}
      <input
        inputMode="decimal"
        placeholder={field.standard}
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
    </label>
  );
}
