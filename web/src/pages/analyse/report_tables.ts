/** A benchmark report as tables, whatever its kind: rows of objects become rows of cells. */

export interface ReportTable {
  title: string;
  columns: string[];
  rows: (string | number | boolean | null)[][];
}

type Cell = string | number | boolean | null;

function isRecord(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === "object" && !Array.isArray(value);
}

/** Nested figures side by side: `{p50, p95}` under `latency` becomes two columns. */
export function flatRow(
  value: Record<string, unknown>,
  depth = 2,
  path = "",
): Record<string, Cell> {
  const row: Record<string, Cell> = {};
  for (const [name, inner] of Object.entries(value)) {
    const key = path ? `${path}.${name}` : name;
    if (isRecord(inner) && depth > 0) Object.assign(row, flatRow(inner, depth - 1, key));
    else if (isRecord(inner)) row[key] = `${Object.keys(inner).length} fields`;
    else if (Array.isArray(inner)) row[key] = listText(inner);
    else row[key] = inner as Cell;
  }
  return row;
}

const LIST_TEXT_MAX = 80;

function listText(list: readonly unknown[]): string {
  if (list.some((item) => item !== null && typeof item === "object"))
    return `${list.length} entries`;
  const text = list.map(String).join(", ");
  return text.length > LIST_TEXT_MAX ? `${list.length} values` : text;
}

function tableOf(
  title: string,
  named: boolean,
  entries: [string, Record<string, unknown>][],
): ReportTable {
  const flats = entries.map(([name, value]) => ({ name, row: flatRow(value) }));
  const columns = [...new Set(flats.flatMap(({ row }) => Object.keys(row)))];
  return {
    title,
    columns: named ? ["", ...columns] : columns,
    rows: flats.map(({ name, row }) => {
      const cells = columns.map((column) => row[column] ?? null);
      return named ? [name, ...cells] : cells;
    }),
  };
}

/** Lists of objects, objects of objects, and what is left over as one table of single figures. */
export function tablesOf(value: unknown, title = "Results"): ReportTable[] {
  if (Array.isArray(value)) {
    const rows = value.filter(isRecord);
    return rows.length > 0
      ? [
          tableOf(
            title,
            false,
            rows.map((row) => ["", row]),
          ),
        ]
      : [];
  }
  if (!isRecord(value)) return [];
  const entries = Object.entries(value);
  const inner = entries.filter((entry): entry is [string, Record<string, unknown>] =>
    isRecord(entry[1]),
  );
  if (inner.length > 0 && inner.length === entries.length && inner.length > 1 && alike(inner)) {
    return [tableOf(title, true, inner)];
  }
  const single = entries.filter(([, one]) => !isRecord(one) && !listOfRecords(one));
  const tables: ReportTable[] = [];
  if (single.length > 0) {
    const row = flatRow(Object.fromEntries(single));
    tables.push({ title, columns: ["Figure", "Value"], rows: Object.entries(row) });
  }
  for (const [name, one] of entries) {
    if (isRecord(one) || listOfRecords(one)) tables.push(...tablesOf(one, spaced(name)));
  }
  return tables;
}

function listOfRecords(value: unknown): boolean {
  return Array.isArray(value) && value.some(isRecord);
}

/** Siblings with a common field are rows of one table. */
function alike(entries: readonly [string, Record<string, unknown>][]): boolean {
  const [first, ...rest] = entries;
  if (!first) return false;
  return Object.keys(first[1]).some((name) => rest.every(([, one]) => name in one));
}

function spaced(name: string): string {
  const text = name.replaceAll("_", " ");
  return text.charAt(0).toUpperCase() + text.slice(1);
}
