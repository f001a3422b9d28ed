"""Playing by hand: exact undo, replays that verify, and limits."""

import dataclasses
import json
import time
from collections import Counter
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

import pytest

from astrarium import worlds
from astrarium.errors import ActionError, ConfigError, UnknownWorldError
from astrarium.runs import RunFolder
from astrarium.runs.replaying import verify
from astrarium.serve import sessions as sessions_module
from astrarium.serve.problems import Problem
from astrarium.serve.saving import Saves
from astrarium.serve.sessions import PlaySession, Sessions, default_layout
from astrarium.serve.settings import Settings
from astrarium.worlds.lanterns import LanternsConfig

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
    root = tmp_path / "runs"
    saves = Saves(root, SETTINGS)
    saved = session.save(root, saves)
    assert session.save(root, saves) == saved
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
    assert session.save(root, saves) != saved


def test_nothing_played_is_nothing_to_save(sessions: Sessions, tmp_path: Path) -> None:
    with pytest.raises(Problem, match="nothing was played"):
        new(sessions).save(tmp_path, Saves(tmp_path, SETTINGS))


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


def test_a_world_of_several_heads_takes_orders_by_agent_and_head(sessions: Sessions) -> None:
    session = new(sessions, world="tidebreak-v1")
    told = seen(session)
    heads = len(told["legal"])
    assert heads > 1
    first = [legal.index(True) for legal in told["legal"]]
    session.step([first], 100)
    assert seen(session)["steps"] == 1
    with pytest.raises(ActionError, match=f"1 rows of {heads}"):
        session.step(1, 100)


@pytest.mark.parametrize("world", ["lanterns-v1", "townlet-v1", "esper-digits-impaired-v1"])
def test_worlds_that_cannot_be_played_are_refused_before_they_are_made(
    sessions: Sessions, world: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A serve-only installation has no torch, which Esper needs to make a world."""
    default_layout(world)

    def make(*told: object) -> None:
        raise AssertionError("the world was made")

    entry = dataclasses.replace(worlds.get(world), make=make)
    monkeypatch.setattr("astrarium.serve.sessions.worlds.get", lambda _: entry)
    with pytest.raises(Problem, match="cannot be played by hand") as caught:
        new(sessions, world=world)
    assert caught.value.status == 422
    assert len(sessions) == 0


class _Reading(LanternsConfig):
    data: Path | None = None


def test_settings_of_a_session_cannot_name_files(
    sessions: Sessions, monkeypatch: pytest.MonkeyPatch
) -> None:
    entry = dataclasses.replace(worlds.get("prospector-v2"), config=_Reading, make=None)
    monkeypatch.setattr("astrarium.serve.sessions.worlds.get", lambda _: entry)
    with pytest.raises(Problem, match="data is a path") as caught:
        new(sessions, settings={"data": "/etc/passwd"})
    assert caught.value.status == 422


@pytest.mark.parametrize(("most", "per_client", "made"), [(50, 2, 4), (3, 50, 3)])
def test_places_are_taken_before_a_world_is_made(
    most: int, per_client: int, made: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Making takes a while: others that come meanwhile must find the place taken."""
    sessions = Sessions(Settings(sessions_max=most, sessions_per_client=per_client))
    real = sessions_module.PlaySession

    def slow(*told: object) -> PlaySession:
        time.sleep(0.05)
        return real(*told)

    monkeypatch.setattr(sessions_module, "PlaySession", slow)

    def begin(number: int) -> int:
        try:
            new(sessions, client="me" if number % 2 else "you")
        except Problem as problem:
            return problem.status
        return 200

    with ThreadPoolExecutor(16) as pool:
        statuses = Counter(pool.map(begin, range(16)))
    assert statuses == {200: made, 429: 16 - made}
    assert len(sessions) == made


def test_a_place_comes_back_when_a_world_cannot_be_made(
    sessions: Sessions, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*told: object) -> None:
        raise ConfigError("no such world")

    with monkeypatch.context() as patch:
        patch.setattr(sessions_module, "PlaySession", fail)
        for _ in range(9):
            with pytest.raises(ConfigError):
                new(sessions)
    new(sessions)


def test_few_requests_wait_for_a_busy_session(sessions: Sessions) -> None:
    session = new(sessions)
    with session.held(), ThreadPoolExecutor(12) as pool:

        def use(number: int) -> int:
            try:
                with session.held():
                    return 200
            except Problem as problem:
                return problem.status

        waiting = [pool.submit(use, number) for number in range(12)]
        refused = [one for one in waiting if one.done() or not _still_waits(one)]
        assert len(refused) == 12 - (sessions_module.WAITING_MAX - 1)
        assert {one.result() for one in refused} == {409}


def _still_waits(future: Future[int]) -> bool:
    try:
        future.result(0.3)
    except TimeoutError:
        return True
    return False


def test_no_race_exceeds_the_limits_on_saves(tmp_path: Path) -> None:
    saves = Saves(tmp_path, Settings(human_runs_max=10, human_runs_per_client=4))
    (tmp_path / "human-old").mkdir()

    def save(number: int) -> int:
        try:
            run_id = saves.take(f"client-{number % 5}")
        except Problem as problem:
            return problem.status
        time.sleep(0.01)
        (tmp_path / run_id).mkdir()
        saves.done(run_id)
        return 200

    with ThreadPoolExecutor(32) as pool:
        statuses = Counter(pool.map(save, range(64)))
    assert statuses == {200: 9, 409: 55}
    assert len(list(tmp_path.iterdir())) == 10


def test_one_client_cannot_take_the_room_of_all(tmp_path: Path) -> None:
    saves = Saves(tmp_path, Settings(human_runs_max=10, human_runs_per_client=2))
    kept = [saves.take("one"), saves.take("one")]
    for run_id in kept:
        (tmp_path / run_id).mkdir()
        saves.done(run_id)
    with pytest.raises(Problem, match="2 of your"):
        saves.take("one")
    saves.done(saves.take("other"))
    (tmp_path / kept[0]).rmdir()
    saves.take("one")


def test_a_save_that_failed_takes_no_room(tmp_path: Path) -> None:
    saves = Saves(tmp_path, Settings(human_runs_max=1))
    for _ in range(3):
        saves.done(saves.take("one"))


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
