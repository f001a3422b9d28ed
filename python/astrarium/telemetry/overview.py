"""What a run came to: the figures of its journals, read once, for lists and comparisons."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from astrarium.errors import ConfigError, did_you_mean
from astrarium.runs import RunFolder
from astrarium.telemetry.events import EventError, UpdateFinished, decode
from astrarium.telemetry.plots import Curve, Panel, curve, drawable
from astrarium.telemetry.sinks import STEP, update_figures

FAVOURITES: Final = (
    *("return_mean", "profit_mean", "survival_rate", "final_accuracy", "reward_mean"),
    *("entropy", "explained_variance", "approx_kl", "value_loss", "accuracy_mean"),
)
"""Which figures to look at first; those a run has none of are passed over."""

_PLACES: Final = ("window_id", "env_steps_start", "env_steps_end", "env_steps_in_window")
"""Numbers that say which window it is, not how it went."""


@dataclass(frozen=True, slots=True)
class RunFigures:
    """The rows of a run's windows and updates."""

    run_id: str
    windows: Sequence[Mapping[str, Any]]
    updates: Sequence[Mapping[str, Any]]
    """By update; figures of several policies stand side by side."""

    def curve(self, field: str) -> Curve:
        """A figure over ticks, of the windows where they have it, else of the updates.

        A last window that is not complete has figures of a few ticks, and is left out unless no
        other has the figure.
        """
        complete = [row for row in self.windows if row.get("window_complete", True)]
        for rows in (complete, self.windows):
            found = curve(rows, field, self.run_id)
            if found.values:
                return found
        return curve(self.updates, field, self.run_id)

    def fields(self) -> list[str]:
        """Every figure there is a curve of."""
        return list(dict.fromkeys([*drawable(self.windows), *drawable(self.updates)]))

    def last(self, field: str) -> float | None:
        """The newest value of a figure."""
        values = self.curve(field).values
        return values[-1] if values else None

    def best(self, field: str) -> float | None:
        """The greatest value of a figure."""
        return max(self.curve(field).values, default=None)


def figures_of(run: RunFolder, *, updates: bool = True) -> RunFigures:
    """Read a run's rows, also while it is written; without `updates` only the windows."""
    windows = run.windows(skip_bad=True)
    return RunFigures(run.run_id, windows, _updates_of(run) if updates else ())


def _updates_of(run: RunFolder) -> list[dict[str, Any]]:
    by_update: dict[int, dict[str, Any]] = {}
    for fields in run.events(skip_bad=True):
        try:
            event = decode(fields)
        except EventError:
            continue
        if isinstance(event, UpdateFinished):
            row = by_update.setdefault(event.update, {})
            row |= {"env_steps_total": event.env_steps_total, **update_figures(event)}
    return list(by_update.values())


def panels(runs: Sequence[RunFigures], chosen: Sequence[str] | None, count: int) -> list[Panel]:
    """The chosen figures of some runs, or the first `count` worth looking at."""
    known = list(dict.fromkeys(field for run in runs for field in run.fields()))
    if chosen is None:
        chosen = [field for field in FAVOURITES if field in known][:count]
    for field in chosen:
        if field not in known:
            raise ConfigError(
                f"no figure is called {field!r}{did_you_mean(field, known)} "
                f"(known: {', '.join(known) or 'none yet'})"
            )
    return [Panel(field, [run.curve(field) for run in runs]) for field in chosen]


def final_figures(runs: Sequence[RunFigures]) -> dict[str, list[float | None]]:
    """The newest value of every figure of the windows, run by run; those to look at first first."""
    known = dict.fromkeys(name for run in runs for name in drawable(run.windows))
    first = [name for name in FAVOURITES if name in known]
    shown = dict.fromkeys([STEP, *first, *(name for name in known if name not in _PLACES)])
    return {name: [run.last(name) for run in runs] for name in shown}


def differences(configs: Iterable[Mapping[str, Any]]) -> dict[str, list[Any]]:
    """The settings in which some configs differ, by dotted name; None where one has none."""
    flat = [dict(_flat(config)) for config in configs]
    names = dict.fromkeys(name for one in flat for name in one)
    sides = {name: [one.get(name) for one in flat] for name in names}
    return {name: side for name, side in sides.items() if any(one != side[0] for one in side)}


def _flat(config: Mapping[str, Any], prefix: str = "") -> Iterable[tuple[str, Any]]:
    for name, value in config.items():
        if isinstance(value, Mapping) and value:
            yield from _flat(value, f"{prefix}{name}.")  # pyright: ignore[reportUnknownArgumentType]
        else:
            yield f"{prefix}{name}", value
