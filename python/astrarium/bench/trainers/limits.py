"""What bounds any trainer here: the machine's arithmetic, and torch's own forward and backward.

Two contenders that train nothing. `gemm` multiplies matrices as fast as torch can and asks how
many steps a second that would be, if a step cost nothing but the multiplications of the network.
`bare` runs the network as often as an iteration does, and does nothing else.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final

from astrarium import worlds
from astrarium.bench.trainers.contract import Task, Timed, timed
from astrarium.bench.trainers.plain import trunk
from astrarium.errors import ConfigError

if TYPE_CHECKING:
    import torch

GEMM_ROWS: Final = 4096
_SLICE_S: Final = 0.25


def flop_per_step(obs_dim: int, hidden: tuple[int, ...], choices: int, epochs: int) -> int:
    """Operations of the matrix products for one step: chosen once, learned from `epochs` times.

    A product costs two operations per weight; backwards it is done twice, once for the weights
    and once for the inputs. Nobody needs the gradient of an observation.
    """
    widths = (obs_dim, *hidden)
    first = obs_dim * widths[1]
    weights = sum(inputs * outputs for inputs, outputs in pairwise(widths))
    weights += widths[-1] * (choices + 1)
    forward = 2 * weights
    backward = 4 * weights - 2 * first
    return forward + epochs * (forward + backward)


def measure(task: Task) -> tuple[Timed, dict[str, Any]]:
    """Steps per second of the limit called `task.variant`."""
    import torch

    torch.set_num_threads(task.threads)
    torch.manual_seed(task.seed)  # pyright: ignore[reportUnknownMemberType]
    kinds: dict[str, Callable[[Task], tuple[Timed, dict[str, Any]]]] = {
        "gemm": _gemm,
        "bare": _bare,
    }
    if task.variant not in kinds:
        raise ConfigError(f"no limit is called {task.variant!r} (known: {', '.join(kinds)})")
    return kinds[task.variant](task)


def _gemm(task: Task) -> tuple[Timed, dict[str, Any]]:
    import torch

    layout = worlds.make_vec(task.world, 1).layout
    inputs, outputs = layout.obs_dim, task.hidden[0]
    one, two = torch.randn(GEMM_ROWS, inputs), torch.randn(inputs, outputs)
    out = torch.empty(GEMM_ROWS, outputs)
    flop = 2 * GEMM_ROWS * inputs * outputs
    per_step = flop_per_step(layout.obs_dim, task.hidden, layout.num_choices, task.epochs)

    def multiply() -> int:
        products, begun = 0, time.perf_counter()
        while time.perf_counter() - begun < _SLICE_S:
            torch.mm(one, two, out=out)
            products += 1
        return products * flop

    flops = timed(task, multiply)
    rates = Timed([one / per_step for one in flops.wall], [one / per_step for one in flops.cpu])
    shape = f"{GEMM_ROWS} × {inputs} × {outputs}"
    return rates, {"product": shape, "flop_per_step": per_step}


def _bare(task: Task) -> tuple[Timed, dict[str, Any]]:
    import torch
    from torch import nn

    layout = worlds.make_vec(task.world, 1).layout
    shared = trunk(layout.obs_dim, task.hidden)
    actor = nn.Linear(task.hidden[-1], layout.num_choices)
    critic = nn.Linear(task.hidden[-1], 1)
    seen = torch.randn(task.num_worlds, layout.obs_dim)
    minibatch = torch.randn(task.minibatch_size, layout.obs_dim)

    def outputs(obs: torch.Tensor) -> torch.Tensor:
        features = shared(obs)
        return actor(features).sum() + critic(features).sum()

    def iterate() -> int:
        with torch.no_grad():
            for _ in range(task.rollout_steps):
                outputs(seen)
        for _ in range(task.epochs * task.minibatches):
            outputs(minibatch).backward()  # pyright: ignore[reportUnknownMemberType]
        return task.batch_size

    return timed(task, iterate), {"optimizer": "none"}
