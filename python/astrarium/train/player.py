"""A trained policy as a player: the same calls as a scripted bot's."""

# torch leaves the types of many of its functions open.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportUnnecessaryComparison=false

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from astrarium import _native
from astrarium.runs import Checkpoint, RunFolder
from astrarium.train.config import TrainConfig
from astrarium.train.errors import NoPolicyError, PolicyMismatchError
from astrarium.train.loss import bounded, head_log_probs
from astrarium.train.normalise import ObservationScale
from astrarium.train.policy import Network, Shape
from astrarium.train.ppo import slots_by_policy
from astrarium.worlds.config import parse_config
from astrarium.worlds.random_legal import chances
from astrarium.worlds.registry import get
from astrarium.worlds.vector import Actions, Arrays, Floats, Layout

_SCALE: Final = "observation_scale"


@dataclass(frozen=True, slots=True)
class Thoughts:
    """What a policy made of the last batch it saw."""

    value: Floats
    """(n, m)."""
    probabilities: Floats
    """(n, m, K): of each choice, head after head."""


class Part:
    """One policy: its network, its scale, and the agent slots it plays."""

    def __init__(
        self,
        network: Network,
        scale: ObservationScale | None,
        slots: tuple[int, ...] | None = None,
    ) -> None:
        self.network = network
        self.scale = scale
        self._slots = slots
        """None for all agents of whatever world it plays in."""
        self.state: tuple[Tensor, ...] = ()

    def slots(self, agents: int) -> list[int]:
        """The slots it plays in a world of so many agents."""
        if self._slots is None:
            return list(range(agents))
        if max(self._slots) >= agents:
            raise PolicyMismatchError(
                f"a policy plays the slots {list(self._slots)} and this world has {agents} agents; "
                "play it where it was trained, or train one policy for all (without policy.groups)"
            )
        return list(self._slots)


