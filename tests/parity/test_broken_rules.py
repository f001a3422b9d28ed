"""The harness is a checker, so it is checked: one rule wrong, and it must say which step, field
and index."""

from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import pytest

from astrarium.parity import Case, Difference, Mismatch, Pair, StepRecord, Tolerances, run_case
from astrarium.parity.prospector import PAIR, ReferenceSide
from astrarium.worlds.prospector import layout
from astrarium.worlds.prospector.reference import V1


def broken(**changes: Any) -> Pair:
    """The native core against a copy of the reference with a rule changed."""
    return replace(PAIR, left=partial(ReferenceSide, rules=replace(V1, **changes)))


def mismatch_of(pair: Pair, case: Case, tolerances: Tolerances | None = None) -> Mismatch:
    result = run_case(pair, case, tolerances)
    assert result.bundle is not None, "nobody noticed"
    assert result.steps == result.bundle.mismatch.step
    return result.bundle.mismatch


@pytest.mark.parametrize(
    ("suite", "change", "step", "field", "index"),
    [
        # Suite C listens in its second step; estimates show in the observation alone.
        ("C", {"listen_blend": 0.74}, 1, "obs", layout.NEIGHBOR_BASE + layout.NEIGHBOR_THREAT),
        # Suite B's seventh action is a scan, which is paid for even though it is impossible.
        ("B", {"scan_reward": -0.006}, 6, "reward", None),
        # Suite C cools down in its fifth step.
        ("C", {"cooldown_ticks": 3}, 4, "dt", None),
        # And refines in its tenth; alert counts in no reward.
        ("C", {"refine_alert": 3.5}, 9, "obs", layout.ALERT),
        # What a ship sees before its first action.
        ("C", {"threat_est_start": 0.4}, 0, "reset.obs", layout.NEIGHBOR_BASE + 6),
        # Rare events, in the eyes of players who get that far.
        ("D", {"pirate_alert": 8.5}, 7, "obs", layout.ALERT),
        ("D", {"fracture_logit": -3.0}, 420, "reward", None),
        ("G", {"decoy_chance": 0.7}, 38, "reward", None),
    ],
)
def test_a_broken_rule_is_named_by_step_field_and_index(
    suite: str, change: dict[str, Any], step: int, field: str, index: int | None
) -> None:
    mismatch = mismatch_of(broken(**change), Case(suite, 0, 2000.0, 600))
    difference = mismatch.difference
    assert (mismatch.step, difference.field, difference.obs_index) == (step, field, index)
    assert difference.left != difference.right


class Tampered(ReferenceSide):
    """A copy of the reference that reports one thing wrongly, at one step."""

    def __init__(self, time_max: float, at: int, changes: dict[str, Any]) -> None:
        super().__init__(time_max)
        self._left_until = at
        self._changes = changes

    def step(self, action: int) -> StepRecord:
        record = super().step(action)
        self._left_until -= 1
        if self._left_until != -1:
            return record
        changes = {name: change(record) for name, change in self._changes.items()}
        return replace(record, **changes)


def at_index(field: str, index: int) -> Any:
    """The smallest change of one float."""

    def nudge(record: StepRecord) -> Any:
        values = getattr(record, field).copy()
        values[index] = np.nextafter(values[index], np.float32(np.inf))
        return values

    return nudge


TAMPERING = {
    "terminated": {"terminated": lambda record: True},
    "truncated": {"truncated": lambda record: True},
    "dt": {"dt": lambda record: record.dt + 1},
    "reward": {"reward": lambda record: np.nextafter(record.reward, np.float32(1))},
    "obs": {"obs": at_index("obs", 259)},
    **{
        f"info.{name}": {"metrics": at_index("metrics", index)}
        for index, name in enumerate(layout.PARITY_METRICS)
    },
    "invalid_action": {"invalid_action": lambda record: not record.invalid_action},
    "action": {"action": lambda record: 0},
    "generator": {"generator": lambda record: record.generator ^ 1},
}


class Twin(ReferenceSide):
    """The reference under another name: unlike a batch, it reports the resolved action."""

    def __init__(self, time_max: float) -> None:
        super().__init__(time_max)
        self.name = "twin"  # pyright: ignore


