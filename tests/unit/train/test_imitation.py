"""Cloning: a policy does what its teacher did, or says that it does not."""

from pathlib import Path

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from astrarium import worlds
from astrarium.train import captures
from astrarium.train.captures import Capture, Facts, Steps
from astrarium.train.cloning import clone
from astrarium.train.config import PolicySection, layered
from astrarium.train.demonstrations import Demonstrations, Mimic, returns_of
from astrarium.train.errors import CaptureError, DegenerateCapturesError
from astrarium.train.imitation import Imitation, Study, split
from astrarium.train.policy import Network, Shape
from astrarium.train.streams import stream
from astrarium.train.teaching import Lesson, capture, teacher_called

SHAPE = Shape(3, (2, 3), 0)


def trajectory(number: int, steps: int = 12, *, remembers: bool = False, noise: float = 0.0):
    """A teacher that reads its orders off what it sees, now or at the beginning."""
    draw = np.random.default_rng(number)
    obs = draw.uniform(-1.0, 1.0, (steps, 3)).astype(np.float32)
    told = np.repeat(obs[:1], steps, 0) if remembers else obs
    actions = np.stack([told[:, 0] > 0, (told[:, 1] > 0) + (told[:, 1] > 0.5)], -1)
    wrong = draw.random(steps) < noise
    actions[wrong] = draw.integers(0, (2, 3), (steps, 2))[wrong]
    rewards = obs[:, 2] * 0.1
    rewards[-1] = 0.0
    return Capture(
        Steps(
            obs,
            actions.astype(np.int32),
            np.ones((steps, 5), np.uint8),
            np.zeros(steps, np.float32),
            np.zeros(steps + 1, np.float32),
            rewards.astype(np.float32),
            (np.arange(steps) == steps - 1).astype(np.uint8),
        ),
        Facts(
            agent_id="a",
            trajectory_id=f"t{number}",
            feature_names=["x", "y", "z"],
            action_names=[["a", "b"], ["c", "d", "e"]],
            timesteps=steps,
            tags=[],
            quality_metrics={},
            world="w",
            config_id="c",
            variant="v",
            teacher="t",
            episode_seed=number,
            ending="terminated",
        ),
    )


def network(memory: str = "none", seed: int = 0, **section) -> Network:
    policy = PolicySection(hidden=(32,), memory=memory, memory_size=24, **section)
    return Network(SHAPE, policy, stream(seed, "weights/shared"))


def imitation(shown: list[Capture], *, seed: int = 0, gamma: float = 0.0) -> Imitation:
    return Imitation(shown, SHAPE, seed=seed, gamma=gamma, study=Study())


@settings(deadline=None)
@given(count=st.integers(2, 200), share=st.floats(0.01, 0.99), seed=st.integers(0, 1000))
def test_every_trajectory_is_learned_from_or_judged_by(count: int, share: float, seed: int) -> None:
    learned, held_out = split(count, share, seed)
    assert len(learned) > 0
    assert len(held_out) > 0
    assert sorted([*learned, *held_out]) == list(range(count))
    again = split(count, share, seed)
    np.testing.assert_array_equal(held_out, again[1])


def test_one_trajectory_cannot_be_split() -> None:
    with pytest.raises(CaptureError, match="capture more"):
        imitation([trajectory(0)])


def test_no_step_that_judges_was_learned_from() -> None:
    shown = [trajectory(number) for number in range(30)]
    made = imitation(shown)
    learned = {row.tobytes() for row in made.learned.obs.numpy()}
    held_out = {row.tobytes() for row in made.held_out.obs.numpy()}
    assert len(learned) + len(held_out) == 30 * 12
    assert not learned & held_out


def test_a_plain_teacher_is_cloned_to_the_gate() -> None:
    made, own = imitation([trajectory(number, 40) for number in range(60)]), network()
    before = made.judge(own, None)
    made.learn(own, None, epochs=10)
    found = made.judge(own, None)
    assert not before.passed
    assert found.passed
    assert found.accuracy >= 0.9