class Player:
    """Policies playing all slots of a world, each draw fixed by episode, step and `seed`."""

    def __init__(
        self, name: str, parts: list[Part], *, greedy: bool, seed: int = 0, thinking: bool = False
    ) -> None:
        self.name = name
        self._seen: list[tuple[Part, Tensor, Tensor]] = []
        """Each policy's outputs and mask of the last call, where it is to tell its thoughts."""
        self._parts = parts
        self._greedy = greedy
        self._seed = seed
        self._thinking = thinking
        self._episode: npt.NDArray[np.uint64] = np.zeros(0, np.uint64)
        self._alive: npt.NDArray[np.bool_] = np.zeros((0, 0), np.bool_)

    def __call__(self, world: Arrays, step: int) -> Actions:
        """Actions (n, m, H) for what the agents see now; controls go straight to the world."""
        layout, worlds = world.layout, world.num_worlds
        actions = np.zeros((worlds, layout.agents, len(layout.heads)), np.int32)
        draws = chances(world, step, len(layout.heads) + layout.controls, self._seed)
        begins = self._begins(world, step)
        self._seen.clear()
        with torch.no_grad():
            for part in self._parts:
                slots = part.slots(layout.agents)
                rows = worlds * len(slots)
                mask = np.ascontiguousarray(world.mask[:, slots].reshape(rows, -1))
                outputs = self._outputs(part, world, begins)
                uniform = draws[:, slots].reshape(rows, -1)
                chosen = self._choose(part, outputs, mask, uniform)
                actions[:, slots] = chosen.reshape(worlds, len(slots), -1)
                if layout.controls:
                    self._steer(part, outputs, uniform, world)
                if self._thinking:
                    self._seen.append((part, outputs, torch.from_numpy(mask.copy())))
        return actions

    @property
    def thoughts(self) -> Thoughts | None:
        """What it made of the last batch, where it was asked to think; worked out when read."""
        if not self._seen:
            return None
        worlds, agents = self._alive.shape
        choices = self._seen[0][0].network.shape.choices
        value = np.zeros((worlds, agents), np.float32)
        probabilities = np.zeros((worlds, agents, choices), np.float32)
        for part, outputs, mask in self._seen:
            slots = part.slots(agents)
            value[:, slots] = outputs[:, -1].numpy().reshape(worlds, -1)
            each = head_log_probs(part.network.shape, outputs, mask)
            if each:
                shares = torch.cat(each, -1).exp().numpy()
                probabilities[:, slots] = shares.reshape(worlds, len(slots), -1)
        return Thoughts(value, probabilities)

    def kept(self, places: npt.NDArray[np.intp]) -> None:
        """The batch now consists of these of its worlds; what is remembered of them follows."""
        before, agents = self._alive.shape
        self._episode, self._alive = self._episode[places], self._alive[places]
        for part in self._parts:
            part.state = tuple(
                one.view(before, len(part.slots(agents)), -1)[torch.from_numpy(places)].flatten(
                    0, 1
                )
                for one in part.state
            )

    def _begins(self, world: Arrays, step: int) -> npt.NDArray[np.bool_]:
        """(n, m): agents whose episode is new to the player, as a rollout would have it."""
        alive = world.alive != 0
        if step == 0 or alive.shape != self._alive.shape:
            begins = np.ones_like(alive)
            for part in self._parts:
                slots = part.slots(world.layout.agents)
                part.state = part.network.first_state(world.num_worlds * len(slots))
        else:
            begins = (world.terminated | world.truncated) != 0
            begins |= alive & ~self._alive
            begins |= (world.episode != self._episode)[:, np.newaxis]
        self._episode, self._alive = world.episode.copy(), alive
        return begins

    def _outputs(self, part: Part, world: Arrays, begins: npt.NDArray[np.bool_]) -> Tensor:
        slots = part.slots(world.layout.agents)
        seen = world.obs[:, slots]
        obs = torch.from_numpy(seen.reshape(-1, world.layout.obs_dim).copy())
        if part.scale is not None:
            part.scale.apply_(obs)
        fresh = torch.from_numpy(begins[:, slots].reshape(-1))
        for one in part.state:
            one[fresh] = 0.0
        outputs, part.state = part.network(obs, part.state)
        return outputs

    def _choose(
        self,
        part: Part,
        outputs: Tensor,
        mask: npt.NDArray[np.uint8],
        uniform: npt.NDArray[np.float64],
    ) -> Actions:
        heads = part.network.shape.heads
        rows = len(outputs)
        actions = np.zeros((rows, len(heads)), np.int32)
        log_prob, value = np.zeros(rows, np.float32), np.zeros(rows, np.float32)
        drawn = None if self._greedy else uniform[:, : len(heads)].astype(np.float32)
        _native.choose_actions(heads, outputs.numpy(), mask, drawn, actions, log_prob, value)
        return actions

    def _steer(
        self, part: Part, outputs: Tensor, uniform: npt.NDArray[np.float64], world: Arrays
    ) -> None:
        shape = part.network.shape
        draws = outputs[:, shape.choices : shape.choices + shape.controls]
        if not self._greedy:
            numbers = torch.from_numpy(uniform[:, len(shape.heads) :])
            noise = torch.special.ndtri(numbers.clamp(1e-12, 1.0 - 1e-12)).float()
            draws = torch.addcmul(draws, part.network.log_std.exp(), noise)
        bent = bounded(part.network, draws).numpy()
        slots = part.slots(world.layout.agents)
        world.controls[:, slots] = bent.reshape(world.num_worlds, len(slots), -1)


def load_player(
    run: RunFolder,
    window: int | None = None,
    *,
    greedy: bool = True,
    seed: int = 0,
    thinking: bool = False,
) -> Player:
    """The policy of a checkpoint: that of `window`, or the latest."""
    config = parse_config(TrainConfig, run.config(), where=f"config of run {run.run_id}")
    checkpoint = run.load_checkpoint("latest" if window is None else window)
    entry = get(config.world.id)
    settings = parse_config(entry.config, config.world.settings, where=entry.id)
    layout = entry.make(settings, 1, 1, "same_step").layout
    name = f"{run.run_id}@{checkpoint.window_id}"
    return player_of(checkpoint, config, layout, name, greedy=greedy, seed=seed, thinking=thinking)


