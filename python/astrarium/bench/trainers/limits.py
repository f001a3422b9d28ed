"""What bounds any trainer here: the machine's arithmetic, and torch's own forward and backward.

Two contenders that train nothing. `gemm` multiplies matrices with the fastest product found on the
machine, of torch, NumPy and Astrarium. It reports how many steps a second that would be, if a step
cost nothing but the multiplications of the network.
`bare` runs the network as often as an iteration does, and does nothing else.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final

import numpy as np

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
    layout = worlds.make_vec(task.world, 1).layout
    inputs, outputs = layout.obs_dim, task.hidden[0]
    flop = 2 * GEMM_ROWS * inputs * outputs
    per_step = flop_per_step(layout.obs_dim, task.hidden, layout.num_choices, task.epochs)
    candidates = products(inputs, outputs, task.threads)
    # Which is fastest depends on the processor: torch's own is slow on some.
    speeds = {name: _speed(multiply) for name, multiply in candidates.items()}
    best = max(speeds, key=lambda name: speeds[name])

    def multiply() -> int:
        return _multiplied(candidates[best]) * flop

    flops = timed(task, multiply)
    rates = Timed([one / per_step for one in flops.wall], [one / per_step for one in flops.cpu])
    shape = f"{GEMM_ROWS} × {inputs} × {outputs}"
    over_torch = {name: round(speed / speeds["torch"], 3) for name, speed in speeds.items()}
    return rates, {
        "product": shape,
        "library": best,
        "speed_over_torch": over_torch,
        "flop_per_step": per_step,
    }


def products(inputs: int, outputs: int, threads: int) -> dict[str, Callable[[], object]]:
    """Return by library a function that multiplies (GEMM_ROWS, inputs) by (inputs, outputs).

    Ours has no product of its own: it is the value of a network with one hidden layer, of which
    only that layer is counted.
    """
    import torch

    from astrarium import _native

    one, two = torch.randn(GEMM_ROWS, inputs), torch.randn(inputs, outputs)
    out = torch.empty(GEMM_ROWS, outputs)
    left, right, result = one.numpy(), two.numpy(), out.numpy()
    network = _native.PolicyNetwork((1,), (inputs, outputs), "relu", threads)
    parameters = np.zeros((inputs + 1) * outputs + (outputs + 1) * 2, np.float32)
    value = np.zeros(GEMM_ROWS, np.float32)
    return {
        "torch": lambda: torch.mm(one, two, out=out),
        "numpy": lambda: np.matmul(left, right, out=result),
        "astrarium": lambda: network.value(parameters, left, None, value),
    }


def _multiplied(multiply: Callable[[], object]) -> int:
    """Multiply for a slice of time and return how often."""
    count, begun = 0, time.perf_counter()
    while time.perf_counter() - begun < _SLICE_S:
        multiply()
        count += 1
    return count


def _speed(multiply: Callable[[], object]) -> float:
    """Return products per second, of the better of two slices."""
    best = 0.0
    for _ in range(2):
        begun = time.perf_counter()
        count = _multiplied(multiply)
        best = max(best, count / (time.perf_counter() - begun))
    return best


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
