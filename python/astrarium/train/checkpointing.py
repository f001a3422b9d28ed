"""The whole state of a training run as arrays and back: continuing equals never having stopped."""

# torch leaves the types of many of its functions open.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportUnnecessaryComparison=false

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import torch

from astrarium.runs import Checkpoint, WindowMeter
from astrarium.train.config import METER
from astrarium.train.errors import PolicyMismatchError
from astrarium.train.learner import Learner
from astrarium.train.player import load_policy, load_scale, policy_arrays
from astrarium.train.ppo import PPO
from astrarium.train.random_play import RandomPlay
from astrarium.train.stat_meter import StatMeter

Arrays = dict[str, npt.NDArray[Any]]
_STATS: Final = "stats"


def checkpoint_of(
    ppo: PPO | RandomPlay,
    meter: WindowMeter,
    stats: StatMeter,
    window_id: int,
    calls_total: int,
    anneal: Mapping[str, Any] | None = None,
) -> Checkpoint:
    """Everything the rest of the run depends on, between two updates."""
    layout = ppo.world.layout
    policy: Arrays = {}
    trainer: Arrays = {f"{METER}.{name}": array for name, array in meter.state().items()}
    trainer |= {f"{METER}.{_STATS}.{name}": array for name, array in stats.state().items()}
    for learner in ppo.learners:
        policy |= policy_arrays(learner.network, learner.name, learner.scale)
        trainer |= {f"{learner.name}.{name}": array for name, array in _arrays(learner).items()}
    return Checkpoint(
        window_id=window_id,
        env_steps_total=meter.env_steps_total,
        policy=policy,
        trainer=trainer,
        worlds=ppo.world.snapshot(),
        state={
            "policy_arch": ppo.policy_arch,
            "obs_shape": [layout.agents, layout.obs_dim],
            "heads": list(layout.heads),
            "updates": ppo.updates,
            "calls_total": calls_total,
            **({} if anneal is None else {"anneal": dict(anneal)}),
        },
    )


def restore(
    checkpoint: Checkpoint, ppo: PPO | RandomPlay, meter: WindowMeter, stats: StatMeter
) -> int:
    """Put a run back where the checkpoint was taken; the calls made until then."""
    ppo.world.restore(checkpoint.worlds)
    meter.load(_below(METER, checkpoint.trainer))
    stats.load(_below(f"{METER}.{_STATS}", checkpoint.trainer))
    for learner in ppo.learners:
        load_policy(learner.network, learner.name, checkpoint.policy, checkpoint.state)
        if learner.scale is not None:
            load_scale(learner.scale, learner.name, checkpoint.policy)
        _load(learner, _below(learner.name, checkpoint.trainer))
    ppo.updates = int(checkpoint.state["updates"])
    return int(checkpoint.state["calls_total"])


def _below(prefix: str, arrays: Mapping[str, npt.NDArray[Any]]) -> Arrays:
    return {
        name.removeprefix(f"{prefix}."): array
        for name, array in arrays.items()
        if name.startswith(f"{prefix}.")
    }


def _arrays(learner: Learner) -> Arrays:
    """What a learner remembers besides its policy."""
    arrays: Arrays = {"starts": learner.rollout.starts[-1].cpu().numpy().astype(np.uint8)}
    for at, part in enumerate(learner.state):
        arrays[f"state.{at}"] = part.cpu().numpy().copy()
    for name, value in learner.optimizer.state.items():
        arrays[f"optimizer.{name}"] = value.cpu().numpy().copy()
    for name, array in learner.paid.arrays().items():
        arrays[f"paid.{name}"] = array.copy()
    if learner.reward_scale is not None:
        arrays["reward_scale.running"] = learner.reward_scale.running.copy()
        for name, array in learner.reward_scale.moments.arrays().items():
            arrays[f"reward_scale.{name}"] = array.copy()
    return arrays


def _load(learner: Learner, arrays: Arrays) -> None:
    try:
        learner.rollout.starts[-1] = torch.from_numpy(arrays["starts"].astype(np.bool_))
        learner.state = tuple(
            part.copy_(torch.from_numpy(arrays[f"state.{at}"]))
            for at, part in enumerate(learner.state)
        )
        for name, value in learner.optimizer.state.items():
            value.copy_(torch.from_numpy(arrays[f"optimizer.{name}"]))
        for name, array in learner.paid.arrays().items():
            array[...] = arrays[f"paid.{name}"]
        if learner.reward_scale is not None:
            learner.reward_scale.running[...] = arrays["reward_scale.running"]
            for name, array in learner.reward_scale.moments.arrays().items():
                array[...] = arrays[f"reward_scale.{name}"]
    except (KeyError, ValueError, RuntimeError) as error:
        raise PolicyMismatchError(
            f"the checkpoint does not fit policy {learner.name!r}: {error}; "
            "resume with the config saved in the run"
        ) from error
