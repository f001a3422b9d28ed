"""Transcripts on disk: minted with a reason, verified line by line."""

from __future__ import annotations

import difflib
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from astrarium import atomic
from astrarium.errors import ConfigError
from astrarium.playthroughs import transcript
from astrarium.playthroughs.scenario import Scenario, scenarios_of
from astrarium.worlds import WorldEntry

_REASON: Final = "minted  "
_DIFFERENCE_LINES_MAX: Final = 40


@dataclass(frozen=True, slots=True)
class Answer:
    """How a committed transcript compares with a new one."""

    path: Path
    missing: bool
    difference: str
    """Empty where every line is the same."""

    @property
    def holds(self) -> bool:
        """Whether it replays."""
        return not self.missing and not self.difference


def committed_folder() -> Path | None:
    """The transcripts of the repository this package stands in; None where it was installed."""
    folder = Path(__file__).parents[3] / "tests" / "playthroughs"
    return folder if folder.is_dir() else None


def path_of(entry: WorldEntry, scenario: Scenario, folder: Path) -> Path:
    """Where a scenario's transcript is kept."""
    return folder / entry.id / f"{scenario.name}.txt"


def written(entry: WorldEntry, scenario: Scenario) -> list[str]:
    """The transcript as it plays now, without the reason it was minted for."""
    return [*transcript.header(entry, scenario), "", *transcript.body(entry, scenario)]


def verify(entry: WorldEntry, scenario: Scenario, folder: Path) -> Answer:
    """Play a scenario again and compare it with its committed transcript."""
    path = path_of(entry, scenario, folder)
    if not path.exists():
        return Answer(path, missing=True, difference="")
    try:
        kept = _without_reason(path.read_text("utf-8"))
    except UnicodeDecodeError as error:
        raise ConfigError(
            f"{path} is not UTF-8 text ({error.reason} at byte {error.start}); "
            "restore it, or delete it and mint it again"
        ) from error
    now = written(entry, scenario)
    if kept == now:
        return Answer(path, missing=False, difference="")
    lines = list(difflib.unified_diff(kept, now, "committed", "now", lineterm=""))
    left_out = len(lines) - _DIFFERENCE_LINES_MAX
    shown = lines[:_DIFFERENCE_LINES_MAX]
    if left_out > 0:
        shown.append(f"... and {left_out} more lines of difference")
    return Answer(path, missing=False, difference="\n".join(shown))


def mint(entry: WorldEntry, scenario: Scenario, folder: Path, reason: str) -> Answer:
    """Write a transcript that is missing or no longer holds. Gives back what it was before.

    One that holds is left alone, with the reason it has.
    """
    before = verify(entry, scenario, folder)
    if before.holds:
        return before
    words = " ".join(reason.split())
    if not words:
        raise ConfigError("minting needs a reason: say why the behaviour changed")
    now = written(entry, scenario)
    head = now.index("")
    lines = [*now[:head], _REASON + words, *now[head:]]
    atomic.write_text(before.path, "\n".join(lines) + "\n")
    return before


def strays(entry: WorldEntry, folder: Path) -> list[Path]:
    """Transcripts of this world that no scenario asks for."""
    wanted = {path_of(entry, scenario, folder) for scenario in scenarios_of(entry)}
    return [path for path in sorted((folder / entry.id).glob("*.txt")) if path not in wanted]


def _without_reason(text: str) -> list[str]:
    lines = text.splitlines()
    head = lines.index("") if "" in lines else len(lines)
    return [line for at, line in enumerate(lines) if at > head or not line.startswith(_REASON)]
