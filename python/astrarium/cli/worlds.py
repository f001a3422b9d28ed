"""`astrarium worlds`: what there is to play."""

from __future__ import annotations

from rich.console import Console
from rich.table import Table

from astrarium import worlds as registry


def worlds() -> int:
    """List every registered world."""
    table = Table(title="Worlds", title_justify="left", box=None, pad_edge=False)
    table.add_column("id", style="bold cyan")
    for column in ("agents", "sees", "chooses", "bots", "summary"):
        table.add_column(column)
    for world_id in registry.ids():
        entry = registry.get(world_id)
        choices = " × ".join(str(len(head)) for head in entry.action_names)
        agents = str(len(entry.agent_names))
        bots = ", ".join(entry.bots) or "-"
        table.add_row(world_id, agents, str(len(entry.obs_names)), choices, bots, entry.summary)
    Console().print(table)
    return 0
