"""Tests of the seven promises that every world keeps, for any world."""

from astrarium.check.report import PROMISES, Finding, Report, Verdict
from astrarium.check.run import check_world
from astrarium.check.subject import Maker

__all__ = ["PROMISES", "Finding", "Maker", "Report", "Verdict", "check_world"]
