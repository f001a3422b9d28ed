/** Benchmark reports: what was measured, on which machine, and whether it passed. */

import { useMemo, useState } from "react";
import { api } from "../../api/client";
import type { ReportRow } from "../../api/types";
import { downloadText } from "../../export/filming";
import { ago, figure } from "../../shell/figures";
import { useResource } from "../../shell/resource";
import { Command, Empty, Failed, Loading } from "../../shell/states";
import { TableScroll } from "../../shell/TableScroll";
import { tablesOf, type ReportTable } from "./report_tables";

export function ReportsTab() {
  const reports = useResource("reports", (signal) => api.reports(signal));
  const [picked, setPicked] = useState<string | null>(null);
  if (reports.loading && !reports.value) return <Loading what="reports" />;
  if (!reports.value) return <Failed error={reports.error} retry={reports.reload} />;
  if (reports.value.length === 0) {
    return (
      <Empty title="No benchmark report yet.">
        <Command text="astrarium bench worlds" />
      </Empty>
    );
  }
  const chosen = picked ?? reports.value[0]?.name ?? "";
  return (
    <div className="stack">
      <ul className="report-list">
        {reports.value.map((report) => (
          <li key={report.name}>
            <ReportChoice
              report={report}
              chosen={report.name === chosen}
              onChoose={() => setPicked(report.name)}
            />
          </li>
        ))}
      </ul>
      <Report key={chosen} name={chosen} />
    </div>
  );
}

interface ChoiceProps {
  report: ReportRow;
  chosen: boolean;
  onChoose: () => void;
}

function ReportChoice({ report, chosen, onChoose }: ChoiceProps) {
  return (
    <button type="button" className="choice" aria-pressed={chosen} onClick={onChoose}>
      <span className="choice-title">{report.kind ?? report.name}</span>
      <Verdict passed={report.passed} />
      <span className="muted small choice-note">
        {ago(report.generated_at)}
        {report.commit ? ` · ${report.commit.slice(0, 8)}` : ""}
      </span>
    </button>
  );
}

function Verdict({ passed }: { passed: boolean | null }) {
  if (passed === null) return <span className="badge">no verdict</span>;
  return (
    <span className={`badge badge-${passed ? "good" : "bad"}`}>{passed ? "passed" : "failed"}</span>
  );
}

interface Machine {
  cpu?: string;
  cores?: number;
  python?: string;
  command?: string;
}

function Report({ name }: { name: string }) {
  const report = useResource(`report ${name}`, (signal) => api.report(name, signal));
  const tables = useMemo(
    () => (report.value ? tablesOf(report.value["results"]) : []),
    [report.value],
  );
  if (report.loading && !report.value) return <Loading what="the report" />;
  if (!report.value) return <Failed error={report.error} retry={report.reload} />;
  const summary = (report.value["summary"] ?? {}) as { pass?: boolean; reasons?: string[] };
  const machine = (report.value["machine"] ?? {}) as Machine;
  return (
    <div className="stack">
      {(summary.reasons ?? []).map((reason) => (
        <p key={reason} className="stale">
          {reason}
        </p>
      ))}
      <p className="muted small">
        {[machine.cpu, machine.cores && `${machine.cores} cores`, machine.python, machine.command]
          .filter(Boolean)
          .join(" · ")}
      </p>
      {tables.map((table, i) => (
        <ReportTableView key={i} table={table} />
      ))}
      <div className="row">
        <button
          type="button"
          onClick={() =>
            downloadText(JSON.stringify(report.value, null, 2), `${name}`, "application/json")
          }
        >
          The report as JSON
        </button>
      </div>
    </div>
  );
}

const ROWS_SHOWN = 60;

function ReportTableView({ table }: { table: ReportTable }) {
  const [all, setAll] = useState(false);
  const rows = all ? table.rows : table.rows.slice(0, ROWS_SHOWN);
  return (
    <section className="panel report">
      <header>
        <h2>{table.title}</h2>
        {rows.length < table.rows.length && (
          <button type="button" onClick={() => setAll(true)}>
            All {table.rows.length} rows
          </button>
        )}
      </header>
      <TableScroll label={table.title}>
        <table>
          <thead>
            <tr>
              {table.columns.map((column, j) => (
                <th
                  key={column}
                  scope="col"
                  className={typeof rows[0]?.[j] === "number" ? "number" : undefined}
                >
                  {column.replaceAll("_", " ")}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row, i) => (
              <tr key={i}>
                {row.map((cell, j) => (
                  <td key={j} className={typeof cell === "number" ? "number" : undefined}>
                    {cellText(cell)}
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

function cellText(cell: ReportTable["rows"][number][number]): string {
  if (cell === null || cell === "") return "–";
  if (typeof cell === "number") return figure(cell);
  if (typeof cell === "boolean") return cell ? "yes" : "no";
  return cell;
}
