"""`astrarium esper tasks`: what hosts can be grown for."""

from __future__ import annotations

from typing import Any

from rich.console import Console
from rich.markup import escape

from astrarium.bench.report import PASSED
from astrarium.bench.tables import new_table, print_table
from astrarium.cli.json_output import Json, print_json


def tasks(*, json: Json = False) -> int:
    """List every task: its host, its slots, its budget, and whether its data is there."""
    from astrarium.esper.tasks import task_names

    rows = [_row(name) for name in task_names()]
    if json:
        return print_json(rows)
    console = Console(highlight=False)
    table = new_table("task", "parameters", "slots", "budget", "data", "summary", text=["summary"])
    for row in rows:
        budget = row["budget_epochs"]
        table.add_row(
            row["task"],
            f"{row['parameters']:,}",
            str(row["slots"]),
            "[dim]timing[/]" if budget is None else str(budget),
            "[yellow]missing[/]" if row["data"] == "missing" else row["data"],
            escape(row["summary"]),
        )
    print_table(console, table)
    console.print(
        "[dim]budgets are in epochs of the host alone; ASTRARIUM_CIFAR10 and "
        "ASTRARIUM_TINYSTORIES say where data is that you bring[/]",
        soft_wrap=True,
    )
    return PASSED


def _row(name: str) -> dict[str, Any]:
    from astrarium.esper.contracts.errors import DatasetError
    from astrarium.esper.tasks import task
    from astrarium.esper.tasks.sources import place_of

    spec = task(name)
    try:
        data = "built in" if place_of(spec, None) is None else "found"
    except DatasetError:
        data = "missing"
    return {
        "task": name,
        "parameters": spec.host.parameters,
        "slots": len(spec.host.slot_ids),
        "budget_epochs": None if spec.timing_only else spec.budget_epochs,
        "data": data,
        "summary": spec.summary,
    }
