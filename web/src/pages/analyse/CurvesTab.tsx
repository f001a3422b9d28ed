/** Every metric as a curve. */

import { useMemo, useState } from "react";
import type { Run } from "../../api/types";
import { groupsByConfig, type Group } from "../../charts/configs";
import { CurveChart, type ColoredCurve } from "../../charts/CurveChart";
import { curveOf, joined, metricsOf, smoothed, type Axis, type Curve } from "../../charts/curves";
import { seriesColors } from "../../charts/stacked";
import { metricTitle, shortRun } from "../../shell/figures";
import type { Resource } from "../../shell/resource";
import { messageOf } from "../../api/errors";
import { Command, Empty, Failed, Loading } from "../../shell/states";
import { useTheme } from "../../shell/theme";
import { CurveControls, type CurveSettings } from "./CurveControls";
import { WhenSeen } from "./WhenSeen";
import type { RunData } from "./run_data";

interface Props {
  data: Resource<RunData[]>;
  runs: readonly Run[];
}

const AXIS_TITLE: Record<Axis, string> = { ticks: "ticks", windows: "window", seconds: "seconds" };

export function CurvesTab({ data, runs }: Props) {
  const [settings, setSettings] = useState<CurveSettings>({
    smoothing: 0,
    axis: "ticks",
    logX: false,
    logY: false,
    grouped: true,
    search: "",
  });
  const theme = useTheme();
  const held = useMemo(() => data.value ?? [], [data.value]);
  const metrics = useMemo(() => metricsOf(held.flatMap((run) => run.windows)), [held]);
  const groups = useMemo(
    () =>
      settings.grouped
        ? groupsByConfig(held)
        : held.map((run): Group => ({ key: run.id, runs: [run.id] })),
    [held, settings.grouped],
  );
  // eslint-disable-next-line react-hooks/exhaustive-deps -- colours follow the theme
  const colors = useMemo(() => seriesColors(), [theme]);
  const named = useMemo(() => namesOf(groups, runs), [groups, runs]);
  const colorOf = (i: number) => colors[i % colors.length] ?? "gray";

  if (data.loading && !data.value) return <Loading what="curves" />;
  if (data.error !== null && !data.value) return <Failed error={data.error} retry={data.reload} />;
  if (held.length === 0) return <NothingChosen />;
  const shown = metrics.filter((name) =>
    metricTitle(name).toLowerCase().includes(settings.search.toLowerCase()),
  );
  return (
    <div className="stack">
      <CurveControls settings={settings} onChange={setSettings} />
      <ul className="legend" aria-label="Curves">
        {groups.map((group, i) => (
          <li key={group.key}>
            <span className="swatch" style={{ background: colorOf(i) }} aria-hidden="true" />
            {named[i]}
          </li>
        ))}
      </ul>
      {held
        .filter((run) => run.error !== null)
        .map((run) => (
          <p key={run.id} className="stale">
            {shortRun(run.id)}: {messageOf(run.error)}
          </p>
        ))}
      {shown.length === 0 && <Empty title="No window yet, or no metric of that name." />}
      <div className="chart-grid">
        {shown.map((metric) => (
          <WhenSeen key={metric} height={272}>
            <MetricChart
              metric={metric}
              held={held}
              groups={groups}
              names={named}
              colors={colors}
              settings={settings}
            />
          </WhenSeen>
        ))}
      </div>
    </div>
  );
}

interface MetricProps {
  metric: string;
  held: readonly RunData[];
  groups: readonly Group[];
  names: readonly string[];
  colors: readonly string[];
  settings: CurveSettings;
}

function MetricChart({ metric, held, groups, names, colors, settings }: MetricProps) {
  const { axis, smoothing } = settings;
  const curves = useMemo(
    () =>
      groups.map((group, i): ColoredCurve => {
        const members = group.runs.map((id): Curve => {
          const rows = held.find((run) => run.id === id)?.windows ?? [];
          const curve = curveOf(id, rows, metric, axis);
          return { ...curve, y: smoothed(curve.y, smoothing) };
        });
        return {
          curve: joined(names[i] ?? "", members),
          color: colors[i % colors.length] ?? "gray",
        };
      }),
    [groups, held, metric, axis, smoothing, names, colors],
  );
  return (
    <CurveChart
      title={metricTitle(metric)}
      axis={AXIS_TITLE[axis]}
      curves={curves}
      logX={settings.logX}
      logY={settings.logY}
      fileName={metric}
    />
  );
}

function namesOf(groups: readonly Group[], runs: readonly Run[]): string[] {
  return groups.map((group) => {
    const first = group.runs[0] ?? "";
    const world = runs.find((run) => run.run_id === first)?.world ?? "";
    if (group.runs.length === 1) {
      const seed = runs.find((run) => run.run_id === first)?.seed;
      return `${shortRun(first)} ${world}${seed === null || seed === undefined ? "" : ` seed ${seed}`}`;
    }
    return `${world} × ${group.runs.length} seeds (${shortRun(first)})`;
  });
}

function NothingChosen() {
  return (
    <Empty title="Choose a run to see its curves.">
      <p>No run yet? This trains one for about a minute:</p>
      <Command text="astrarium tour" />
    </Empty>
  );
}
