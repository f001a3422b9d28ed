"""The first-mismatch bundle: everything needed to look at a difference and to see it again.

One folder per failing case: `actions.npy`, a trace of each side and `mismatch.json`.
"""

from __future__ import annotations

import json
import math
import zipfile
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from astrarium import atomic
from astrarium.errors import AstrariumError
from astrarium.parity.compare import Difference, Tolerances
from astrarium.parity.suites import Case
from astrarium.parity.trace import Trace

FORMAT: Final = 1


class BundleError(AstrariumError, ValueError):
    """A folder that is not a whole bundle."""


@dataclass(frozen=True, slots=True)
class Mismatch:
    """Where two sides first differed."""

    step: int
    """Of the case, from 0. A difference at a reset carries the step that would have followed."""
    episode: int
    episode_seed: int
    difference: Difference
    generators_before: tuple[int | None, int | None]
    """Where both generators stood before that step."""


@dataclass(frozen=True, slots=True)
class Bundle:
    """A failing case, up to and including the step that differed."""

    world: str
    config_hash: str
    case: Case
    tolerances: Tolerances | None
    """None: compared to the bit."""
    sides: tuple[str, str]
    mismatch: Mismatch
    actions: npt.NDArray[np.int64]
    traces: tuple[Trace, Trace]


def save(bundle: Bundle, out: Path, now: datetime) -> Path:
    """Write a bundle under `out`, whole or not at all; the folder's name tells time and case."""
    case = bundle.case
    moment = now.astimezone(UTC).strftime("%Y%m%dT%H%M%S.%fZ")
    name = f"{moment}_suite-{case.suite}_seed-{case.seed}_time-{case.time_max:g}"
    with atomic.new_folder(out / name) as building:
        _write(building, bundle)
    return out / name


def load(folder: Path) -> Bundle:
    """Read a bundle. Raises a `BundleError` that names what is missing or damaged."""
    try:
        told = json.loads((folder / "mismatch.json").read_text("utf-8"))
        if told["format"] != FORMAT:
            raise BundleError(f"{folder} has format {told['format']}; this build reads {FORMAT}")
        first, second = told["sides"]
        return Bundle(
            world=told["world"],
            config_hash=told["config_hash"],
            case=Case(told["suite"], told["seed"], told["time_max"], told["steps"]),
            tolerances=None if told["tolerances"] is None else Tolerances(**told["tolerances"]),
            sides=(first, second),
            mismatch=_mismatch(told["mismatch"], (first, second)),
            actions=np.load(folder / "actions.npy", allow_pickle=False),
            traces=(_trace(folder, first), _trace(folder, second)),
        )
    except OSError as error:
        raise BundleError(f"{folder} is not a whole bundle: {error}") from error
    except (KeyError, TypeError, ValueError, zipfile.BadZipFile) as error:
        if isinstance(error, BundleError):
            raise
        raise BundleError(f"{folder} is damaged: {error!r}") from error


def _write(folder: Path, bundle: Bundle) -> None:
    np.save(folder / "actions.npy", bundle.actions)
    for side, trace in zip(bundle.sides, bundle.traces, strict=True):
        np.savez_compressed(folder / f"{side}_trace.npz", allow_pickle=False, **trace)
    case = bundle.case
    told = {
        "format": FORMAT,
        "world": bundle.world,
        "suite": case.suite,
        "seed": case.seed,
        "time_max": case.time_max,
        "steps": case.steps,
        "config_hash": bundle.config_hash,
        "tolerances": None if bundle.tolerances is None else asdict(bundle.tolerances),
        "sides": bundle.sides,
        "mismatch": describe(bundle.mismatch, bundle.sides),
    }
    text = json.dumps(told, indent=2, allow_nan=False) + "\n"
    (folder / "mismatch.json").write_text(text, "utf-8")


def describe(mismatch: Mismatch, sides: tuple[str, str]) -> dict[str, Any]:
    """A mismatch as JSON; the values stand under the names of their sides."""
    difference = mismatch.difference
    values = (difference.left, difference.right)
    told: dict[str, Any] = {
        "step": mismatch.step,
        "field": difference.field,
        **{side: _number(value) for side, value in zip(sides, values, strict=True)},
    }
    for name in ("obs_index", "abs_diff", "tol"):
        value = getattr(difference, name)
        if value is not None:
            told[name] = _number(value)
    generators = zip(sides, mismatch.generators_before, strict=True)
    return told | {
        "episode": mismatch.episode,
        "episode_seed": mismatch.episode_seed,
        # As words: a reader with double-precision numbers would lose the low bits.
        "generators_before": {s: None if g is None else f"{g:#018x}" for s, g in generators},
    }


def _mismatch(told: dict[str, Any], sides: tuple[str, str]) -> Mismatch:
    left, right = (_value(told[side]) for side in sides)
    first, second = (told["generators_before"][side] for side in sides)
    return Mismatch(
        step=told["step"],
        episode=told["episode"],
        episode_seed=told["episode_seed"],
        difference=Difference(
            field=told["field"],
            left=left,
            right=right,
            obs_index=told.get("obs_index"),
            abs_diff=_value(told.get("abs_diff")),
            tol=_value(told.get("tol")),
        ),
        generators_before=(
            None if first is None else int(first, 16),
            None if second is None else int(second, 16),
        ),
    )


def _number(value: float) -> float | str:
    """JSON has no word for infinities and NaN."""
    return repr(value) if isinstance(value, float) and not math.isfinite(value) else value


def _value(told: Any) -> Any:
    return float(told) if isinstance(told, str) else told


def _trace(folder: Path, side: str) -> Trace:
    with np.load(folder / f"{side}_trace.npz", allow_pickle=False) as arrays:
        return {name: arrays[name] for name in arrays.files}
