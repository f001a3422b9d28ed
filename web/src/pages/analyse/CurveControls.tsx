import type { Axis } from "../../charts/curves";

export interface CurveSettings {
  smoothing: number;
  axis: Axis;
  logX: boolean;
  logY: boolean;
  /** Runs of equal config as one curve with shaded seeds. */
  grouped: boolean;
  search: string;
}

interface Props {
  settings: CurveSettings;
  onChange: (settings: CurveSettings) => void;
}

export function CurveControls({ settings, onChange }: Props) {
  const set = (change: Partial<CurveSettings>) => onChange({ ...settings, ...change });
  return (
    <div className="curve-controls">
      <label className="field">
        Metric
        <input
          type="search"
          placeholder="Filter"
          value={settings.search}
          onChange={(event) => set({ search: event.target.value })}
        />
      </label>
      <label className="field">
        Over
        <select
          value={settings.axis}
          onChange={(event) => set({ axis: event.target.value as Axis })}
        >
          <option value="ticks">Ticks</option>
          <option value="windows">Windows</option>
          <option value="seconds">Seconds</option>
        </select>
      </label>
      <label className="field">
        Smoothing {Math.round(settings.smoothing * 100)} %
        <input
          type="range"
          min={0}
          max={0.95}
          step={0.05}
          value={settings.smoothing}
          onChange={(event) => set({ smoothing: Number(event.target.value) })}
        />
      </label>
      <label className="check">
        <input
          type="checkbox"
          checked={settings.grouped}
          onChange={(event) => set({ grouped: event.target.checked })}
        />
        Join equal configs
      </label>
      <label className="check">
        <input
          type="checkbox"
          checked={settings.logY}
          onChange={(event) => set({ logY: event.target.checked })}
        />
        Log values
      </label>
      <label className="check">
        <input
          type="checkbox"
          checked={settings.logX}
          onChange={(event) => set({ logX: event.target.checked })}
        />
        Log {settings.axis}
      </label>
    </div>
  );
}
