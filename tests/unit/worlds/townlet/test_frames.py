"""Frames of a town: drawn from the inside, told by what changed, with everything that happened."""

from __future__ import annotations

from typing import Any

import msgspec
import numpy as np
import pytest

from astrarium import worlds
from astrarium.runs import replays
from astrarium.runs.replaying import verify
from astrarium.train.recording import record
from astrarium.worlds import ladder
from astrarium.worlds.frames import WHOLE_EVERY, Camera, whole_frames
from astrarium.worlds.townlet.entry import ENTRY

Frames = list[dict[str, Any]]


def lived(steps: int, *, by_changes: bool = False, **config: Any) -> Frames:
    """What a camera saw of the scripted citizens."""
    world = worlds.make_vec("townlet-v1", 1, seed=3, autoreset="disabled", **config)
    camera = Camera(ENTRY, world, by_changes=by_changes)
    citizens = ENTRY.oracles["citizens"](world)
    frames: Frames = []
    for _ in range(steps):
        world.step(citizens(world.obs, world.mask))
        frames.append(camera.frame())
    world.close()
    return frames


def test_a_frame_shows_the_town_and_what_happened() -> None:
    frames = lived(60)
    states = [frame["render_state"] for frame in frames]
    assert [state["tick"] for state in states] == list(range(1, 61))
    assert len(states[0]["agents"]) == sum(frames[0]["info"]["alive"])
    kinds = {event["event"] for state in states for event in state["events"]}
    assert "affordance_start" in kinds
    ground = states[0]["ground"]
    assert (ground["size"], ground["bus_stop"], ground["ticks_per_day"]) == (
        [48, 48],
        [1, 24],
        1000,
    )
    assert ground["jobs"]["grocer"] == {"start": 180, "end": 360, "site": [33, 24], "radius": 2}
    assert states[0]["objects"]["shower_1"]["venue"] == "gym"


def test_what_does_not_apply_is_absent_so_that_changes_can_be_told() -> None:
    for frame in lived(120):
        assert b"null" not in msgspec.json.encode(frame["render_state"])


def test_frames_told_by_changes_are_the_same_frames() -> None:
    steps = WHOLE_EVERY + 20
    whole, thin = lived(steps), lived(steps, by_changes=True)
    assert list(whole_frames(thin)) == whole
    stand_alone = [frame["frame_index"] for frame in thin if "since" not in frame]
    assert stand_alone == [0, WHOLE_EVERY]
    assert [frame["since"] for frame in thin[1:4]] == [0, 1, 2]


def test_changes_take_a_fraction_of_the_room() -> None:
    whole, thin = (
        sum(len(msgspec.json.encode(frame)) for frame in lived(200, by_changes=by_changes))
        for by_changes in (False, True)
    )
    assert thin * 3 < whole


def test_a_way_back_is_followed_by_a_whole_frame_and_nothing_that_happens_is_lost() -> None:
    world = worlds.make_vec("townlet-v1", 1, seed=3, autoreset="disabled")
    camera = Camera(ENTRY, world, by_changes=True)
    citizens = ENTRY.oracles["citizens"](world)
    frames: Frames = []
    for step in range(60):
        if step == 30:
            world.restore(world.snapshot())
            camera.back_to(frames[-1])
        world.step(citizens(world.obs, world.mask))
        frames.append(camera.frame())
    world.close()
    assert [frame["frame_index"] for frame in frames] == list(range(60))
    assert "since" not in frames[30]
    assert list(whole_frames(frames)) == lived(60)


def test_money_is_told_as_it_is_written() -> None:
    costs: set[float] = set()
    for frame in lived(120):
        events = frame["render_state"]["events"]
        costs.update(event["cost"] for event in events if event["event"] == "affordance_start")
        for name in ("wallet_mean", "queue_conflict_intensity_sum"):
            assert len(repr(frame["info"][name])) <= 9, name
    assert {0.4} <= costs <= {0.0, 0.2, 0.4}


def test_terms_that_are_nought_are_left_out_and_the_rest_adds_up() -> None:
    for frame in lived(40):
        for terms, reward in zip(frame["terms"], frame["reward"], strict=True):
            assert 0.0 not in terms.values()
            assert sum(terms.values()) == pytest.approx(reward, abs=1e-6)


@pytest.mark.parametrize(
    "settings",
    [
        {"population": {"agents": 3}},
        {"population": {"agents": 64}, "features": {"allow_unlivable": True}},
        {"population": {"agents": 2, "seats": 5}, "policy_runtime": {"action_mode": "primitive"}},
        {"features": {"systems": {"observations": "compact"}}},
    ],
    ids=["three", "sixty-four", "primitives", "compact"],
)
def test_a_town_of_any_shape_is_recorded_under_its_own_names_and_verified(
    settings: dict[str, Any],
) -> None:
    config = ENTRY.config.model_validate(settings)
    policy = ladder.policies(ENTRY, ["random_legal"])["random_legal"]
    rules = ladder.Rules(episodes=1, seed=5, steps_max=12)
    (kept,) = record(ENTRY, "random_legal", policy, rules, config).kept
    header, layout = kept.replay.header, ENTRY.make(config, 1, 1, "disabled").layout
    assert len(header["agents"]) == layout.agents
    assert len(header["obs_names"]) == layout.obs_dim
    assert [len(names) for names in header["action_names"]] == list(layout.heads)
    assert verify(kept.replay).holds
    lines = replays.encode(kept.replay).splitlines()
    assert len(lines) == 13
    assert np.shape(kept.replay.frames[0]["action"]) == (layout.agents, 1)
