"""Orders of a batch: what they mean, which of their heads matter, and that legal means possible."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from little_hosts import begun, grown_until

from astrarium.esper import orders
from astrarium.esper.contracts.actions import WAIT, ActionSpec
from astrarium.esper.contracts.heads import BLUEPRINTS, HEADS, Op, relevant
from astrarium.esper.contracts.stages import Stage
from astrarium.esper.episode import HostEpisode
from astrarium.esper.episode_snapshots import pack, unpack

SLOTS = ("r0c0", "r0c1", "r0c2", "r1c0", "r1c1")
SIZES = orders.sizes(len(SLOTS))
EVERYTHING = np.ones(sum(SIZES), np.uint8)


def row_of(episode: HostEpisode) -> np.ndarray:
    row = np.zeros(sum(SIZES), np.uint8)
    orders.write_mask(episode.masks(), row)
    return row


def test_which_heads_matter_is_what_the_contracts_say() -> None:
    table = orders.matters(len(SLOTS))
    assert len(table) == SIZES[0]
    assert table[0] == ()
    for choice in range(1, SIZES[0]):
        spec = orders.action_of(np.array([choice, 1, 0, 0, 0, 0, 0]), EVERYTHING, SLOTS)
        assert spec is not None
        named = {HEADS[orders.DETAILS[head - 1]].name for head in table[choice]}
        used = zip(HEADS, relevant(spec.op), strict=True)
        assert named == {head.name for head, is_used in used if is_used} - {"op", "slot"}


@given(st.tuples(*(st.integers(0, size - 1) for size in SIZES)))
def test_an_action_keeps_its_meaning_on_the_way_there_and_back(choices: tuple[int, ...]) -> None:
    spec = orders.action_of(np.array(choices), EVERYTHING, SLOTS)
    assert spec is not None
    again = np.array(orders.choices_of(spec, SLOTS))
    assert orders.action_of(again, EVERYTHING, SLOTS) == spec
    assert again[0] == choices[0]
    for head in orders.matters(len(SLOTS))[choices[0]]:
        assert again[head] == choices[head]


def test_every_choice_has_a_name() -> None:
    names = orders.names(SLOTS)
    assert tuple(len(head) for head in names) == SIZES
    assert names[0][0] == "wait"
    assert len(set(names[0])) == SIZES[0]
    assert names[1] == BLUEPRINTS


@pytest.mark.parametrize("head", range(len(SIZES)))
@pytest.mark.parametrize("choice", [-1, -(2**31), 2**31 - 1, None])
def test_choices_no_head_has_are_no_action(head: int, choice: int | None) -> None:
    choices = np.array([0, 1, 0, 0, 0, 0, 0])
    choices[head] = SIZES[head] if choice is None else choice
    assert orders.action_of(choices, EVERYTHING, SLOTS) is None


def test_a_choice_outside_the_mask_is_no_action_even_where_it_does_not_matter() -> None:
    row = row_of(begun())
    waiting = np.array([0, 1, 0, 0, 0, 0, 0])
    assert orders.action_of(waiting, row, SLOTS) == WAIT
    # The blueprint that is nothing is never legal.
    assert orders.action_of(np.array([0, 0, 0, 0, 0, 0, 0]), row, SLOTS) is None


MOMENTS = (Stage.GERMINATED, Stage.TRAINING, Stage.BLENDING, Stage.HOLDING, Stage.FOSSILIZED)


@cache
def moment(stage: Stage) -> tuple[HostEpisode, bytes]:
    episode = grown_until(stage, epochs=60)
    return episode, pack(episode)


def copy_of(stage: Stage) -> HostEpisode:
    """An episode whose first seed has just got that far."""
    episode, content = moment(stage)
    return unpack(content, episode.data, episode.rules)


@settings(max_examples=25)
@given(st.sampled_from(MOMENTS), st.randoms(use_true_random=False))
def test_what_is_legal_is_accepted_unless_a_gate_stays_shut(stage: Stage, random) -> None:
    episode = copy_of(stage)
    row, choices, first = row_of(episode), [], 0
    for size in SIZES:
        choices.append(random.choice(np.flatnonzero(row[first : first + size]).tolist()))
        first += size
    spec = orders.action_of(np.array(choices), row, SLOTS)
    assert spec is not None
    gated = spec.op in (Op.ADVANCE, Op.FOSSILIZE) and not episode.network.would_move_on(
        spec.slot_id
    )
    outcome, _ = episode.decide(spec)
    assert outcome.action_success is not gated, outcome.reason
    assert outcome.effective_op is (Op.WAIT if gated else spec.op)


@settings(max_examples=25)
@given(
    st.sampled_from(MOMENTS),
    st.sampled_from([op for op in Op if op is not Op.WAIT]),
    st.integers(0, len(SLOTS) - 1),
)
def test_what_is_not_legal_counts_as_waiting_and_changes_no_slot(
    stage: Stage, op: Op, slot: int
) -> None:
    episode = copy_of(stage)
    if episode.masks().allows(op, slot):
        return
    waited = copy_of(stage)
    waited.decide(WAIT)
    blueprint = "conv_light" if op is Op.GERMINATE else ""
    outcome, _ = episode.decide(ActionSpec(op, SLOTS[slot], blueprint=blueprint))
    assert (outcome.action_success, outcome.effective_op) == (False, Op.WAIT)
    assert outcome.reason
    assert episode.network.states() == waited.network.states()
