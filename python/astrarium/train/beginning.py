"""A run that begins with the policy of another, and policies that were never a run's."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

from astrarium.runs import Checkpoint, RunFolder, checkpoints
from astrarium.runs.moments import utc_now, written
from astrarium.runs.names import METADATA
from astrarium.train.errors import NoPolicyError, PolicyMismatchError
from astrarium.train.normalise import ObservationScale
from astrarium.train.player import load_policy, load_scale, policy_arrays
from astrarium.train.policy import Network
from astrarium.train.ppo import PPO, SHARED
from astrarium.train.random_play import NO_POLICY

BACKEND: Final = "imitation"


def checkpoint_at(place: Path) -> Checkpoint:
    """The newest checkpoint of a run folder, or the one this folder is."""
    if (place / METADATA).is_file():
        return RunFolder.open(place).load_checkpoint("latest")
    return checkpoints.load(place, resumable=False)[0]


def begin_from(place: Path, ppo: PPO) -> None:
    """Let every policy begin with that of a run or a checkpoint."""
    checkpoint = checkpoint_at(place)
    layout, there = ppo.world.layout, checkpoint.state
    here = ppo.learners[0].network.arch
    if there["policy_arch"] == NO_POLICY:
        raise NoPolicyError(
            f"{place} is a baseline of random actions (algorithm 'random') and has no policy to "
            "begin with; name a run that was trained"
        )
    if there["policy_arch"] != here:
        raise PolicyMismatchError(
            f"{place} holds a policy for observations of {there['obs_shape'][-1]} floats and heads "
            f"{tuple(there['heads'])} ({there['policy_arch']}); this run's is for "
            f"{layout.obs_dim} and {layout.heads} ({here}): take the same world and policy"
        )
    for learner in ppo.learners:
        own = any(name.startswith(f"{learner.name}.") for name in checkpoint.policy)
        group = learner.name if own else SHARED
        load_policy(learner.network, group, checkpoint.policy, there)
        scaled = any(name.startswith(f"{group}.observation_scale.") for name in checkpoint.policy)
        if scaled != (learner.scale is not None):
            raise PolicyMismatchError(
                f"{place} holds a policy that {'takes' if scaled else 'does not take'} normalised "
                f"observations; set ppo.normalise_observations to {str(scaled).lower()}"
            )
        if learner.scale is not None:
            load_scale(learner.scale, group, checkpoint.policy)


def save_policy(
    place: Path, network: Network, scale: ObservationScale | None, about: dict[str, Any]
) -> None:
    """Write a policy as a checkpoint of its own, to begin runs with. `about` needs `world`."""
    shape = network.shape
    checkpoint = Checkpoint(
        window_id=0,
        env_steps_total=0,
        policy=policy_arrays(network, SHARED, scale),
        trainer={},
        worlds=b"",
        state={
            "policy_arch": network.arch,
            "obs_shape": [1, shape.obs_dim],
            "heads": list(shape.heads),
            **about,
        },
    )
    known = {"run_id": place.name, "world": about["world"], "trainer_backend": BACKEND}
    position = checkpoints.RunPosition({}, 0, known, written(utc_now()))
    checkpoints.save(place, checkpoint, position)