def player_of(
    checkpoint: Checkpoint,
    config: TrainConfig,
    layout: Layout,
    name: str,
    *,
    greedy: bool = True,
    seed: int = 0,
    thinking: bool = False,
) -> Player:
    """The policies of a checkpoint as one player of a world with this layout."""
    if config.algorithm == "random":
        raise NoPolicyError(
            f"{name} is a baseline of random actions (algorithm 'random') and has no policy; "
            "name a run that was trained"
        )
    parts: list[Part] = []
    for group, slots in slots_by_policy(config, layout).items():
        network = Network(Shape.of(layout), config.policy, None)
        load_policy(network, group, checkpoint.policy, checkpoint.state)
        scale = None
        if config.ppo.normalise_observations:
            scale = ObservationScale(layout.obs_dim)
            load_scale(scale, group, checkpoint.policy)
        parts.append(Part(network, scale, slots if config.policy.groups else None))
    return Player(name, parts, greedy=greedy, seed=seed, thinking=thinking)


def policy_arrays(
    network: Network, group: str, scale: ObservationScale | None
) -> dict[str, npt.NDArray[Any]]:
    """What a checkpoint keeps of a policy, by name."""
    arrays: dict[str, npt.NDArray[Any]] = {
        f"{group}.{name}": parameter.detach().cpu().numpy().copy()
        for name, parameter in network.named_parameters()
    }
    if scale is not None:
        for part, values in scale.moments.arrays().items():
            arrays[f"{group}.{_SCALE}.{part}"] = values.copy()
    return arrays


def load_scale(scale: ObservationScale, group: str, arrays: Mapping[str, npt.NDArray[Any]]) -> None:
    """Put a checkpoint's scale of observations into force."""
    for part, own in scale.moments.arrays().items():
        values = arrays.get(f"{group}.{_SCALE}.{part}")
        if values is None or values.shape != own.shape:
            found = "missing" if values is None else f"of shape {values.shape}"
            raise PolicyMismatchError(
                f"{group}.{_SCALE}.{part} is {found} in the checkpoint; "
                "use the config the checkpoint was trained with"
            )
        _check_finite(f"{group}.{_SCALE}.{part}", values)
        own[...] = values
    scale.refresh()


def _check_finite(name: str, values: npt.NDArray[Any]) -> None:
    """Refuse weights with which no policy can play."""
    if not np.isfinite(values).all():
        count = int(values.size - np.isfinite(values).sum())
        raise PolicyMismatchError(
            f"{name} has {count} of {values.size} values that are NaN or infinite in the "
            "checkpoint; take the checkpoint of an earlier window"
        )


def load_policy(
    network: Network, group: str, arrays: Mapping[str, npt.NDArray[Any]], state: Mapping[str, Any]
) -> None:
    """Put a checkpoint's weights into a network. Refuses those of another architecture."""
    if state["policy_arch"] != network.arch:
        raise PolicyMismatchError(
            f"the checkpoint is of a {state['policy_arch']}, this is a {network.arch}; "
            "use the config and the world the checkpoint was trained with"
        )
    with torch.no_grad():
        for name, parameter in network.named_parameters():
            values = arrays.get(f"{group}.{name}")
            if values is not None:
                _check_finite(f"{group}.{name}", values)
            if values is None or values.shape != tuple(parameter.shape):
                found = "missing" if values is None else f"of shape {values.shape}"
                raise PolicyMismatchError(
                    f"{group}.{name} is {found} in the checkpoint; "
                    f"this policy needs shape {tuple(parameter.shape)}"
                )
            parameter.copy_(torch.from_numpy(values))
