"""The steps that led to a difference: what both sides reported around it, as JSON."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from astrarium.parity.bundle import Bundle, describe
from astrarium.parity.trace import Trace

STEPS_SHOWN: Final = 5
_COLUMNS: Final = (
    "action",
    "dt",
    "reward",
    "terminated",
    "truncated",
    "invalid_action",
    "generator",
)
"""What is shown of every step, as far as a side reports it."""


def steps_around(
    bundle: Bundle,
    obs_names: tuple[str, ...],
    action_names: tuple[str, ...],
    steps: int = STEPS_SHOWN,
) -> dict[str, Any]:
    """Return the last `steps` steps of a bundle, and every value in which its last one differs."""
    last = bundle.mismatch.step
    # A reset that differs leaves no record of the step that would have followed.
    played = len(bundle.actions)
    shown = range(max(0, last + 1 - steps), min(last + 1, played))
    return {
        "world": bundle.world,
        "case": {
            "suite": bundle.case.suite,
            "seed": bundle.case.seed,
            "time_max": bundle.case.time_max,
        },
        "sides": list(bundle.sides),
        "mismatch": describe(bundle.mismatch, bundle.sides),
        "steps": [_step(bundle, step, action_names) for step in shown],
        "differences": _differences(bundle, obs_names),
    }


def _step(bundle: Bundle, step: int, action_names: tuple[str, ...]) -> dict[str, Any]:
    action = int(bundle.actions[step])
    known = 0 <= action < len(action_names)
    return {
        "step": step,
        "action": action,
        "action_name": action_names[action] if known else None,
        **{
            side: {
                name: _plain(trace[name][step], name)
                for name in _COLUMNS
                if step < _rows(trace, name)
            }
            for side, trace in zip(bundle.sides, bundle.traces, strict=True)
        },
    }


def _differences(bundle: Bundle, obs_names: tuple[str, ...]) -> list[dict[str, Any]]:
    """Every value that differs to the bit at the mismatch, with what it was one step before."""
    step, (left, right) = bundle.mismatch.step, bundle.traces
    if bundle.mismatch.difference.field.startswith("reset."):
        row = bundle.mismatch.episode
        return _in_row(bundle.sides, "reset_obs", left, right, row, obs_names, before=False)
    found: list[dict[str, Any]] = []
    for field in (name for name in left if name in right and name != "reset_obs"):
        if step < min(_rows(left, field), _rows(right, field)):
            found += _in_row(bundle.sides, field, left, right, step, obs_names, before=step > 0)
    return found


def _in_row(
    sides: tuple[str, str],
    field: str,
    left: Trace,
    right: Trace,
    row: int,
    obs_names: tuple[str, ...],
    *,
    before: bool,
) -> list[dict[str, Any]]:
    one, two = np.atleast_1d(left[field][row]), np.atleast_1d(right[field][row])
    earlier = np.atleast_1d(right[field][row - 1]) if before else None
    wide = left[field].ndim > 1
    # As bytes: -0.0 is not 0.0, and a NaN equals itself.
    apart = one.view((np.uint8, one.itemsize)) != two.view((np.uint8, two.itemsize))
    return [
        {
            "field": f"{field}[{index}]" if wide else field,
            "name": obs_names[index] if wide and index < len(obs_names) else None,
            "before": None if earlier is None else _plain(earlier[index], field),
            sides[0]: _plain(one[index], field),
            sides[1]: _plain(two[index], field),
        }
        for index in np.flatnonzero(apart.any(axis=-1))
    ]


def _rows(trace: Trace, name: str) -> int:
    return len(trace[name]) if name in trace else 0


def _plain(value: Any, field: str) -> Any:
    """A value as JSON holds it; the generator as text, which keeps its low bits."""
    if field == "generator":
        return f"{int(value):#018x}"
    plain: Any = value.item()
    return repr(plain) if isinstance(plain, float) and not np.isfinite(plain) else plain