@pytest.mark.parametrize("field", TAMPERING)
def test_every_field_is_compared_to_the_last_bit(field: str) -> None:
    right = Twin if field == "action" else PAIR.right
    pair = replace(PAIR, left=partial(Tampered, at=17, changes=TAMPERING[field]), right=right)
    mismatch = mismatch_of(pair, Case("A", 4, 2000.0, 40))
    assert (mismatch.step, mismatch.difference.field) == (17, field)
    assert mismatch.difference.obs_index == (259 if field == "obs" else None)


def test_the_published_order_decides_what_is_named_first() -> None:
    fields = list(TAMPERING)
    everything: dict[str, Any] = {}
    for field in reversed(fields):
        # Each earlier field is added to the later ones and must win.
        everything = everything | TAMPERING[field]
        if field.startswith("info."):
            everything["metrics"] = TAMPERING[field]["metrics"]
        pair = Pair(PAIR.world, partial(Tampered, at=3, changes=everything), Twin, PAIR.config_hash)
        assert mismatch_of(pair, Case("A", 4, 2000.0, 9)).difference.field == field


def test_the_lowest_differing_index_is_named() -> None:
    both = {"obs": lambda record: at_index("obs", 30)(replace(record, obs=last(record)))}
    last = at_index("obs", 259)
    pair = replace(PAIR, left=partial(Tampered, at=0, changes=both))
    assert mismatch_of(pair, Case("A", 4, 2000.0, 1)).difference.obs_index == 30


def test_a_mismatch_tells_episode_seed_and_generators() -> None:
    """Suite C's episodes have 14 steps, so step 30 is in the third."""
    changes = TAMPERING["reward"]
    pair = replace(PAIR, left=partial(Tampered, at=30, changes=changes))
    mismatch = mismatch_of(pair, Case("C", 5, 2000.0, 40))
    assert (mismatch.episode, mismatch.episode_seed) == (2, 7)
    side = ReferenceSide(2000.0)
    side.reset(7)
    for action in (8, 11):
        side.step(action)
    assert mismatch.generators_before == (side.generator, side.generator)


def test_a_generator_that_differs_at_reset_is_noticed() -> None:
    class Shifted(ReferenceSide):
        @property
        def generator(self) -> int:
            return super().generator ^ 1

    mismatch = mismatch_of(replace(PAIR, left=Shifted), Case("C", 0, 2000.0, 5))
    assert (mismatch.step, mismatch.difference.field) == (0, "reset.generator")


def test_tolerances_forgive_the_last_bits_and_no_more() -> None:
    case, allowed = Case("B", 0, 2000.0, 60), Tolerances()
    slightly = broken(time_weight=np.nextafter(V1.time_weight, np.float32(0)))
    assert mismatch_of(slightly, case).difference.field == "reward"
    assert run_case(slightly, case, allowed).passed
    clearly = broken(time_weight=-0.00101)
    found = mismatch_of(clearly, case, allowed).difference
    assert found.field == "reward"
    assert found.tol == pytest.approx(1e-6 + 1e-5 * 0.00101)
    assert found.abs_diff is not None
    assert found.abs_diff > found.tol


@pytest.mark.parametrize("field", [name for name in TAMPERING if "." in name or name == "obs"])
def test_within_tolerances_only_clear_differences_count(field: str) -> None:
    pair = replace(PAIR, left=partial(Tampered, at=2, changes=TAMPERING[field]))
    assert run_case(pair, Case("C", 4, 2000.0, 5), Tolerances()).passed


def test_infinities_are_never_within_a_tolerance() -> None:
    """A limit that grows with the value would allow anything beside an infinity."""
    for value in (np.inf, np.nan):
        changes = {"reward": lambda record, value=value: np.float32(value)}
        pair = replace(PAIR, left=partial(Tampered, at=1, changes=changes))
        found = mismatch_of(pair, Case("C", 0, 2000.0, 3), Tolerances()).difference
        assert found.field == "reward"


def test_sides_need_two_names() -> None:
    pair = replace(PAIR, right=ReferenceSide)
    with pytest.raises(ValueError, match="two names"):
        run_case(pair, Case("A", 0, 2000.0, 1))


def test_difference_is_plain_data() -> None:
    """Bundles and reports print it; a NumPy scalar would not survive JSON."""
    found = mismatch_of(broken(scan_reward=-0.006), Case("B", 0, 2000.0, 9)).difference
    assert isinstance(found, Difference)
    assert {type(found.left), type(found.right), type(found.tol)} == {float}
