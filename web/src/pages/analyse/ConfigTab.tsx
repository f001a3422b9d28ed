/** What the chosen runs were asked to do, and where they differ. */

import { useMemo, useState } from "react";
import { configRows } from "../../charts/configs";
import { shortRun } from "../../shell/figures";
import type { Resource } from "../../shell/resource";
import { Empty, Failed, Loading } from "../../shell/states";
import { TableScroll } from "../../shell/TableScroll";
import type { RunData } from "./run_data";

export function ConfigTab({ data }: { data: Resource<RunData[]> }) {
  const [all, setAll] = useState(false);
  const runs = useMemo(() => (data.value ?? []).filter((run) => run.config !== null), [data.value]);
  const rows = useMemo(() => configRows(runs.map((run) => run.config)), [runs]);
  if (data.loading && !data.value) return <Loading what="configs" />;
  if (data.error !== null && !data.value) return <Failed error={data.error} retry={data.reload} />;
  if (runs.length === 0) return <Empty title="Choose runs to compare their configs." />;
  const everything = all || runs.length === 1;
  const shown = rows.filter((row) => everything || row.differs);
  return (
    <section className="panel">
      <header>
        <h2>{everything ? "Config" : "Where the configs differ"}</h2>
        {runs.length > 1 && (
          <label className="check">
            <input
              type="checkbox"
              checked={all}
              onChange={(event) => setAll(event.target.checked)}
            />
            Also what is equal
          </label>
        )}
      </header>
      {shown.length === 0 && <Empty title="These runs have the very same config." />}
      <TableScroll label="Settings">
        <table>
          <thead>
            <tr>
              <th scope="col">Setting</th>
              {runs.map((run) => (
                <th key={run.id} scope="col" title={run.id}>
                  {shortRun(run.id)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map((row) => (
              <tr key={row.name} className={row.differs && runs.length > 1 ? "differs" : undefined}>
                <th scope="row" className="mono">
                  {row.name}
                </th>
                {row.values.map((value, i) => (
                  <td key={i} className="mono">
                    {value ?? <span className="muted">not set</span>}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </TableScroll>
    </section>
  );
}
