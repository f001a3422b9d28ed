"""The trainers themselves, for a few hundred steps; how long that takes is not judged here."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
import torch

from astrarium.bench.trainers import contenders, dummy, homes, limits, ours
from astrarium.bench.trainers.contenders import take_turn
from astrarium.bench.trainers.contract import Task
from astrarium.bench.trainers.plain import Learner
from astrarium.errors import ConfigError

WEIGHTS = 58_950
"""260-128-128 with heads of 69 and 1, biases included."""
TINY = Task("prospector-v2", num_worlds=8, rollout_steps=16, iterations=2, seconds_max=60.0)


@pytest.fixture(autouse=True)
def _one_thread() -> Iterator[None]:
    """A contender sets the threads of its process; here that is everybody's."""
    threads = torch.get_num_threads()
    # Threads that wait for each other on a busy machine turn a second into a minute.
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(threads)


class PaysForOneChoice(dummy.DummyWorld):
    """The dummy, except that one choice is worth something."""

    def step(
        self, actions: npt.ArrayLike | None = None, controls: npt.ArrayLike | None = None
    ) -> None:
        super().step(actions, controls)
        self.reward[:, 0] = self.actions[:, 0, 0] == 3


@torch.no_grad()
def expectations(learner: Learner) -> tuple[float, float]:
    """How probable the paying choice is, and what the value head expects."""
    choices, value = learner.choices(learner.next_obs)
    return float(choices.probs[:, 3].mean()), float(value.mean())


def test_the_plain_loop_learns() -> None:
    """A loop that is fast because it forgets the gradient would be no yardstick."""
    world = PaysForOneChoice(dummy.DummyConfig(), 32)
    learner = Learner(world, replace(TINY, num_worlds=32))
    assert sum(weight.numel() for weight in learner.parameters) == WEIGHTS
    before, _ = expectations(learner)
    for _ in range(12):
        assert learner.iterate() == 32 * TINY.rollout_steps
    after, value = expectations(learner)
    assert after > 4 * before
    assert value > 1


def test_the_plain_loop_looks_back_as_the_formula_says() -> None:
    world = dummy.DummyWorld(dummy.DummyConfig(), 2)
    learner = Learner(world, replace(TINY, num_worlds=2, rollout_steps=3))
    learner.rewards = torch.tensor([[1.0, 1.0], [2.0, 2.0], [4.0, 4.0]])
    learner.values = torch.tensor([[0.5, 0.5], [0.25, 0.25], [0.125, 0.125]])
    # The second world ended with its second step: nothing flows back over that.
    learner.dones = torch.tensor([[0.0, 0.0], [0.0, 0.0], [0.0, 1.0]])
    with torch.no_grad():
        advantages, returns = learner.look_back()
        _, last = learner.choices(learner.next_obs)
    expected = np.zeros((3, 2))
    ahead, trace = last.numpy().astype(np.float64), np.zeros(2)
    going_on = np.array([[1.0, 1.0], [1.0, 0.0], [1.0, 1.0]])
    for step in (2, 1, 0):
        value = learner.values[step].numpy()
        surprise = learner.rewards[step].numpy() + 0.99 * ahead * going_on[step] - value
        trace = surprise + 0.99 * 0.95 * going_on[step] * trace
        expected[step], ahead = trace, value
    np.testing.assert_allclose(advantages.numpy(), expected, rtol=1e-5)
    np.testing.assert_allclose(returns.numpy(), expected + learner.values.numpy(), rtol=1e-5)


@pytest.mark.parametrize("name", ["plain", "sb3"])
def test_a_contender_of_this_environment_answers(name: str, tmp_path: Path) -> None:
    (contender,) = contenders.chosen([name])
    answer = take_turn(contender, replace(TINY, world=dummy.WORLD), tmp_path)
    assert len(answer.rates.wall) == len(answer.rates.cpu) == TINY.iterations
    assert answer.settings["weights"] == WEIGHTS


@pytest.mark.parametrize("variant", ["", ours.AS_PUFFERLIB])
def test_ours_answers_with_either_settings(variant: str) -> None:
    rates, told = ours.measure(replace(TINY, world="lanterns-v1", variant=variant))
    assert len(rates.wall) == TINY.iterations
    assert 0 < told["share_collecting"] < 1


def test_limits_answer_too() -> None:
    for variant in ("gemm", "bare"):
        rates, _ = limits.measure(replace(TINY, variant=variant, iterations=1))
        assert len(rates.wall) == 1
    with pytest.raises(ConfigError, match="no limit is called 'other'"):
        limits.measure(replace(TINY, variant="other"))


def test_the_limit_is_the_best_matrix_product_there_is(monkeypatch: pytest.MonkeyPatch) -> None:
    """Torch's own is slower than others on some processors, and then it limits nothing."""
    speeds = {"torch": 0.01, "numpy": 0.001, "astrarium": 0.01}
    waits = {name: partial(time.sleep, wait_s) for name, wait_s in speeds.items()}
    monkeypatch.setattr(limits, "products", lambda *sizes: waits)
    _, told = limits.measure(replace(TINY, variant="gemm", iterations=1))
    assert told["library"] == "numpy"
    assert told["speed_over_torch"]["torch"] == 1.0


def test_every_product_runs() -> None:
    made = limits.products(20, 8, 1)
    assert set(made) == {"torch", "numpy", "astrarium"}
    for multiply in made.values():
        multiply()


@pytest.mark.long
@pytest.mark.parametrize("world", [dummy.WORLD, "prospector-v2"])
@pytest.mark.parametrize("name", [one.name for one in contenders.CONTENDERS if one.home])
def test_a_contender_with_its_own_home_answers(name: str, world: str, tmp_path: Path) -> None:
    (contender,) = contenders.chosen([name])
    try:
        contender.command()
    except homes.UnavailableError as error:
        pytest.skip(str(error))
    answer = take_turn(contender, replace(TINY, world=world, iterations=1), tmp_path)
    assert len(answer.rates.wall) == 1
