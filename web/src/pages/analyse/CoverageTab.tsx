/** Which sources of figures a run has, and what each lacks. */

import { api } from "../../api/client";
import { SAMPLE_RUN } from "../../api/sample";
import type { Completeness, CoverageSource } from "../../api/types";
import { ago, clockTime } from "../../shell/figures";
import { useResource } from "../../shell/resource";
import { Empty, Failed, Loading, Stale } from "../../shell/states";
import { TableScroll } from "../../shell/TableScroll";

export function CoverageTab({ run }: { run: string | null }) {
  const asked = run === null || run === SAMPLE_RUN ? null : run;
  const coverage = useResource(asked && `coverage ${asked}`, (signal) =>
    api.completeness(asked ?? "", signal),
  );
  if (asked === null) {
    return <Empty title="Choose a run of the server; the bundled sample has no files to check." />;
  }
  if (coverage.loading && !coverage.value) return <Loading what="coverage" />;
  if (!coverage.value) return <Failed error={coverage.error} retry={coverage.reload} />;
  const found = coverage.value;
  return (
    <div className="stack">
      {coverage.stale && <Stale error={coverage.error} retry={coverage.reload} />}
      <section className="panel">
        <header>
          <h2>Coverage</h2>
          <span className={`badge badge-${found.overall_status}`}>{found.overall_status}</span>
          <span className="muted small">
            {Object.entries(found.status_counts)
              .map(([status, count]) => `${count} ${status}`)
              .join(" · ")}
          </span>
          <button type="button" onClick={coverage.reload}>
            Check again
          </button>
        </header>
        <TableScroll label="Coverage">
          <table>
            <thead>
              <tr>
                {["Source", "Status", "Observed", "Missing", "From", "Notes"].map((title) => (
                  <th key={title} scope="col">
                    {title}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {found.coverage.map((source) => (
                <SourceRow key={source.key} source={source} />
              ))}
            </tbody>
          </table>
        </TableScroll>
      </section>
      <Context found={found} />
    </div>
  );
}

function SourceRow({ source }: { source: CoverageSource }) {
  return (
    <tr>
      <th scope="row">{source.label}</th>
      <td>
        <span className={`badge badge-${source.status}`}>{source.status}</span>
      </td>
      <td>{source.observed_count}</td>
      <td className="mono small">{source.missing_fields.join(", ") || "–"}</td>
      <td className="small">
        {source.lineage.path ?? source.lineage.source ?? "–"}
        <br />
        <span className="muted" title={clockTime(source.lineage.updated_at)}>
          {ago(source.lineage.updated_at)}
        </span>
      </td>
      <td className="small">{source.notes.join(" ") || "–"}</td>
    </tr>
  );
}

function Context({ found }: { found: Completeness }) {
  return (
    <section className="panel">
      <header>
        <h2>Where it comes from</h2>
      </header>
      <dl className="facts panel-body context">
        {Object.entries(found.run_context).map(([name, value]) => (
          <div key={name}>
            <dt>{name.replaceAll("_", " ")}</dt>
            <dd>
              {value && /^https?:/.test(value) ? (
                <a href={value} rel="noreferrer">
                  {value}
                </a>
              ) : (
                (value ?? "–")
              )}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