def test_what_a_teacher_remembers_takes_a_memory() -> None:
    """The orders follow from the first sight only, long gone when they are given."""
    shown = [trajectory(number, 4, remembers=True) for number in range(400)]
    study = Study(learning_rate=1e-2)
    scores = {}
    for memory in ("none", "lstm", "gru"):
        made = Imitation(shown, SHAPE, seed=0, gamma=0.0, study=study)
        own = network(memory)
        made.learn(own, None, epochs=10)
        scores[memory] = made.judge(own, None).accuracy
    assert scores["none"] < 0.6 < 0.8 < min(scores["lstm"], scores["gru"])


def test_a_sequence_is_judged_as_it_would_be_alone() -> None:
    """Trajectories of other lengths beside it, and their padding, change nothing."""
    shown = [trajectory(0, 4), trajectory(1, 9), trajectory(2, 1)]
    own = network("lstm")
    together = Mimic(own, None, Demonstrations(shown, SHAPE, 0.9))
    outputs, places = together._unrolled(np.array([0, 1, 2]))
    for at, one in enumerate(shown):
        alone = Mimic(own, None, Demonstrations([one], SHAPE, 0.9))
        expected, _ = alone._unrolled(np.array([0]))
        first = sum(len(other.steps.obs) for other in shown[:at])
        mine = (places >= first) & (places < first + len(one.steps.obs))
        order = places[mine].argsort()
        torch.testing.assert_close(outputs[mine][order], expected)


@pytest.mark.parametrize("memory", ["none", "lstm"])
def test_the_same_seed_is_the_same_bits(memory: str) -> None:
    shown = [trajectory(number) for number in range(20)]

    def learned(seed: int) -> torch.Tensor:
        made, own = imitation(shown, seed=seed), network(memory)
        made.learn(own, None, epochs=2)
        return own.flat

    assert torch.equal(learned(3), learned(3))
    assert not torch.equal(learned(3), learned(4))


def test_a_teacher_without_a_rule_does_not_pass() -> None:
    shown = [trajectory(number, 30, noise=1.0) for number in range(40)]
    made, own = imitation(shown), network()
    made.learn(own, None, epochs=10)
    found = made.judge(own, None)
    assert not found.passed
    assert found.accuracy < 0.6


def test_a_value_that_cannot_be_told_does_not_pass() -> None:
    shown = [trajectory(number, 40) for number in range(60)]
    for number, one in enumerate(shown):
        one.steps.rewards[:] = np.sign(np.random.default_rng(number).normal(size=40))
    made, own = imitation(shown), network()
    made.learn(own, None, epochs=10)
    found = made.judge(own, None)
    assert found.accuracy >= 0.9
    assert found.value_miss > 0.05
    assert not found.passed


def test_a_value_head_that_learned_nothing_does_not_pass() -> None:
    """Returns that are mostly alike are missed by little, whatever the values say."""
    shown = [trajectory(number, 40) for number in range(60)]
    for one in shown:
        one.steps.rewards[:] = one.steps.obs[:, 2] ** 9
    made, own = imitation(shown), network()
    head = (own.output.weight, own.output.bias)
    untrained = [one[-1].clone() for one in head]
    made.learn(own, None, epochs=10)
    trained = made.judge(own, None)
    assert trained.passed
    with torch.no_grad():
        for one, before in zip(head, untrained, strict=True):
            one[-1] = before
    found = made.judge(own, None)
    assert found.accuracy == trained.accuracy >= 0.9
    assert found.value_miss < 0.05
    assert found.value_explained < 0.1
    assert not found.passed


def test_returns_that_are_all_the_same_need_no_explaining() -> None:
    shown = [trajectory(number, 40) for number in range(60)]
    for one in shown:
        one.steps.rewards[:] = 0.0
    made, own = imitation(shown), network()
    made.learn(own, None, epochs=10)
    assert made.judge(own, None).passed


def test_hardly_anything_but_one_action_is_refused() -> None:
    shown = [trajectory(number) for number in range(10)]
    for one in shown:
        one.steps.actions[:] = 0
    with pytest.raises(DegenerateCapturesError, match=r"100\.0%"):
        imitation(shown)


