"""Esper among the worlds: one for each task, known without loading torch."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal

from pydantic import Field

from astrarium.esper import orders
from astrarium.esper.aggregation import Aggregation
from astrarium.esper.contracts.heads import BLUEPRINTS
from astrarium.esper.contracts.rewards import TERMS, RewardMode
from astrarium.esper.observation import field_names
from astrarium.esper.tasks import task, task_names
from astrarium.worlds.config import WorldConfig
from astrarium.worlds.registry import WorldEntry, Yardstick
from astrarium.worlds.vector import Autoreset, Layout, VectorWorld

if TYPE_CHECKING:
    from astrarium.esper.episode import EpisodeRules
    from astrarium.esper.phases import TaskData

OBS_LIMIT: Final = 10.0
"""The greatest value of any observation; the least is its opposite."""
STATS: Final = (
    "accuracy",
    "committed_accuracy",
    "loss",
    "parameter_ratio",
    "fossils",
    "epochs",
    "macs_spent",
)
EVENTS: Final = (
    "germinated",
    "advanced",
    "fossilized",
    "pruned",
    "retargeted",
    "refused",
    "invalid_action",
    "rolled_back",
)


MANY_CLASSES: Final = 1000
"""More than images or symbols have: words."""


class EsperConfig(WorldConfig):
    """Settings of a world of hosts."""

    epochs: Annotated[int, Field(ge=2, le=10_000)] = 60
    """Of an episode; with a budget, at most."""
    reward_mode: RewardMode = "shaped"
    seed_limit: Annotated[int, Field(ge=1, le=10)] = 3
    """Seeds at a time, fossils included."""
    gamma: Annotated[float, Field(gt=0.0, le=1.0)] = 0.995
    """The learner's discount, which shaping needs to know."""
    budget_epochs: Annotated[float, Field(gt=0.0, le=1e6)] | None = None
    """Compute of an episode, in epochs of the host alone."""
    strict_gates: bool = False
    min_prune_age: Annotated[int, Field(ge=1, le=1000)] = 5
    """Epochs a seed is left alone after it germinated."""
    strict_isolation: bool = False
    """Stop the run at the first isolation violation. Otherwise violations are counted, and a seed
    whose output is not finite is pruned."""
    lift_fossil_isolation: bool = False
    """Let the layers before a fossil in a cnn learn through it; otherwise a fossil blended by ADD
    passes no gradient back."""
    aggregation: Aggregation | None = None
    """Whether and how batches are parted, and their parts' gradients put together."""
    data: Path | None = None
    """Where the files of tasks are that do not ship."""
    every: Annotated[int, Field(ge=1, le=1000)] = 1
    """Hosts learn from the first of every so many samples: a controller is learnt sooner."""
    device: Literal["cpu", "cuda", "auto"] = "cpu"
    """Where hosts live; `auto` is a GPU where there is one."""

    def rules(self, data: TaskData) -> EpisodeRules:
        """What an episode goes by."""
        from astrarium.esper.budget import host_epoch_macs
        from astrarium.esper.episode import EpisodeRules
        from astrarium.esper.rewards.configs import LANGUAGE_LOSS
        from astrarium.esper.seed_state import LifecycleRules

        budget = self.budget_epochs
        # A loss over words begins at 10.8 nats; one over few symbols is like that of images.
        of_words = self.reward_mode == "loss" and data.spec.classes > MANY_CLASSES
        return EpisodeRules(
            max_epochs=self.epochs,
            reward_mode=self.reward_mode,
            reward=LANGUAGE_LOSS if of_words else None,
            lifecycle=LifecycleRules(
                gates="strict" if self.strict_gates else "permissive",
                min_prune_age=self.min_prune_age,
            ),
            seed_limit=self.seed_limit,
            gamma=self.gamma,
            budget_macs=None if budget is None else budget * host_epoch_macs(data),
            strict_isolation=self.strict_isolation,
            lift_fossil_isolation=self.lift_fossil_isolation,
            aggregation=self.aggregation,
        )


def layout_of(slots: tuple[str, ...]) -> Layout:
    """The arrays of hosts with these slots."""
    return Layout(
        agents=1,
        obs_dim=len(obs_names(slots)),
        obs_low=-OBS_LIMIT,
        obs_high=OBS_LIMIT,
        heads=orders.sizes(len(slots)),
        controls=0,
        terms=TERMS,
        stats=STATS,
        events=EVENTS,
        matters=orders.matters(len(slots)),
    )


def obs_names(slots: tuple[str, ...]) -> tuple[str, ...]:
    """A name for each float: figures first, then what each slot holds."""
    kinds = ("empty", *BLUEPRINTS)
    return field_names(slots) + tuple(f"{slot}.is_{kind}" for slot in slots for kind in kinds)


def world_id(name: str) -> str:
    """The world of a task."""
    return f"esper-{name.replace('_', '-')}-v1"


def _make(
    name: str, config: Any, num_worlds: int, threads: int, autoreset: Autoreset
) -> VectorWorld:
    from astrarium.esper.world import EsperWorld

    return EsperWorld(name, config, num_worlds, threads, autoreset)


def _entry(name: str) -> WorldEntry:
    slots = task(name).host.slot_ids
    return WorldEntry(
        id=world_id(name),
        title=f"Esper: {name.replace('_', ' ')}",
        summary=task(name).summary,
        config=EsperConfig,
        make=partial(_make, name),
        action_names=orders.names(slots),
        obs_names=obs_names(slots),
        agent_names=("controller",),
        layout=layout_of(slots),
        portable=False,
        outcomes={
            "final_accuracy": "accuracy",
            "final_committed_accuracy": "committed_accuracy",
            "final_parameter_ratio": "parameter_ratio",
        },
        yardsticks=(Yardstick("accuracy"), Yardstick("parameter_ratio", higher_is_better=False)),
    )


WORLDS: Final = tuple(_entry(name) for name in task_names())
