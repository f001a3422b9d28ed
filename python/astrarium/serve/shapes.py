"""The forms of requests and answers, as the OpenAPI document shows them.

Most answers are encoded elsewhere, once, and sent as bytes: these models describe them, and a test
holds the two together.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

import pydantic
from pydantic import BaseModel, Field, StrictInt

from astrarium.runs.metadata import Kind
from astrarium.serve.sessions import SEED_MAX

Status = Literal["running", "completed", "failed", "interrupted", "killed", "broken"]
Seed = Annotated[StrictInt, Field(ge=0, le=SEED_MAX)]
Choices = Annotated[list[StrictInt], Field(max_length=16)]


class Detail(BaseModel):
    """What went wrong."""

    detail: str


class Health(BaseModel):
    """That the server answers."""

    status: Literal["ok"]


class ReplayEntry(BaseModel):
    """One replay of a run."""

    run_id: str
    window_id: int
    replay_id: str
    replay_path: str
    checkpoint_path: str
    tags: list[str]
    trainer_backend: str
    return_total: float
    steps: int
    profit: float | None
    survival: float | None
    terminated: bool
    truncated: bool
    checkpoint_env_steps_total: int
    created_at: str
    sha256: str


class Run(BaseModel):
    """A run in the list of runs; a broken one has only its id and its problem."""

    run_id: str
    status: Status
    kind: Kind | None
    trainer_backend: str | None
    env_steps_total: int | None
    windows_emitted: int | None
    checkpoints_written: int | None
    latest_checkpoint: dict[str, Any] | None
    latest_replay: dict[str, Any] | None
    replay_count: int
    updated_at: str | None
    started_at: str | None
    finished_at: str | None
    world: str | None
    seed: int | None
    best_replay: ReplayEntry | None
    problem: str | None
    has_world_events: bool


class Runs(BaseModel):
    """A page of runs, last updated first."""

    runs: list[Run]
    count: int
    total: int


class RunDetail(BaseModel):
    """One run with its whole metadata."""

    run_id: str
    metadata: dict[str, Any]
    replay_count: int


class RunConfig(BaseModel):
    """The config a run was begun with."""

    run_id: str
    config: dict[str, Any]


class Windows(BaseModel):
    """Rows of a run's windows."""

    run_id: str
    metrics_path: str
    count: int
    total: int
    windows: list[dict[str, Any]]


class Replays(BaseModel):
    """Replays of a run, newest first."""

    run_id: str
    index_path: str
    count: int
    replays: list[ReplayEntry]


class ReplayDetail(BaseModel):
    """One replay."""

    run_id: str
    replay: ReplayEntry


class Frames(BaseModel):
    """A page of frames, as the replay file has them."""

    run_id: str
    replay_id: str
    offset: int
    next_offset: int
    count: int
    has_more: bool
    frames: list[dict[str, Any]]


class TimelineEvent(BaseModel):
    """Something that happened."""

    frame: int
    name: str


class TimelineShape(BaseModel):
    """A replay at a glance."""

    run_id: str
    replay_id: str
    header: dict[str, Any]
    frames: int
    ticks: int
    stride: int
    events: list[TimelineEvent]
    reward: list[float]
    terms: dict[str, float]


class Group(BaseModel):
    """Actions that serve one intent."""

    title: str
    actions: list[int]


class Head(BaseModel):
    """One of several heads, and how a player sets it."""

    title: str
    labels: list[str]
    lasting: bool
    rest: int
    hotkeys: dict[str, int]
    more: str | None
    less: str | None


class World(BaseModel):
    """A world and how it introduces itself."""

    id: str
    title: str
    summary: str
    scene: str
    obs_names: list[str]
    action_names: list[list[str]]
    agents: list[str]
    terms: list[str]
    events: list[str]
    playable: bool
    groups: list[Group]
    labels: list[str]
    hints: list[str | None]
    hotkeys: dict[str, int]
    heads: list[Head]
    guidance: list[str]
    settings_schema: dict[str, Any]
    defaults: dict[str, Any]
    bots: list[str]


class Worlds(BaseModel):
    """Every world."""

    worlds: list[World]


class ReportRow(BaseModel):
    """A benchmark report in the list."""

    name: str
    kind: str | None
    generated_at: str | None
    passed: bool | None
    commit: str | None


class Reports(BaseModel):
    """Benchmark reports, newest first."""

    reports: list[ReportRow]


class NewSession(BaseModel):
    """What to play."""

    model_config = pydantic.ConfigDict(extra="forbid")

    world: str = Field(default="prospector-v2", max_length=64)
    seed: Seed | None = None
    settings: dict[str, Any] = Field(default_factory=dict[str, Any], max_length=64)


class ResetOrder(BaseModel):
    """Which episode comes next; without a seed the following one."""

    model_config = pydantic.ConfigDict(extra="forbid")

    seed: Seed | None = None


class StepOrder(BaseModel):
    """The orders of one step: an index, or agents by heads."""

    model_config = pydantic.ConfigDict(extra="forbid")

    action: StrictInt | Annotated[list[Choices], Field(max_length=64)]


class Session(BaseModel):
    """A world being played by hand."""

    session_id: str
    world: str
    seed: int
    settings: dict[str, Any]
    steps: int
    ticks: int
    obs: list[float] | list[list[float]]
    reward: float
    return_total: float
    terminated: bool
    truncated: bool
    over: bool
    info: dict[str, float | bool | None]
    legal: list[list[bool]]
    beginning: dict[str, Any] | None
    frame: dict[str, Any] | None
    can_undo: bool
    created_at: str
    updated_at: str


class DeletedSession(Session):
    """A session as it was when it ended."""

    deleted: Literal[True]


class SavedSession(BaseModel):
    """Where an episode was written."""

    run_id: str
    replay_id: str


class Outcome(BaseModel):
    """What an episode came to."""

    return_total: float
    steps: int
    ticks: int
    stats: dict[str, float | None]


class Player(BaseModel):
    """Somebody else on the same episode."""

    name: str
    kind: Literal["bot", "oracle", "policy"]
    outcome: Outcome


class Comparison(BaseModel):
    """A session beside the other players."""

    you: Outcome
    players: list[Player]
