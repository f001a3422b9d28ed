"""A run taken in line by line: the same however it is cut, bounded, and strict."""

from __future__ import annotations

import json
from collections.abc import Iterable
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import msgspec
import pytest
from console_cases import BEGAN, MadeRun, make, sealed
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.console import Console

from astrarium.errors import ConfigError
from astrarium.esper.console import details, panels, snapshot, words
from astrarium.esper.console.aggregate import Aggregator
from astrarium.esper.console.follow import RunFollower, Standing
from astrarium.esper.console.snapshot import Snapshot
from astrarium.esper.contracts import host_happenings as of_hosts
from astrarium.esper.contracts.anomalies import RewardHackingSuspected
from astrarium.esper.contracts.errors import HappeningError
from astrarium.esper.contracts.happening import Happening
from astrarium.esper.contracts.happenings import TABLE, decode, encode, kind_of
from astrarium.runs import RunFolder, documents
from astrarium.runs.lock import RunLock

LINES = MadeRun(epochs=8, rounds=3).lines()


def seen_in(told: Iterable[Happening]) -> Snapshot:
    aggregator = Aggregator()
    for one in told:
        aggregator.take(one)
    return aggregator.snapshot()


def folder_in(path: Path, status: str = "running") -> RunFolder:
    state = {"format": 2, "run_id": path.name, "status": status, "journals": {}}
    documents.write(path / "run_metadata.json", state)
    return RunFolder.open(path)


def whole(follower: RunFollower) -> Snapshot:
    while follower.proceed():
        pass
    return follower.snapshot


def draw_everything(seen: Snapshot, width: int) -> str:
    """Every panel and page of a snapshot, as text."""
    console = Console(width=width, color_system=None, highlight=False)
    with console.capture() as captured:
        standing = Standing("run", "running", 3.0, 0.0)
        console.print(panels.header(seen, standing), panels.strip(seen))
        console.print(panels.hosts(seen, width).drawn(), panels.decisions(seen).drawn())
        console.print(*panels.texts(seen).values())
        for host in seen.hosts:
            console.print(panels.seeds(host).drawn(), panels.worth(host))
            console.print(details.host(seen, host.env), details.seed(seen, host.env, "r0c0"))
            console.print(*(details.decision(seen, one) for one in host.decisions[:1]))
    return captured.get()


def test_the_made_run_tells_every_kind_there_is() -> None:
    told = {kind_of(decode(line)) for seed in range(20) for line in MadeRun(seed=seed).lines()}
    assert told == set(TABLE)


@settings(max_examples=30)
@given(st.integers(0, len(LINES)), st.sampled_from([40, 80, 160]))
def test_any_beginning_of_a_run_can_be_shown(count: int, width: int) -> None:
    seen = seen_in(map(decode, LINES[:count]))
    assert seen.lines == count
    assert len(seen.hosts) == (3 if count else 0)
    assert draw_everything(seen, width)
    assert json.loads(msgspec.json.encode(seen))["lines"] == count


@settings(max_examples=30)
@given(cuts=st.lists(st.integers(0, len(sealed(LINES))), max_size=6), portion=st.integers(1, 300))
def test_a_file_read_in_pieces_shows_what_it_shows_at_once(
    tmp_path_factory: pytest.TempPathFactory, cuts: list[int], portion: int
) -> None:
    path = tmp_path_factory.mktemp("run")
    follower, content = waiting_follower(path), sealed(LINES)
    for end in [*sorted(cuts), len(content)]:
        (path / "world_events.jsonl").write_bytes(content[:end])
        follower.proceed(portion)
    while follower.proceed(portion):
        pass
    assert follower.snapshot == seen_in(map(decode, LINES))


def waiting_follower(path: Path) -> RunFollower:
    lock = RunLock(folder_in(path).folder)
    try:
        return RunFollower(RunFolder.open(path))
    finally:
        lock.release()


