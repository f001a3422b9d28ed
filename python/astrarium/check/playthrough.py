"""Promise 6: a readable playthrough is committed for every scenario, and replays."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from astrarium import playthroughs
from astrarium.check.report import Finding
from astrarium.worlds import WorldEntry


def faults(entry: WorldEntry, folder: Path) -> Iterator[Finding]:
    """Scenarios without a transcript that holds."""
    scenarios = playthroughs.scenarios_of(entry)
    if not scenarios:
        yield Finding(
            6,
            f"{entry.id} declares no scenario",
            f"write one into {playthroughs.scenarios_path(entry)}",
        )
    for scenario in scenarios:
        mint = f"astrarium playthrough mint {entry.id} {scenario.name}"
        answer = playthroughs.verify(entry, scenario, folder)
        if answer.missing:
            yield Finding(6, f"{answer.path} does not exist", mint)
        elif answer.difference:
            yield Finding(
                6,
                f"{answer.path} does not replay:\n{answer.difference}",
                f"if the change is meant, {mint} --reason '...'; if not, the difference shows what "
                "broke",
            )
    for path in playthroughs.strays(entry, folder):
        yield Finding(6, f"{path} belongs to no scenario", "delete it, or declare its scenario")


def note(entry: WorldEntry | None, folder: Path | None) -> str | None:
    """Why nothing can be replayed, if so."""
    if entry is None:
        return "a bare factory has no scenarios; check its WorldEntry to replay them"
    if not entry.portable:
        return "machines compute it with other bits, so no transcript of it could be committed"
    if folder is None:
        return "no folder of transcripts is known; name one (--playthroughs FOLDER)"
    return None
