"""The one table of what can happen: every kind has a face, and lines are read strictly."""

from __future__ import annotations

from typing import Any

import pytest

from astrarium.esper.contracts.anomalies import GradientPathologyDetected, RewardHackingSuspected
from astrarium.esper.contracts.errors import HappeningError
from astrarium.esper.contracts.happenings import (
    TABLE,
    decode,
    encode,
    kind_of,
    placed,
    severity_of,
)
from astrarium.esper.contracts.host_happenings import EpisodeOutcome
from astrarium.esper.contracts.seed_happenings import SeedStageChanged

TOLD = GradientPathologyDetected(epoch=3, slot_id="r0c0", seed_id="seed-000", norm=None, health=0.2)


def test_every_kind_has_a_label_and_a_view_of_its_own_payload() -> None:
    assert len(TABLE) > 20
    for kind, one in TABLE.items():
        assert kind == kind.upper() or kind.startswith("ANALYTICS_SNAPSHOT:")
        assert all((one.label, one.view, one.__doc__)), kind
        assert one.__struct_config__.forbid_unknown_fields, kind
        assert one.__struct_config__.frozen, kind


def test_a_line_reads_back_as_what_was_told() -> None:
    line = encode(TOLD)
    assert line["kind"] == "GRADIENT_PATHOLOGY_DETECTED"
    assert decode(line) == TOLD


def _without(line: dict[str, Any], name: str) -> dict[str, Any]:
    return {key: value for key, value in line.items() if key != name}


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ({"kind": "EPOCH_COMPLETE"}, "EPOCH_COMPLETED"),
        ({}, "None"),
        ({**encode(TOLD), "extra": 1}, "extra"),
        (_without(encode(TOLD), "health"), "lacks health"),
        (_without(encode(TOLD), "env"), "lacks env"),
        ({**encode(TOLD), "health": "much"}, "health"),
        ("[1]", "JSON object"),
        ("{", "not a line"),
    ],
)
def test_what_is_not_a_whole_line_of_a_known_kind_is_refused(line: Any, said: str) -> None:
    with pytest.raises(HappeningError, match=said):
        decode(line)


def test_a_happening_of_a_host_is_put_into_its_place_in_the_run() -> None:
    change = SeedStageChanged(
        epoch=4,
        slot_id="r0c1",
        seed_id="seed-000",
        blueprint="norm",
        action_id="morph-b{round}-e4-env{env}-r0c1-op5",
        before="GERMINATED",
        after="TRAINING",
        epochs_in_stage=1,
        alpha=0.0,
        reason="advance",
    )
    found = placed(change, round=7, env=2, episode=9)
    assert isinstance(found, SeedStageChanged)
    assert (found.round, found.env, found.episode) == (7, 2, 9)
    assert found.action_id == "morph-b7-e4-env2-r0c1-op5"


def test_a_happening_may_be_graver_than_its_kind() -> None:
    suspected = RewardHackingSuspected(
        epoch=9,
        slot_id="r0c0",
        seed_id="seed-001",
        pattern="ransomware_signature",
        contribution=2.0,
        counterfactual_total=-1.0,
        severity="critical",
    )
    assert severity_of(suspected) == "critical"
    assert severity_of(TOLD) == "warning"
    assert kind_of(suspected) == "REWARD_HACKING_SUSPECTED"


def test_an_outcome_dominates_where_nothing_is_worse() -> None:
    def outcome(accuracy: float, ratio: float) -> EpisodeOutcome:
        return EpisodeOutcome(
            epoch=9,
            outcome_type="finished",
            episode_seed=1,
            final_accuracy=accuracy,
            committed_accuracy=accuracy,
            param_ratio=ratio,
            num_fossilized=0,
            num_contributing_fossilized=0,
            episode_reward=0.0,
            stability_score=1.0,
            reward_mode="shaped",
            spent_epochs=9.0,
            germinated=0,
            pruned=0,
            succeeded=False,
        )

    assert outcome(90, 1.5).dominates(outcome(80, 1.5))
    assert not outcome(90, 1.5).dominates(outcome(80, 1.2))
    assert not outcome(90, 1.5).dominates(outcome(90, 1.5))
