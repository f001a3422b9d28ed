"""What can happen to a run: one type for each line of `events.jsonl`.

A line is a JSON object whose `kind` names the type. Every event says `at` which time it was
written; two events are equal when all the rest is, so that a run and its repetition compare.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from typing import Any, Final, Literal, get_args

import msgspec

from astrarium.errors import AstrariumError, did_you_mean
from astrarium.runs import moments

SHARED: Final = "shared"
"""The policy of all agents, where there is only one."""


class EventError(AstrariumError, ValueError):
    """A line that is no event: not JSON, or a field that is missing or of the wrong type."""


class UnknownEventError(EventError):
    """An event of a kind this version does not know, written by a newer one or by another tool."""


def now() -> str:
    """The time, as an event tells it."""
    return moments.written(moments.utc_now())


def _kind(class_name: str) -> str:
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", class_name).lower()


class _Happening(msgspec.Struct, frozen=True, kw_only=True, eq=False, tag_field="kind", tag=_kind):
    """What all events share."""

    at: str = msgspec.field(default_factory=now)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, _Happening):
            return NotImplemented
        return type(self) is type(other) and self._said() == other._said()

    def __hash__(self) -> int:
        return hash((type(self), str(self._said())))

    def _said(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in self.__struct_fields__ if name != "at"}


class RunStarted(_Happening, frozen=True):
    """Training begins in a new folder."""

    run_id: str
    world: str
    seed: int
    config_hash: str


class RunResumed(_Happening, frozen=True):
    """Training goes on from a checkpoint; whatever was written after it has been cut off."""

    window_id: int
    update: int
    env_steps_total: int | None = None
    """Where the checkpoint stands: every figure that comes again lies beyond it."""


class UpdateFinished(_Happening, frozen=True):
    """The policy learned from one rollout. A figure that does not exist is null."""

    update: int
    env_steps_total: int
    calls_total: int
    policy: str = SHARED
    """Which of several policies this was."""
    learning_rate: float | None = None
    entropy_coef: float | None = None
    policy_loss: float | None = None
    value_loss: float | None = None
    entropy: float | None = None
    approx_kl: float | None = None
    clip_fraction: float | None = None
    explained_variance: float | None = None
    grad_norm: float | None = None
    epochs_run: float | None = None
    head_entropies: tuple[float | None, ...] | None = None
    """Of each head as a part of the most it could be, where heads matter at times; at its
    beginning."""
    loss: float | None = None
    """What was minimised: the losses together, each with its weight."""
    entropy_std: float | None = None
    """Over the minibatches, as all of these."""
    grad_norm_max: float | None = None
    approx_kl_max: float | None = None
    clip_fraction_max: float | None = None
    clipped_minibatches: int | None = None
    minibatches: int | None = None
    advantage_std_min: float | None = None
    flat_minibatches: int | None = None
    """Those whose advantages were all the same."""
    transitions: int | None = None
    """Decisions learned from."""
    advantage_mean: float | None = None
    advantage_std: float | None = None
    reward_advantage_corr: float | None = None
    reward_running_mean: float | None = None
    reward_running_variance: float | None = None
    """Of all rewards since the run began, as the world paid them."""
    rollout_ticks: int | None = None
    world_stats: dict[str, float] | None = None
    """Figures of the world that a log names or an anneal watches, means over its worlds: by how
    much those that count grew in the rollout, and the mean of the others over its steps."""
    anneal: dict[str, Any] | None = None
    """Where an anneal stands; null where nothing is annealed."""


class PolicyCloned(_Happening, frozen=True):
    """The policy learned to do what a teacher did, or failed to and is as it was before."""

    cycle: int
    policy: str
    dataset: str
    accuracy: float
    accuracy_min: float
    value_miss: float
    outcome: Literal["PASS", "FAIL"]
    rolled_back: bool
    env_steps_total: int | None = None
    """Where the run stood; nothing is stepped meanwhile."""
    minibatches: int | None = None
    transitions: int | None = None
    """Decisions learned from, each as often as it was gone over."""
    learning_rate: float | None = None
    policy_loss: float | None = None
    """Cross-entropy, in the mean over the minibatches, as all of these."""
    value_loss: float | None = None
    loss: float | None = None
    grad_norm: float | None = None
    grad_norm_max: float | None = None


class PromotionJudged(_Happening, frozen=True):
    """The run is over: whether its annealed policy may take over from its teacher."""

    policy: str
    ready: bool
    faults: tuple[str, ...]
    """What speaks against it."""


class WindowClosed(_Happening, frozen=True):
    """A row was added to `metrics/windows.jsonl`."""

    window_id: int
    env_steps_total: int


class CheckpointWritten(_Happening, frozen=True):
    """A checkpoint can be read; `path` is relative to the run folder."""

    window_id: int
    path: str


class ReplayRecorded(_Happening, frozen=True):
    """An episode was kept."""

    window_id: int
    replay_id: str
    return_total: float | None
    tags: tuple[str, ...] = ()


class RunInterrupted(_Happening, frozen=True):
    """Training was asked to stop, and can be resumed."""

    env_steps_total: int


class RunCompleted(_Happening, frozen=True):
    """Training reached its goal."""

    env_steps_total: int


class RunFailed(_Happening, frozen=True):
    """Training broke; `error` is `Type: message`."""

    error: str


class SinkFailed(_Happening, frozen=True):
    """A sink was dropped; the training went on."""

    sink: str
    error: str


Event = (
    RunStarted
    | RunResumed
    | UpdateFinished
    | PolicyCloned
    | PromotionJudged
    | WindowClosed
    | CheckpointWritten
    | ReplayRecorded
    | RunInterrupted
    | RunCompleted
    | RunFailed
    | SinkFailed
)

KINDS: Final[Mapping[str, type[Event]]] = {_kind(one.__name__): one for one in get_args(Event)}
"""Every type of event by the name its lines carry."""


def encode(event: Event) -> dict[str, Any]:
    """An event as the object to write; figures that JSON has no form for become null."""
    return {
        name: None if isinstance(value, float) and not math.isfinite(value) else value
        for name, value in msgspec.to_builtins(event).items()
    }


def decode(line: bytes | str | Mapping[str, Any]) -> Event:
    """The event in a line, or in an object read from one. Fields it does not know are ignored."""
    try:
        fields = line if isinstance(line, Mapping) else msgspec.json.decode(line)
        if not isinstance(fields, Mapping):
            raise EventError(f"an event is a JSON object, not {type(fields).__name__}")
        kind = fields.get("kind")  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]
        if not isinstance(kind, str):
            raise EventError("an event has a field 'kind' that names its type")
        if kind not in KINDS:
            raise UnknownEventError(f"no event is called {kind!r}{did_you_mean(kind, KINDS)}")
        return msgspec.convert(fields, KINDS[kind])
    except msgspec.MsgspecError as error:
        raise EventError(f"not an event: {error}") from error
