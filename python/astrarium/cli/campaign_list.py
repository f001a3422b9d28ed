"""`astrarium campaign list`: the wars below a folder."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Final

import cyclopts
from rich.console import Console
from rich.markup import escape

from astrarium.bench.tables import new_table, print_table
from astrarium.campaign.folder import read_summary
from astrarium.campaign.shapes import WarFolderError
from astrarium.cli.json_output import Json, print_json

_WARS: Final = Path("wars")
Wars = Annotated[Path, cyclopts.Parameter(help="Folder of the war folders.")]


def list_wars(*, wars: Wars = _WARS, json: Json = False) -> int:
    """List wars, the one written last first."""
    places = sorted(wars.glob("*/war.json"), key=lambda place: (-_written(place), place.parent))
    rows = [_row(place.parent) for place in places]
    if json:
        return print_json(rows)
    console = Console(highlight=False)
    if not rows:
        console.print(
            f"there is no war in {escape(str(wars))}; wage one: [cyan]astrarium campaign run[/]",
            soft_wrap=True,
        )
        return 0
    table = new_table("war", "seed", "status", "days", "winner", "battles", text=["winner"])
    for row in rows:
        table.add_row(
            escape(row["war"]),
            _word(row["seed"]),
            row["status"],
            "-" if row["days"] is None else f"{row['days']} of {row['days_planned']}",
            _word(row["winner"]),
            _word(row["battles"]),
        )
    print_table(console, table)
    for row in rows:
        if row["problem"] is not None:
            words = f"[red]{escape(row['war'])}[/]: {escape(row['problem'])}"
            console.print(words, soft_wrap=True)
    return 0


def _written(place: Path) -> int:
    """Return when a file was written, in nanoseconds; 0 for one that was removed since."""
    try:
        return place.stat().st_mtime_ns
    except OSError:
        return 0


def _row(folder: Path) -> dict[str, Any]:
    row: dict[str, Any] = {"war": folder.name, "folder": str(folder), "status": "broken"}
    row |= dict.fromkeys(
        ("seed", "days", "days_planned", "ended_by", "winner", "battles", "problem")
    )
    try:
        summary = read_summary(folder)
    except (WarFolderError, OSError) as error:
        return row | {"problem": str(error)}
    return row | {
        "status": "finished" if summary["finished"] else "unfinished",
        "seed": summary["seed"],
        "days": summary["days"],
        "days_planned": summary["days_planned"],
        "ended_by": summary["ended_by"] if summary["finished"] else None,
        "winner": summary["winner"],
        "battles": len(summary["battles"]),
    }


def _word(value: Any) -> str:
    return "-" if value is None else escape(str(value))
