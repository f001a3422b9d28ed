"""The forms of answers about wars; a war's own documents are described in docs/campaign.md."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel


class WarRow(BaseModel):
    """A war in the list of wars."""

    war_id: str
    seed: int
    days: int
    days_planned: int
    finished: bool
    winner: str | None
    ended_by: str
    factions: list[dict[str, Any]]
    battles: int


class Wars(BaseModel):
    """Every war, last touched first."""

    wars: list[WarRow]


class RecordedBattle(BaseModel):
    """Where the replay of a battle lies."""

    run_id: str
    replay_id: str


class War(BaseModel):
    """One war: its summary, and which of its battles can be watched."""

    war_id: str
    war: dict[str, Any]
    replays: dict[str, RecordedBattle]


class WarDays(BaseModel):
    """Days of a war, as they are stored."""

    war_id: str
    offset: int
    next_offset: int
    count: int
    has_more: bool
    days: list[dict[str, Any]]


class WarBattle(BaseModel):
    """A battle of a war: who commanded, and what came of it."""

    war_id: str
    id: str
    controllers: dict[str, str]
    result: dict[str, Any]
