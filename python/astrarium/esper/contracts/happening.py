"""What all happenings share: when, where, and how they are shown."""

from __future__ import annotations

from typing import ClassVar, Literal

import msgspec

Severity = Literal["debug", "info", "warning", "error", "critical"]


class Happening(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="kind"
):
    """One line of `world_events.jsonl`."""

    label: ClassVar[str] = ""
    """How a page or a terminal calls it."""
    rank: ClassVar[Severity] = "info"
    """How grave it is, unless it has a `severity` of its own."""
    view: ClassVar[str] = ""
    """The SQL view that shows lines of this kind."""

    at: str = ""
    """When it was written; the only time in it, and empty before."""
    round: int = 0
    """Updates of the policy before it."""


class HostHappening(Happening, frozen=True, kw_only=True):
    """Something about one host."""

    env: int = 0
    """Which host of the batch."""
    episode: int = 0
    """Which of its episodes, from 0."""
    epoch: int


class SeedHappening(HostHappening, frozen=True, kw_only=True):
    """Something about one seed."""

    view: ClassVar[str] = "seed_lifecycle"

    slot_id: str
    seed_id: str
    blueprint: str
    action_id: str
    """The action that caused it; empty where it came by itself."""


class Anomaly(HostHappening, frozen=True, kw_only=True):
    """Something in a host that should be looked at."""

    view: ClassVar[str] = "anomalies"
    rank: ClassVar[Severity] = "warning"
