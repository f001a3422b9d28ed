"""Figures and happenings in few characters. Colour only repeats what a word or a mark says."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import Final

import msgspec
from rich.text import Text

from astrarium.esper.contracts import seed_happenings as of_seeds
from astrarium.esper.contracts.happening import Happening, HostHappening, Severity
from astrarium.esper.contracts.happenings import severity_of
from astrarium.esper.contracts.host_happenings import SeedSeen

NOTHING: Final = "–"
ARROWS: Final = {1: "↑", 0: "→", -1: "↓"}
"""By trend."""
SEVERITY_STYLES: Final[dict[Severity, str]] = {
    "debug": "dim",
    "info": "",
    "warning": "yellow",
    "error": "red",
    "critical": "bold red",
}
PLACE: Final = frozenset({"at", "round", "env", "episode", "epoch", "slot_id", "severity"})
"""Fields that say where something happened, not what."""

_BARS: Final = "▁▂▃▄▅▆▇█"
_STAGE_STYLES: Final = {"FOSSILIZED": "green", "BLENDING": "cyan", "HOLDING": "cyan"}
_SENTENCES: Final[dict[type[Happening], str]] = {
    of_seeds.SeedGerminated: "{0.blueprint}, {0.params:,} parameters",
    of_seeds.SeedStageChanged: "{0.before} → {0.after} {0.reason}",
    of_seeds.SeedGateEvaluated: "{0.message}, score {0.score:.2f}",
    of_seeds.SeedFossilized: "{0.blueprint} after {0.age_epochs} epochs",
    of_seeds.SeedPruned: "{0.blueprint} after {0.age_epochs} epochs: {0.reason}",
}


def spark(values: Sequence[float | None], width: int) -> str:
    """The last values as bars from their least to their greatest; a gap where one is missing."""
    shown = values[-width:]
    there = [value for value in shown if value is not None]
    if not there:
        return ""
    low, span, top = min(there), max(there) - min(there), len(_BARS) - 1
    return "".join(
        " " if value is None else _BARS[round((value - low) / span * top) if span else 3]
        for value in shown
    )


def figure(value: float | None) -> str:
    """A number in four digits or so."""
    if value is None:
        return NOTHING
    if value != 0 and not 1e-3 <= abs(value) < 1e5:
        return f"{value:.1e}"
    return f"{value:.4f}" if abs(value) < 1 else f"{value:.4g}"


def signed(value: float | None) -> str:
    """A number that adds to something."""
    return NOTHING if value is None else f"{value:+.2f}"


def share(value: float | None) -> str:
    """A part of a whole."""
    return NOTHING if value is None else f"{value:.1%}"


def alpha(value: float) -> str:
    """An amplitude in three characters."""
    return "1.0" if value >= 0.995 else f"{value:.2f}"[1:]


def duration(seconds: float | None) -> str:
    """Hours, minutes and seconds."""
    return NOTHING if seconds is None else str(timedelta(seconds=round(seconds)))


def growth(ratio: float) -> Text:
    """How much larger a host became: marked from 2 times, doubly from 5 times."""
    style, mark = ("green", "") if ratio < 2 else ("yellow", "!") if ratio < 5 else ("red", "!!")
    return Text(f"{ratio:.2f}×{mark}", style)


def seed_cell(seed: SeedSeen | None, letters: int) -> Text:
    """A slot: the letter of its stage, its amplitude, and its blueprint in so many letters."""
    if seed is None:
        return Text("·", "dim")
    text = f"{seed.stage[0]}{alpha(seed.alpha)} {seed.blueprint[:letters]}"
    return Text(text, _STAGE_STYLES.get(seed.stage, ""))


def told(happening: Happening) -> Text:
    """A happening in a line."""
    line, severity = Text(no_wrap=True, overflow="ellipsis"), severity_of(happening)
    if isinstance(happening, HostHappening):
        place = (f"h{happening.env}", f"e{happening.epoch}", getattr(happening, "slot_id", ""))
        line.append(" ".join(filter(None, (*place, ""))) + " ", "dim")
    line.append(happening.label, SEVERITY_STYLES[severity])
    if happening.view == "anomalies":
        line.append(f" ({severity})", SEVERITY_STYLES[severity])
    sentence = _SENTENCES.get(type(happening))
    facts = (f"{name} {value}" for name, value in fields(happening, PLACE))
    return line.append(f" {sentence.format(happening) if sentence else ', '.join(facts)}")


def fields(struct: msgspec.Struct, without: frozenset[str]) -> list[tuple[str, str]]:
    """Whatever a struct says, field by field, in words; what is null or empty says nothing."""
    pairs = [
        (name, getattr(struct, name)) for name in struct.__struct_fields__ if name not in without
    ]
    return [
        (name.replace("_", " "), _shown(value)) for name, value in pairs if value not in (None, "")
    ]


def _shown(value: object) -> str:
    match value:
        case bool():
            return "yes" if value else "no"
        case int():
            return f"{value:,}"
        case float():
            return figure(value)
        case tuple():
            return " ".join(map(str, value)) or "none"  # pyright: ignore[reportUnknownArgumentType]
        case _:
            return str(value)
