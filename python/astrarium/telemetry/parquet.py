"""The windows and events of a run as tables, in Parquet or CSV.

Every file is written whole. A field that a row does not have is null in it.
"""

# Arrow has no types.
# pyright: reportMissingTypeStubs=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, Literal

from astrarium import atomic
from astrarium.extras import require_extra
from astrarium.runs import RunFolder, documents
from astrarium.telemetry.events import Event
from astrarium.telemetry.sinks import FOLDER

Form = Literal["parquet", "csv"]

Rows = Sequence[Mapping[str, Any]]


def write_tables(run_folder: Path, to: Path, form: Form = "parquet") -> list[Path]:
    """Write `windows` and `events` of a run into a folder; the files that came of it."""
    if form == "parquet":
        require_extra("pyarrow", "track")
    run = RunFolder.open(run_folder)
    tables = {"windows": run.windows(), "events": run.events()}
    paths = {table: to / f"{table}.{form}" for table in tables}
    for table, rows in tables.items():
        atomic.write_bytes(paths[table], _WRITTEN[form](rows))
    return list(paths.values())


def _columns(rows: Rows) -> dict[str, list[Any]]:
    return {name: [row.get(name) for row in rows] for row in rows for name in row}


def _parquet(rows: Rows) -> bytes:
    import pyarrow
    from pyarrow import parquet

    columns = {name: _array(values) for name, values in _columns(rows).items()}
    written = io.BytesIO()
    parquet.write_table(pyarrow.table(columns), written)
    return written.getvalue()


def _array(values: list[Any]) -> Any:
    """A column, as numbers or words where all its values are, else as JSON."""
    import pyarrow

    try:
        array = pyarrow.array(values)
    except (pyarrow.ArrowInvalid, pyarrow.ArrowTypeError):
        return pyarrow.array([None if one is None else _text(one) for one in values])
    # A figure that never was is still a figure: `concat` of two runs must not stumble over it.
    return array.cast(pyarrow.float64()) if pyarrow.types.is_null(array.type) else array


def _csv(rows: Rows) -> bytes:
    columns = _columns(rows)
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows([_text(one) for one in row] for row in zip(*columns.values(), strict=True))
    return text.getvalue().encode()


def _text(value: Any) -> str:
    if value is None:
        return ""
    return value if isinstance(value, str) else documents.encode(value).decode()


_WRITTEN: Final[Mapping[Form, Callable[[Rows], bytes]]] = {"parquet": _parquet, "csv": _csv}


class ParquetSink:
    """Both tables in `sinks/parquet`, never more than a tenth behind while the run goes on."""

    name = "parquet"

    def __init__(self, run_folder: Path) -> None:
        require_extra("pyarrow", "track")
        self._run_folder = run_folder
        self._windows = 0
        self._written = 0

    def window(self, row: Mapping[str, Any]) -> None:
        """Count a row, and write once enough are new: all rewriting together stays linear."""
        self._windows = int(row["window_id"]) + 1
        if self._windows > 1.1 * self._written:
            self._write()

    def event(self, event: Event) -> None:
        """Nothing to do: events are written with the windows."""

    def close(self) -> None:
        """Write everything."""
        self._write()

    def _write(self) -> None:
        write_tables(self._run_folder, self._run_folder / FOLDER / self.name)
        self._written = self._windows
