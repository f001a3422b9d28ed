"""Playing by hand: exact undo, replays that verify, and limits."""

import json
from pathlib import Path

import pytest

from astrarium.errors import ActionError, ConfigError, UnknownWorldError
from astrarium.runs import RunFolder
from astrarium.runs.replaying import verify
from astrarium.serve.problems import Problem
from astrarium.serve.sessions import PlaySession, Sessions
from astrarium.serve.settings import Settings

SETTINGS = Settings()
ORDERS = (8, 0, 8, 12, 29, 29, 33, 6, 0, 42)


@pytest.fixture
def sessions() -> Sessions:
    return Sessions(Settings(sessions_max=4, sessions_per_client=2, session_idle_seconds=100))


def new(sessions: Sessions, client: str = "me", **told) -> PlaySession:
    told = {"world": "prospector-v2", "seed": 5, "settings": {}} | told
    return sessions.create(client, **told)


def play(session: PlaySession, *orders: int) -> None:
    for order in orders:
        session.step(order, SETTINGS.session_steps_max)


def seen(session: PlaySession) -> dict:
    told = json.loads(session.view())
    del told["updated_at"], told["can_undo"]
    return told


def test_a_session_begins_with_the_episode_of_its_seed(sessions: Sessions) -> None:
    one, other = seen(new(sessions)), seen(new(sessions))
    del one["session_id"], other["session_id"], one["created_at"], other["created_at"]
    assert one == other
    assert (one["seed"], one["steps"], one["ticks"], one["frame"]) == (5, 0, 0, None)
    assert len(one["obs"]) == 260
    assert [len(head) for head in one["legal"]] == [69]
    assert one["settings"] == {"time_max": 2000.0, "invalid_action_penalty": 0.001}


def test_undo_brings_back_every_earlier_moment_exactly(sessions: Sessions) -> None:
    session = new(sessions)
    moments = [seen(session)]
    for order in ORDERS:
        play(session, order)
        moments.append(seen(session))
    for moment in moments[-2::-1]:
        session.undo()
        assert seen(session) == moment
    with pytest.raises(Problem) as caught:
        session.undo()
    assert caught.value.status == 409
    play(session, *ORDERS)
    assert seen(session) == moments[-1]


def test_undo_reaches_back_from_beyond_the_end(sessions: Sessions) -> None:
    session = new(sessions)
    play(session, 8)
    before = seen(session)
    play(session, 68)
    assert session.over
    with pytest.raises(Problem) as caught:
        play(session, 6)
    assert caught.value.status == 409
    session.undo()
    assert not session.over
    assert seen(session) == before


def test_a_saved_episode_is_a_replay_that_verifies(sessions: Sessions, tmp_path: Path) -> None:
    session = new(sessions)
    play(session, *ORDERS)
    session.undo()
    play(session, 6, 68)
    saved = session.save(tmp_path / "runs")
    assert session.save(tmp_path / "runs") == saved
    run = RunFolder.find(tmp_path / "runs", saved.run_id)
    entry = run.replay_index().find(saved.replay_id)
    assert entry is not None
    assert entry.tags[0] == "human"
    assert (entry.steps, entry.terminated, entry.checkpoint_path) == (len(ORDERS) + 1, True, "")
    assert entry.return_total == session.return_total
    assert run.status() == "completed"
    assert run.metadata()["trainer_backend"] == "human"
    replay = run.replay(saved.replay_id)
    verdict = verify(replay, entry)
    assert verdict.holds, verdict.difference
    assert verdict.ended
    assert replay.frames[-1]["digest"] == seen(session)["frame"]["digest"]
    session.undo()
    play(session, 8)
    assert session.save(tmp_path / "runs") != saved


def test_nothing_played_is_nothing_to_save(sessions: Sessions, tmp_path: Path) -> None:
    with pytest.raises(Problem, match="nothing was played"):
        new(sessions).save(tmp_path)


def test_reset_takes_the_next_seed_unless_told(sessions: Sessions) -> None:
    session = new(sessions)
    play(session, 8)
    session.reset(None)
    assert (session.seed, session.steps) == (6, 0)
    session.reset(77)
    assert session.seed == 77


@pytest.mark.parametrize("action", [-1, 69, [[1, 2]], [[1], [2]], [], [[]], 2**40])
def test_orders_that_do_not_exist_are_refused_and_change_nothing(
    sessions: Sessions, action
) -> None:
    session = new(sessions)
    before = seen(session)
    with pytest.raises(ActionError):
        session.step(action, 100)
    assert seen(session) == before


def test_a_world_of_several_agents_takes_orders_by_agent_and_head(sessions: Sessions) -> None:
    session = new(sessions, world="lanterns-v1", settings={"ticks_max": 2})
    session.step([[2, 0], [0, 1]], 100)
    told = seen(session)
    assert [len(head) for head in told["legal"]] == [3, 2]
    assert len(told["obs"]) == 2
    assert not told["over"]
    with pytest.raises(ActionError, match="2 rows of 2"):
        session.step(1, 100)
    session.step([[1, 0], [1, 0]], 100)
    assert seen(session)["over"]
    session.undo()
    assert not seen(session)["over"]


def test_what_cannot_be_played_is_said(sessions: Sessions) -> None:
    with pytest.raises(UnknownWorldError):
        new(sessions, world="prospekt")
    with pytest.raises(ConfigError, match="did you mean 'time_max'"):
        new(sessions, settings={"time_mx": 1})


def test_sessions_are_bounded_overall_and_for_each_client(sessions: Sessions) -> None:
    for client in ("a", "a", "b", "c"):
        new(sessions, client)
    for client in ("a", "d"):
        with pytest.raises(Problem) as caught:
            new(sessions, client)
        assert caught.value.status == 429
    assert len(sessions) == 4


def test_a_session_has_a_last_step(sessions: Sessions) -> None:
    session = new(sessions)
    session.step(6, 1)
    with pytest.raises(Problem, match="at most 1 steps"):
        session.step(6, 1)


def test_idle_sessions_expire(sessions: Sessions) -> None:
    old, young = new(sessions), new(sessions)
    old.touched -= 101
    sessions.expire()
    assert sessions.find(young.session_id) is young
    with pytest.raises(Problem) as caught:
        sessions.find(old.session_id)
    assert caught.value.status == 404


def test_a_busy_session_is_told_so(sessions: Sessions, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("astrarium.serve.sessions._PATIENCE_SECONDS", 0.01)
    session = new(sessions)
    with session.held(), pytest.raises(Problem, match="busy"), session.held():
        pass


def test_what_undo_keeps_is_bounded(sessions: Sessions, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("astrarium.serve.sessions.UNDO_BYTES_MAX", 20_000)
    session = new(sessions)
    play(session, *[6] * 30)
    undone = 0
    while json.loads(session.view())["can_undo"]:
        session.undo()
        undone += 1
    assert 1 <= undone < 30
    assert session.steps == 30 - undone
