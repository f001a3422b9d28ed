/** Which world, which seed, which settings. */

import { useState } from "react";
import type { NewSession } from "../../api/client";
import type { World } from "../../api/types";
import { settingFields, settingsOf, type SettingField } from "./settings";

interface Props {
  worlds: World[];
  first: string;
  busy: boolean;
  onStart: (body: NewSession) => void;
}

export function StartForm({ worlds, first, busy, onStart }: Props) {
  const [id, setId] = useState(first);
  const world = worlds.find((one) => one.id === id) ?? worlds[0];
  const [seed, setSeed] = useState("");
  const [values, setValues] = useState<Record<string, string>>({});
  if (!world) return null;
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
      <WorldCards
        worlds={worlds}
        chosen={world.id}
        onChoose={(chosen) => {
          setId(chosen);
          setValues({});
        }}
      />
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
      {fields.length > 0 && (
        <details>
          <summary>Settings of the world</summary>
          <div className="start-fields">
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
      )}
      <button type="submit" className="primary start-button" disabled={busy}>
        {busy ? "Starting…" : "Start"}
      </button>
    </form>
  );
}

interface CardsProps {
  worlds: World[];
  chosen: string;
  onChoose: (id: string) => void;
}

function WorldCards({ worlds, chosen, onChoose }: CardsProps) {
  return (
    <div className="world-cards" role="radiogroup" aria-label="World">
      {worlds.map((one) => (
        <label key={one.id} className="world-card panel">
          <input
            type="radio"
            name="world"
            aria-label={one.title}
            value={one.id}
            checked={one.id === chosen}
            onChange={() => onChoose(one.id)}
          />
          <span>
            <b>{one.title}</b>
            <span className="muted small">{one.summary}</span>
          </span>
        </label>
      ))}
    </div>
  );
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
      {field.choices ? (
        <select value={value || field.standard} onChange={(event) => onChange(event.target.value)}>
          {field.choices.map((choice) => (
            <option key={choice}>{choice}</option>
          ))}
        </select>
      ) : (
        <input
          inputMode="decimal"
          placeholder={field.standard}
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </label>
  );
}
