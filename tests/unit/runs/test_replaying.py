"""Replays played again: whole ones hold, and whatever is damaged in one is named."""

from __future__ import annotations

import copy
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import astrarium
from astrarium import worlds
from astrarium.errors import SeedError, UnknownWorldError
from astrarium.runs import Replay, ReplayEntry, ReplayError, replays
from astrarium.runs.replaying import OtherBuildError, config_hash, return_of, verify
from astrarium.train.recording import record
from astrarium.worlds import ladder

SEED = 11


def recorded(world_id: str, bot: str, steps_max: int = 30_000) -> Replay:
    entry = worlds.get(world_id)
    rules = ladder.Rules(episodes=1, seed=SEED, steps_max=steps_max)
    policy = ladder.policies(entry, [bot])[bot]
    return record(entry, bot, policy, rules, commit="0123abc").kept[0].replay


@pytest.fixture(scope="module")
def mined() -> Replay:
    """A ship that mines until it is lost."""
    return recorded("prospector-v1", "greedy_miner")


@pytest.fixture(scope="module")
def lit() -> Replay:
    """Two keepers of lanterns, cut off by the clock."""
    return recorded("lanterns-v1", "nearest_dark_lamp")


def damaged(
    replay: Replay, damage: Callable[[dict[str, Any], list[dict[str, Any]]], None]
) -> Replay:
    header, frames = copy.deepcopy(dict(replay.header)), copy.deepcopy(list(replay.frames))
    damage(header, frames)
    return Replay(header, frames)


def entry_of(replay: Replay) -> ReplayEntry:
    return ReplayEntry(
        run_id="run",
        window_id=0,
        replay_id=replays.new_replay_id(0, replays.encode(replay)),
        replay_path="",
        checkpoint_path="",
        tags=[],
        trainer_backend="ppo",
        return_total=return_of(replay.frames),
        steps=len(replay.frames),
        profit=None,
        survival=None,
        terminated=True,
        truncated=False,
        checkpoint_env_steps_total=0,
        created_at="",
        sha256="",
    )


def test_a_whole_replay_holds_also_after_a_trip_through_a_file(
    mined: Replay, lit: Replay, tmp_path: Path
) -> None:
    for one in (mined, lit):
        path = tmp_path / "one.jsonl.gz"
        path.write_bytes(replays.compress(replays.encode(one)))
        verdict = verify(replays.read(path), entry_of(one))
        assert verdict.holds
        assert verdict.ended
        assert verdict.frames == len(one.frames)
        assert verdict.recorded_by == f"{astrarium.__version__} (commit 0123abc)"


def test_an_episode_given_up_on_holds_and_has_no_end() -> None:
    verdict = verify(recorded("prospector-v2", "hauler", steps_max=20))
    assert (verdict.holds, verdict.ended, verdict.frames) == (True, False, 20)


def test_progress_is_told_frame_by_frame(lit: Replay) -> None:
    told: list[tuple[int, int]] = []
    verify(lit, progress=lambda done, total: told.append((done, total)))
    assert told == [(done + 1, len(lit.frames)) for done in range(len(lit.frames))]


def set_action(frame: int, action: Any) -> Any:
    def damage(header: dict[str, Any], frames: list[dict[str, Any]]) -> None:
        frames[frame]["action"] = action

    return damage


def put(frame: int, value: Any, *path: Any) -> Any:
    """Overwrite one value of one frame."""

    def damage(header: dict[str, Any], frames: list[dict[str, Any]]) -> None:
        place: Any = frames[frame]
        for step in path[:-1]:
            place = place[step]
        assert place[path[-1]] != value
        place[path[-1]] = value

    return damage


def drop(frame: int) -> Any:
    return lambda header, frames: frames.pop(frame)


@pytest.mark.parametrize(
    ("damage", "frame", "field"),
    [
        (put(5, 0.125, "reward"), 5, "reward"),
        (put(5, "0123456789abcdef", "digest"), 5, "digest"),
        (put(0, 99.0, "terms", "fuel"), 0, "terms.fuel"),
        (put(7, True, "terminated"), 7, "terminated"),
        (put(-1, ["destroyed"], "events"), -1, "events"),
        (put(3, 0.5, "render_state", "observation", 17), 3, "render_state.observation[17] (at_st"),
        (put(3, "nowhere", "render_state", "node_context"), 3, "render_state.node_context"),
        (put(4, 1e6, "info", "credits"), 4, "info.credits"),
        (put(2, 4, "dt"), 2, "dt"),
        (put(2, 400, "t"), 2, "t"),
        (drop(6), 6, "frame_index"),
        (lambda header, frames: frames[3].pop("digest"), 3, "digest"),
        (lambda header, frames: frames[3]["info"].pop("credits"), 3, "info.credits"),
        (lambda header, frames: frames[3]["terms"].update(bribes=None), 3, "terms"),
        (lambda header, frames: header.update(seed=SEED + 1), 0, ""),
        (lambda header, frames: frames.append({**frames[-1], "frame_index": 53}), -1, "frame"),
    ],
)
def test_damage_is_found_and_named(mined: Replay, damage: Any, frame: int, field: str) -> None:
    broken = damaged(mined, damage)
    difference = verify(broken).difference
    assert difference is not None
    expected = frame if frame >= 0 else len(broken.frames) + frame
    assert (difference.frame, difference.field[: len(field)]) == (expected, field)
    assert difference.words().startswith(f"frame {expected}, {field}")
    assert "recorded" in difference.words()


