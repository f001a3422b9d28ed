/** Everything an agent sees, by name. */

import { useMemo, useState } from "react";
import type { Frame } from "../../api/types";
import { observationOf } from "../../player/reading";
import type { Words } from "../../scenes/scene";

interface Props {
  frame: Frame | null;
  words: Words;
  agent: number;
}

export function ObservationPanel({ frame, words, agent }: Props) {
  const [search, setSearch] = useState("");
  const [hideZeros, setHideZeros] = useState(true);
  const values = frame ? observationOf(frame, agent) : [];
  const matching = useMemo(() => {
    const wanted = search.toLowerCase().split(/\s+/).filter(Boolean);
    return words.obs_names
      .map((name, index) => ({ name, index, lower: name.toLowerCase() }))
      .filter((one) => wanted.every((word) => one.lower.includes(word)));
  }, [words, search]);
  if (frame && values.length === 0) {
    return (
      <p className="muted">
        This world is drawn from the inside; what its agents saw was not recorded.
      </p>
    );
  }
  const shown = matching.filter((one) => !hideZeros || (values[one.index] ?? 0) !== 0);
  return (
    <div className="stack">
      <div className="row">
        <label className="grow">
          <span className="visually-hidden">Search by name</span>
          <input
            type="search"
            className="wide"
            placeholder={`Search ${words.obs_names.length} values`}
            value={search}
            onChange={(event) => setSearch(event.target.value)}
          />
        </label>
        <label className="check">
          <input
            type="checkbox"
            checked={hideZeros}
            onChange={(event) => setHideZeros(event.target.checked)}
          />
          Hide zeros
        </label>
      </div>
      {shown.length === 0 && (
        <p className="muted">No value fits. Clear the search or show zeros.</p>
      )}
      <ul className="values">
        {shown.map((one) => {
          const value = values[one.index] ?? 0;
          const width = Math.min(1, Math.abs(value)) * 100;
          return (
            <li key={one.index}>
              <span className="value-name mono">{one.name}</span>
              <span className="mono">{value.toFixed(3)}</span>
              <span className={value < 0 ? "value-bar minus" : "value-bar"} aria-hidden="true">
                <span style={{ width: `${width}%` }} />
              </span>
            </li>
          );
        })}
      </ul>
    </div>
  );
}
