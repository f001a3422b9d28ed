"""Questions in SQL about the runs below a folder."""

# duckdb leaves the types of its rows open.
# pyright: reportUnknownMemberType=false

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, cast

from astrarium.esper.contracts.errors import EsperError, HappeningError
from astrarium.esper.contracts.happenings import TABLE, decode
from astrarium.esper.views import view_names, view_sql
from astrarium.extras import require_extra
from astrarium.runs import DamagedRunError, RunError, RunFolder, names

if TYPE_CHECKING:
    import duckdb

LIMIT: Final = 100
_PREFIX: Final = "esper-"
_METADATA: Final = (
    *("run_id", "status", "world", "env_steps_total", "target_env_steps"),
    *("started_at", "finished_at", "commit"),
)


class QueryError(EsperError, ValueError):
    """A question that cannot be answered."""


@dataclass(frozen=True, slots=True)
class Answer:
    """Rows, and whether there were more."""

    columns: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]
    cut: bool
    left_out: tuple[str, ...] = ()
    """What is wrong with runs that cannot be read; none of their lines count."""


def ask(root: Path, sql: str, limit: int = LIMIT, given: Sequence[Any] = ()) -> Answer:
    """The answer to one SELECT; `given` fills its question marks."""
    require_extra("duckdb", "esper")
    import duckdb

    connection = _connected()
    try:
        left_out = _fill(connection, root)
        statements = connection.extract_statements(sql)
        if [one.type for one in statements] != [duckdb.StatementType.SELECT]:
            raise QueryError("a question is one SELECT; nothing here can be changed")
        found = connection.execute(statements[0], list(given))
        columns = tuple(one[0] for one in found.description or ())
        rows = found.fetchmany(limit + 1)
    except duckdb.Error as error:
        raise QueryError(f"{error}\nthere are the views {', '.join(view_names())}") from error
    finally:
        connection.close()
    shown = tuple(tuple(row) for row in rows[:limit])
    return Answer(columns, shown, len(rows) > limit, left_out)


def _connected() -> duckdb.DuckDBPyConnection:
    """A database in memory that reads and writes no file, whatever it is asked."""
    import duckdb

    settings: dict[str, Any] = {
        "enable_external_access": "false",
        "autoload_known_extensions": "false",
        "autoinstall_known_extensions": "false",
    }
    connection = duckdb.connect(":memory:", config=settings)
    # Names of variables of this program are no tables.
    connection.execute("SET python_enable_replacements = false")
    connection.execute("SET lock_configuration = true")
    return connection


def _fill(connection: duckdb.DuckDBPyConnection, root: Path) -> tuple[str, ...]:
    """Make the tables and views; return what is wrong with runs that were left out."""
    connection.execute("CREATE TABLE kinds (kind VARCHAR, label VARCHAR, severity VARCHAR)")
    labels = [[kind, one.label, one.rank] for kind, one in TABLE.items()]
    connection.executemany("INSERT INTO kinds VALUES (?, ?, ?)", labels)
    columns = ", ".join(
        f"{name} {'BIGINT' if _is_count(name) else 'VARCHAR'}" for name in _METADATA
    )
    connection.execute(f"CREATE TABLE run_metadata ({columns}, resumes BIGINT, machine JSON)")
    connection.execute(
        "CREATE TABLE raw_events (run_id VARCHAR, line BIGINT, kind VARCHAR, label VARCHAR, "
        "severity VARCHAR, written_at VARCHAR, round BIGINT, env BIGINT, episode BIGINT, "
        "epoch BIGINT, body JSON)"
    )
    left_out: list[str] = []
    for place in _run_folders(root):
        try:
            if (read := _read(place)) is not None:
                _insert(connection, place.name, *read)
        except (RunError, HappeningError) as error:
            # One damaged folder says nothing about the others.
            left_out.append(f"run {place.name} is left out: {error}")
    for name, sql in view_sql().items():
        connection.execute(f"CREATE VIEW {name} AS {sql}")
    return tuple(left_out)


def _insert(connection: duckdb.DuckDBPyConnection, run: str, row: list[Any], lines: str) -> None:
    """Add a run, whole or not at all."""
    import duckdb

    marks = ", ".join("?" * len(row))
    connection.begin()
    try:
        connection.execute(f"INSERT INTO run_metadata VALUES ({marks})", row)
        connection.execute(
            "INSERT INTO raw_events SELECT ?, line, kinds.kind, label, severity, body->>'$.at', "
            "(body->>'$.round')::BIGINT, (body->>'$.env')::BIGINT, (body->>'$.episode')::BIGINT, "
            "(body->>'$.epoch')::BIGINT, body "
            "FROM (SELECT generate_subscripts(found, 1) AS line, unnest(found) AS body "
            "FROM (SELECT json_extract(?::JSON, '$[*]') AS found)) "
            "JOIN kinds ON kinds.kind = body->>'$.kind' ORDER BY line",
            [run, lines],
        )
    except (duckdb.Error, OverflowError) as error:
        connection.rollback()
        raise DamagedRunError(f"its lines do not fit the tables: {error}") from error
    connection.commit()


def _run_folders(root: Path) -> Iterator[Path]:
    """Yield the folders of runs in a folder, by name."""
    for place in sorted(root.iterdir()) if root.is_dir() else []:
        if names.is_run_id(place.name) and (place / names.METADATA).is_file():
            yield place


def _read(place: Path) -> tuple[list[Any], str] | None:
    """Return the row of a run and its lines as one JSON array; None for other worlds than Esper."""
    folder = RunFolder.open(place)
    told = folder.metadata()
    if not str(told.get("world", "")).startswith(_PREFIX):
        return None
    row = [folder.status() if name == "status" else told.get(name) for name in _METADATA]
    for name, value in zip(_METADATA, row, strict=True):
        wanted = int if _is_count(name) else str
        if value is not None and type(value) is not wanted:
            raise DamagedRunError(
                f"{place / names.METADATA}: {name} is {value!r}, not a {wanted.__name__}"
            )
    resumes = told.get("resumes", [])
    if not isinstance(resumes, list):
        raise DamagedRunError(f"{place / names.METADATA}: resumes is {resumes!r}, not a list")
    row += [len(cast("list[Any]", resumes)), json.dumps(told.get("machine"))]
    return row, _whole_lines(folder)


def _is_count(name: str) -> bool:
    return name.endswith(("_steps", "_total"))


def _whole_lines(folder: RunFolder) -> str:
    """All lines of a run as one JSON array, each a known happening."""
    told = folder.world_events()
    for number, one in enumerate(told, 1):
        try:
            decode(one)
        except HappeningError as error:
            place = folder.folder / names.WORLD_EVENTS
            raise HappeningError(f"{place}:{number}: {error}") from error
    return json.dumps(told)