def test_one_changed_action_is_noticed_in_its_own_frame(mined: Replay) -> None:
    """Holding instead of what was done changes something at once: at least the digest."""
    for frame in range(0, len(mined.frames), 7):
        assert mined.frames[frame]["action"] != 6
        difference = verify(damaged(mined, set_action(frame, 6))).difference
        assert difference is not None
        assert difference.frame == frame


def test_one_changed_order_of_one_of_several_agents_is_noticed(lit: Replay) -> None:
    moved = next(at for at, one in enumerate(lit.frames) if one["action"][1][0] != 1)
    difference = verify(damaged(lit, put(moved, 1, "action", 1, 0))).difference
    assert difference is not None
    assert difference.frame == moved


def test_frames_lost_at_the_end_show_against_the_index(mined: Replay) -> None:
    cut = damaged(mined, drop(-1))
    assert verify(cut).holds
    difference = verify(cut, entry_of(mined)).difference
    assert difference is not None
    assert difference.field == "steps (of the replay index)"
    assert (difference.recorded, difference.simulated) == (len(mined.frames), len(cut.frames))
    praised = replace_entry(entry_of(mined), return_total=1e6)
    difference = verify(mined, praised).difference
    assert difference is not None
    assert difference.field == "return_total (of the replay index)"


def replace_entry(entry: ReplayEntry, **changed: Any) -> ReplayEntry:
    return ReplayEntry(
        **{**{name: getattr(entry, name) for name in entry.__struct_fields__}, **changed}
    )


def test_what_the_policy_thought_is_not_the_worlds_to_judge(mined: Replay) -> None:
    def damage(header: dict[str, Any], frames: list[dict[str, Any]]) -> None:
        frames[0]["policy"] = {"value": 1.0, "probability": 1.0, "probabilities": []}
        frames[1].pop("policy")
        frames[2].pop("info")

    assert verify(damaged(mined, damage)).holds


def test_another_version_is_refused_unless_wanted(mined: Replay) -> None:
    old = damaged(mined, lambda header, frames: header["build"].update(version="0.0.1"))
    with pytest.raises(OtherBuildError, match=r"recorded by version 0\.0\.1 .*--any-build"):
        verify(old)
    assert verify(old, any_build=True).holds


def test_another_commit_of_this_version_is_compared(mined: Replay) -> None:
    other = damaged(mined, lambda header, frames: header["build"].update(commit="fedcba9"))
    assert verify(other).holds


@pytest.mark.parametrize(
    ("changed", "error", "words"),
    [
        ({"world": "prospector-v3"}, UnknownWorldError, "did you mean"),
        ({"world_config": {"time_max": 5.0}}, ReplayError, "settings were changed"),
        ({"world_config": {"tide": 1}}, ReplayError, "unknown key 'tide'.*version that recorded"),
        ({"config_hash": "0" * 16}, ReplayError, "record the episode again"),
        ({"obs_names": ["x"]}, ReplayError, "obs_names are not those of prospector-v1"),
        ({"agents": ["tug"]}, ReplayError, "agents are not those"),
        ({"seed": 1 << 64}, SeedError, "seed"),
    ],
)
def test_a_replay_of_another_world_or_config_says_what_to_do(
    mined: Replay, changed: dict[str, Any], error: type[Exception], words: str
) -> None:
    with pytest.raises(error, match=words):
        verify(damaged(mined, lambda header, frames: header.update(changed)))


def test_an_episode_of_a_sister_world_differs_from_the_start(mined: Replay) -> None:
    sister = damaged(mined, lambda header, frames: header.update(world="prospector-v2"))
    difference = verify(sister).difference
    assert difference is not None
    assert difference.frame == 0


@pytest.mark.parametrize("action", [[[1, 2]], [1], [[1], [2]], "mine", 1 << 40, None])
def test_orders_no_world_could_take_are_refused(mined: Replay, action: Any) -> None:
    with pytest.raises(ReplayError, match="frame 2"):
        verify(damaged(mined, set_action(2, action)))


def test_a_file_of_another_format_is_refused_by_its_reader(mined: Replay, tmp_path: Path) -> None:
    lines = replays.encode(mined).replace(b'"format":1', b'"format":2', 1)
    path = tmp_path / "new.jsonl.gz"
    path.write_bytes(replays.compress(lines))
    with pytest.raises(ReplayError, match="format 2"):
        replays.read(path)


def test_a_config_hash_tells_settings_apart() -> None:
    model = worlds.get("prospector-v2").config
    assert config_hash(model()) == config_hash(model(time_max=2000))
    assert config_hash(model()) != config_hash(model(time_max=2001))
    assert config_hash(model()) == "d1d79916dcb73e2c"
