"""The forms of answers about networks that grow, as the OpenAPI document shows them."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel


class GrowthKind(BaseModel):
    """How a kind of event is called, and how grave it is."""

    label: str
    severity: Literal["debug", "info", "warning", "error", "critical"]


class GrowthOutcome(BaseModel):
    """How an episode ended."""

    outcome_type: str
    final_accuracy: float
    param_ratio: float
    num_fossilized: int
    episode_reward: float
    succeeded: bool


class GrowthEpisode(BaseModel):
    """A host in one of its episodes; without an outcome as long as it goes on."""

    env: int
    episode: int
    round: int
    first_epoch: int
    last_epoch: int
    events: int
    accuracy: float | None
    outcome: GrowthOutcome | None


class GrowthOverview(BaseModel):
    """What grows in a run: its beginning, the words for its events, its episodes."""

    run_id: str
    edition: str
    started: dict[str, Any] | None
    kinds: dict[str, GrowthKind]
    bytes: int
    bytes_read: int
    complete: bool
    damaged: int
    count: int
    total: int
    episodes: list[GrowthEpisode]


class GrowthEvents(BaseModel):
    """A page of an episode's events, as the run has them."""

    run_id: str
    env: int
    episode: int
    edition: str
    offset: int
    next_offset: int
    count: int
    has_more: bool
    damaged: int
    events: list[dict[str, Any]]
