"""A study written down: a page in Markdown."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from astrarium.train.space import Space
from astrarium.train.study import Standing, TrialRow

_ROWS_MAX: Final = 20
_STATES: Final = {"complete": "finished", "pruned": "given up", "fail": "failed"}


def page(name: str, space: Space, standing: Standing, importances: Mapping[str, float]) -> str:
    """The study as a page: its best trials, and which parameters decided."""
    parts = [_head(name, space, standing), _trials(space, standing)]
    if importances:
        parts.append(_importances(importances))
    return "\n".join("\n".join(part) + "\n" for part in parts)


def state_words(standing: Standing) -> str:
    """How many trials came to which end."""
    counts = Counter(row.state for row in standing.rows)
    return ", ".join(
        f"{counts[state]} {_STATES.get(state, state)}"
        for state in (*_STATES, "running")
        if counts[state]
    )


def value_words(value: Any) -> str:
    """A parameter, short."""
    if isinstance(value, float):
        return f"{value:.4g}"
    if isinstance(value, list | tuple):
        return "×".join(map(str, value))  # pyright: ignore[reportUnknownArgumentType]
    return str(value)


def _head(name: str, space: Space, standing: Standing) -> Iterator[str]:
    objective, config = space.objective, space.base_config()
    yield f"# Sweep {name} on {config.world.id}"
    yield ""
    how = "likeliest" if objective.greedy else "sampled"
    last = objective.seed + objective.episodes - 1
    judged = (
        f"{objective.episodes:,} episodes of the final policy, {how} actions, seeds "
        f"{objective.seed} to {last}"
        if objective.kind == "evaluation"
        else "training in the last whole window"
    )
    ticks = config.run.total_env_steps
    yield f"{len(standing.rows)} trials ({state_words(standing)}) of {ticks:,} ticks each."
    yield f"The objective is the mean return of {judged}."


def _trials(space: Space, standing: Standing) -> Iterator[str]:
    everything = len(standing.rows) <= _ROWS_MAX
    yield "## Trials" if everything else f"## The best {_ROWS_MAX} trials"
    yield ""
    best = standing.ranked
    others = [row for row in standing.rows if row not in best] if everything else []
    keys = list(space.parameters)
    rows = [_cells(row, keys) for row in [*best[:_ROWS_MAX], *others]]
    yield from _table(["trial", "objective", "state", "windows", *keys], rows)


def _cells(row: TrialRow, keys: Sequence[str]) -> list[str]:
    # The value of a trial that was given up is not the objective.
    value = f"{row.value:.3f}" if row.state == "complete" and row.value is not None else "-"
    chosen = (value_words(row.parameters[key]) if key in row.parameters else "-" for key in keys)
    return [str(row.number), value, _STATES.get(row.state, row.state), str(row.windows), *chosen]


def _importances(importances: Mapping[str, float]) -> Iterator[str]:
    yield "## What decided"
    yield ""
    yield "Importance of each parameter for being among the best trials (PED-ANOVA); adds up to 1."
    yield ""
    rows = [[name, f"{share:.3f}"] for name, share in importances.items()]
    yield from _table(["parameter", "importance"], rows)


def _table(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    yield f"| {' | '.join(columns)} |"
    yield f"|{' --- |' * len(columns)}"
    for row in rows:
        yield f"| {' | '.join(row)} |"
