"""`astrarium worlds`: the worlds there are."""

from __future__ import annotations

from rich.console import Console
from rich.markup import escape

from astrarium import worlds as registry
from astrarium.bench.tables import new_table, print_table
from astrarium.cli.json_output import Json, print_json
from astrarium.train.config import preset, preset_names


def worlds(*, json: Json = False) -> int:
    """List every registered world."""
    entries = [registry.get(world_id) for world_id in registry.ids()]
    if json:
        return print_json(
            [
                {
                    "world": entry.id,
                    "title": entry.title,
                    "summary": entry.summary,
                    "agents": len(entry.agent_names),
                    "observations": len(entry.obs_names),
                    "actions": [len(head) for head in entry.action_names],
                    "bots": list(entry.bots),
                    "presets": _presets(entry.id),
                }
                for entry in entries
            ]
        )
    table = new_table("world", "agents", "observations", "summary", text=["summary"])
    table.columns[0].style = "bold cyan"
    for entry in entries:
        table.add_row(
            entry.id,
            str(len(entry.agent_names)),
            str(len(entry.obs_names)),
            escape(entry.summary),
        )
    console = Console(highlight=False)
    print_table(console, table)
    console.print(
        "\nTrain one with its preset: astrarium train WORLD. tidebreak-v1 and townlet-v1 take "
        "about five minutes on two cores.",
        soft_wrap=True,
    )
    return 0


def _presets(world_id: str) -> list[str]:
    """Names of the presets that train in a world, the usual one first."""
    return [name for name in preset_names() if preset(name)["world"]["id"] == world_id]