def test_however_long_a_run_is_only_so_much_is_kept() -> None:
    seen = seen_in(MadeRun(hosts=2, rounds=70, epochs=12).happenings())
    assert (seen.episodes, seen.rounds, seen.epochs) == (140, 70, 1680)
    assert len(seen.best) == snapshot.BEST_KEPT
    assert len(seen.log) == snapshot.LOG_KEPT
    assert len(seen.anomalies) == snapshot.ANOMALIES_KEPT < sum(seen.anomaly_counts.values())
    assert seen.health.steps == snapshot.STEPS_JUDGED
    assert {len(course) for course in seen.policy_course.values()} == {snapshot.COURSE_KEPT}
    for host in seen.hosts:
        assert len(host.course) == 12  # of the last episode only
        assert len(host.decisions) == snapshot.DECISIONS_KEPT
        assert len(host.stations) <= snapshot.STATIONS_KEPT


def test_what_is_seen_is_what_was_told_last() -> None:
    told = list(MadeRun().happenings())
    seen = seen_in(told)
    epochs = [one for one in told if isinstance(one, of_hosts.EpochCompleted)]
    outcomes = [one for one in told if isinstance(one, of_hosts.EpisodeOutcome)]
    assert [host.epoch for host in seen.hosts] == epochs[-3:]
    accuracies = [one.val_accuracy for one in epochs if one.env == 1 and one.episode == 3]
    assert list(seen.hosts[1].course) == accuracies
    assert seen.best[0].final_accuracy == max(one.final_accuracy for one in outcomes)
    assert seen.last_at == told[-1].at


def test_speed_and_time_left_come_from_the_lines_themselves() -> None:
    """Lines of a made run are 0.05 s apart, so every figure is known."""
    told = list(MadeRun(hosts=1, rounds=4, epochs=3).happenings())
    over = [at for at, one in enumerate(told) if kind_of(one) == "BATCH_EPOCH_COMPLETED"]
    seen = seen_in(told[: over[1] + 3])
    assert seen.rounds == 2
    assert seen.seconds_left == pytest.approx((over[1] - over[0]) * 0.05 * 2 - 0.1)
    scripted = list(MadeRun(hosts=2, rounds=None, epochs=4).happenings())
    epochs = [at for at, one in enumerate(scripted) if kind_of(one) == "EPOCH_COMPLETED"]
    seen = seen_in(scripted[: epochs[4] + 1])
    rate = 4 / ((epochs[4] - epochs[0]) * 0.05)
    assert seen.epochs_per_second == pytest.approx(rate)
    assert seen.seconds_left == pytest.approx(3 / rate)


def test_shares_of_the_reward_are_judged() -> None:
    made = MadeRun(hosts=1, rounds=None, epochs=4)
    told = [one for one in made.happenings() if one.view != "anomalies"]
    seen = seen_in(told)
    assert seen.health.shaping_share == pytest.approx(0.2 / 0.9)
    assert seen.health.gaming_share == 0.0
    assert draw_everything(seen, 80).count("healthy is") == 1
    at = next(at for at, one in enumerate(told) if isinstance(one, of_hosts.EpochCompleted))
    suspicion = make(RewardHackingSuspected, at=told[at].at, epoch=1)
    seen = seen_in([*told[: at + 1], suspicion, *told[at + 1 :]])
    assert seen.health.gaming_share == 0.25
    assert "25.0%  too much" in draw_everything(seen, 80)


def test_meaning_is_never_in_a_colour_alone() -> None:
    assert [words.growth(ratio).plain for ratio in (1.99, 2.0, 4.99, 5.0)] == [
        "1.99×",
        "2.00×!",
        "4.99×!",
        "5.00×!!",
    ]
    text = draw_everything(seen_in(MadeRun().happenings()), 160)
    for word in ("(critical)", "(warning)", "yes", "no  ", "QUIET: no news for 0:00:03"):
        assert word in text
    assert "no policy: heuristic_probe" in draw_everything(
        seen_in(MadeRun(rounds=None).happenings()), 80
    )


def test_a_course_becomes_bars() -> None:
    assert words.spark([0.0, None, 1.0, 0.5], 8) == "▁ █▅"
    assert words.spark([3.0, 3.0], 8) == "▄▄"
    assert words.spark([1.0, 2.0, 3.0], 2) == "▁█"
    assert words.spark([None], 8) == words.spark([], 8) == ""


