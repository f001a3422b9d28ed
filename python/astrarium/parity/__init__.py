"""Parity: step two implementations of a world side by side and report the first difference."""

from __future__ import annotations

from astrarium.parity.bundle import Bundle, BundleError, Mismatch
from astrarium.parity.compare import Difference, Tolerances
from astrarium.parity.run import CaseResult, replay, run_case, run_cases
from astrarium.parity.side import Pair, Side, SideMaker, StepRecord
from astrarium.parity.suites import Case, CaseError, cases

__all__ = [
    "Bundle",
    "BundleError",
    "Case",
    "CaseError",
    "CaseResult",
    "Difference",
    "Mismatch",
    "Pair",
    "Side",
    "SideMaker",
    "StepRecord",
    "Tolerances",
    "cases",
    "replay",
    "run_case",
    "run_cases",
]