def test_forbidden_choices_are_counted_and_not_learned_from() -> None:
    shown = [trajectory(number) for number in range(20)]
    for one in shown:
        one.steps.action_mask[0] = [1, 1, 1, 1, 1]
        one.steps.action_mask[0, one.steps.actions[0, 0]] = 0
    made, own = imitation(shown), network()
    made.learn(own, None, epochs=1)
    found = made.judge(own, None)
    assert found.illegal_rows == 20
    assert torch.isfinite(own.flat).all()


def test_nobody_is_right_for_doing_the_only_thing_allowed() -> None:
    """A policy is judged by the steps at which its teacher could have done something else."""
    whole = trajectory(1, 40)
    forced = whole.steps.action_mask
    forced[:30] = 0
    for row, (first, second) in enumerate(whole.steps.actions[:30]):
        forced[row, [first, 2 + second]] = 1
    steps = whole.steps
    rest = Steps(
        steps.obs[30:], steps.actions[30:], forced[30:], steps.old_log_probs[30:],
        steps.value_preds[30:], steps.rewards[30:], steps.dones[30:],
    )  # fmt: skip
    own = network()
    judged = [
        Mimic(own, None, Demonstrations([one], SHAPE, 0.9)).judged()[0]
        for one in (whole, Capture(rest, whole.facts))
    ]
    assert judged[0] == judged[1] < 1.0


def test_captures_of_another_shape_are_refused_with_both() -> None:
    with pytest.raises(CaptureError, match=r"3 floats and heads \(2, 3\).*takes 4 and \(2,\)"):
        Imitation(
            [trajectory(0), trajectory(1)], Shape(4, (2,), 0), seed=0, gamma=0.9, study=Study()
        )


def test_heads_that_do_not_matter_are_not_learned() -> None:
    """Where the first head says 0, the second is free to say anything."""
    shape = Shape(3, (2, 3), 0, matters=((), (1,)))
    shown = [trajectory(number, 40) for number in range(60)]
    for one in shown:
        free = one.steps.actions[:, 0] == 0
        one.steps.actions[free, 1] = np.random.default_rng(7).integers(0, 3, free.sum())
    own = Network(shape, PolicySection(hidden=(32,)), stream(0, "weights/shared"))
    made = Imitation(shown, shape, seed=0, gamma=0.0, study=Study())
    made.learn(own, None, epochs=10)
    assert made.judge(own, None).accuracy >= 0.9


def test_what_comes_after_a_cut_is_what_the_teacher_expected() -> None:
    one = trajectory(0, 3).steps
    one.rewards[:] = [1.0, 2.0, 3.0]
    one.value_preds[-1] = 10.0
    np.testing.assert_allclose(returns_of(one, 0.5), [1 + 0.5 * (2 + 0.5 * 8), 6.0, 8.0])


@pytest.fixture(scope="module")
def keepers(tmp_path_factory) -> Path:
    """A keeper's evening, often."""
    entry, bot = worlds.get("lanterns-v1"), "nearest_dark_lamp"
    settings = entry.config(ticks_max=20)
    folder = tmp_path_factory.mktemp("captures") / "keepers"
    lesson = Lesson(episodes=8)
    captures.write(folder, capture(entry, bot, teacher_called(entry, bot), lesson, settings))
    return folder


KEEPER = layered(
    {"world": {"id": "lanterns-v1", "settings": {"ticks_max": 20}}, "policy": {"hidden": [32]}}
)


def test_a_clone_of_a_bot_says_how_good_it_is(keepers: Path, tmp_path: Path) -> None:
    found = clone(keepers, tmp_path / "policy", KEEPER, Study(epochs=2))
    assert found.learned_trajectories + found.held_out_trajectories == 16
    # Two epochs of eight evenings are not enough, and it does not claim to be.
    assert found.accuracy < 0.9
    assert not found.passed


@pytest.mark.long
def test_a_bot_of_lanterns_is_cloned_to_the_gate(tmp_path: Path) -> None:
    entry, bot = worlds.get("lanterns-v1"), "nearest_dark_lamp"
    lesson = Lesson(episodes=200)
    shown = capture(entry, bot, teacher_called(entry, bot), lesson)
    captures.write(tmp_path / "captures", shown)
    config = layered({"world": {"id": "lanterns-v1"}, "policy": {"hidden": [256, 256]}})
    assert clone(tmp_path / "captures", tmp_path / "policy", config).passed