def bad_line(**changes: Any) -> bytes:
    return msgspec.json.encode({**encode(decode(LINES[1])), **changes}) + b"\n"


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (b'{"kind": "EPOCH_COMPLETE"}\n', "did you mean 'EPOCH_COMPLETED'"),
        (b'{"kind": "EPOCH_COM}\n', "not a line of world events"),
        (bad_line(env=3), "host 3; the run has hosts 0 to 2"),
        (bad_line(env=-1), "host -1"),
        (bad_line(at="soon"), "no time in `at`"),
        (bad_line(at="2025-03-01T12:00:00"), "without a zone"),
    ],
)
def test_the_first_line_that_cannot_be_taken_in_is_named(
    tmp_path: Path, line: bytes, said: str
) -> None:
    path = tmp_path / "world_events.jsonl"
    path.write_bytes(sealed([*LINES[:9], line, *LINES[9:]]))
    follower = RunFollower(folder_in(tmp_path))
    for _ in range(2):
        with pytest.raises(HappeningError, match="line 10: ") as raised:
            follower.proceed()
        assert str(path) in str(raised.value)
        assert said in str(raised.value)


def test_a_run_begins_with_its_beginning() -> None:
    with pytest.raises(HappeningError, match="EPOCH_COMPLETED comes before TRAINING_STARTED"):
        seen_in([decode(LINES[1])])
    other = next(MadeRun(hosts=2).happenings())
    with pytest.raises(HappeningError, match="a run of 3 hosts goes on with 2"):
        seen_in([decode(LINES[0]), other])


def test_a_follower_waits_for_the_file_and_for_whole_lines(tmp_path: Path) -> None:
    follower = waiting_follower(tmp_path)
    assert not follower.proceed()
    assert follower.snapshot == Snapshot()
    path = tmp_path / "world_events.jsonl"
    path.write_bytes(sealed(LINES[:2])[:-20])
    assert follower.proceed()
    assert not follower.proceed()
    assert follower.snapshot.lines == 1
    path.write_bytes(sealed(LINES[:2]))
    assert follower.proceed()
    assert follower.snapshot.lines == 2


def test_a_file_that_is_cut_back_is_read_anew(tmp_path: Path) -> None:
    """A resumed run cuts its file to its checkpoint and goes on in another way."""
    path = tmp_path / "world_events.jsonl"
    path.write_bytes(sealed(LINES))
    follower = RunFollower(folder_in(tmp_path))
    whole(follower)
    path.write_bytes(sealed(LINES[:50]))
    assert follower.proceed()
    assert follower.snapshot == seen_in(map(decode, LINES[:50]))
    other = [*LINES[:40], *(line.replace(b'"round":0', b'"round":1') for line in LINES[40:80])]
    path.write_bytes(sealed(other))
    assert whole(follower) == seen_in(map(decode, other))


def test_much_at_once_is_read_in_portions(tmp_path: Path) -> None:
    (tmp_path / "world_events.jsonl").write_bytes(sealed(LINES))
    follower = RunFollower(folder_in(tmp_path))
    left: list[float] = []
    while follower.proceed(100):
        left.append(follower.standing(BEGAN).unread)
    assert len(left) == -(-len(LINES) // 100)
    assert left == sorted(left, reverse=True)
    assert left[0] > 0.5
    assert left[-1] == 0.0


@pytest.mark.parametrize(
    ("status", "seconds", "silence"),
    [
        ("running", 1.9, ""),
        ("running", 2.0, "quiet"),
        ("running", 4.9, "quiet"),
        ("running", 5.0, "stale"),
        ("completed", 60.0, ""),
    ],
)
def test_only_a_running_run_can_be_stale(
    tmp_path: Path, status: str, seconds: float, silence: str
) -> None:
    MadeRun().write(tmp_path)
    lock = RunLock(folder_in(tmp_path, status).folder)
    follower = RunFollower(RunFolder.open(tmp_path))
    last = datetime.fromisoformat(whole(follower).last_at)
    assert follower.standing(last + timedelta(seconds=seconds)).silence == silence
    lock.release()


def test_a_run_of_another_world_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="this is for runs of Esper"):
        RunFollower(folder_in(tmp_path, "completed"))
