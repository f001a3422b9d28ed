"""What a check found: a verdict for each promise, and a finding for each fault."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

PROMISES: Final = {
    1: "same bits for any threads, batch size and position",
    2: "every episode has its own seed and reruns alone",
    3: "restoring a snapshot equals never having stopped",
    4: "honest observations, exact masks, harmless illegal actions",
    5: "the named terms sum to the reward",
    6: "committed playthroughs replay",
    7: "bad input is a typed error that changes nothing",
}


@dataclass(frozen=True, slots=True)
class Finding:
    """One fault of a world."""

    promise: int
    fault: str
    """What is wrong and where: the step, world, field and index that show it."""
    fix: str
    """What to look at or change."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """How one promise fared."""

    promise: int
    findings: tuple[Finding, ...] = ()
    notes: tuple[str, ...] = ()
    """What could not be tested, and how to make it testable."""
    tested: bool = True

    @property
    def title(self) -> str:
        """The promise in a few words."""
        return PROMISES[self.promise]

    @property
    def kept(self) -> bool:
        """Whether nothing was found against it."""
        return not self.findings


@dataclass(frozen=True, slots=True)
class Report:
    """Every promise of one world."""

    world: str
    verdicts: tuple[Verdict, ...]

    @property
    def ok(self) -> bool:
        """Whether no promise was found broken."""
        return all(verdict.kept for verdict in self.verdicts)

    @property
    def findings(self) -> tuple[Finding, ...]:
        """Every fault, by promise."""
        return tuple(finding for verdict in self.verdicts for finding in verdict.findings)

    def verdict(self, promise: int) -> Verdict:
        """The verdict on one promise."""
        return self.verdicts[promise - 1]
