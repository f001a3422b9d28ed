"""A log that is watched: every line beyond a limit is told, once, whatever the writer does."""

from __future__ import annotations

import json
import os
import signal
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from astrarium.cli import main, ppo_log
from astrarium.telemetry.ppo_log import RotatingLog, files_of
from astrarium.telemetry.ppo_log_checking import PpoLogError
from astrarium.telemetry.ppo_log_watching import Limits, Tail, alerts_of, baseline_of

SAMPLE = Path(__file__).parents[3] / "docs" / "samples" / "ppo-log-1.1.ndjson"
LINE = json.loads(SAMPLE.read_text().splitlines()[0])
USUAL = {
    "loss_total": -2.0,
    "batch_entropy_mean": 1.0,
    "queue_conflict_events": 10.0,
    "queue_conflict_intensity_sum": 0.0,
}
QUIET = {**LINE, "late_help_events": 1.0, "chat_failure_events": 0.0}
EVEN = {**QUIET, **USUAL}


def told(change: dict, baseline: dict[str, float] | None = None) -> list[str]:
    line = {**(QUIET if baseline is None else EVEN), **change}
    return [one.field for one in alerts_of(line, Limits(), baseline)]


@pytest.mark.parametrize(
    ("field", "over", "under"),
    [
        ("kl_divergence", 0.051, 0.05),
        ("kl_divergence_max", 0.101, 0.1),
        ("grad_norm", 15.1, 15.0),
        ("reward_advantage_corr", -0.51, -0.5),
    ],
)
def test_each_limit_has_its_edge(field: str, over: float, under: float) -> None:
    assert told({field: over}) == [field]
    assert told({field: under}) == []


def test_chats_are_judged_by_their_share() -> None:
    assert told({"chat_failure_events": 7, "chat_success_events": 2}) == ["chat_failure_events"]
    assert told({"chat_failure_events": 6, "chat_success_events": 2}) == []


@pytest.mark.parametrize(
    ("field", "over", "under"),
    [
        ("loss_total", -2.21, -2.19),
        ("loss_total", -1.79, -1.81),
        ("batch_entropy_mean", 1.11, 1.09),
        ("batch_entropy_mean", 0.89, 0.91),
        ("queue_conflict_events", 8.4, 8.5),
        ("queue_conflict_events", 11.6, 11.5),
        ("queue_conflict_intensity_sum", 0.1, 0.0),
    ],
)
def test_a_baseline_is_kept_near(field: str, over: float, under: float) -> None:
    assert told({field: over}, USUAL) == [field]
    assert told({field: under}, USUAL) == []
    assert told({field: over}) == [], "without a baseline there is nothing to be off"


def test_what_a_line_does_not_have_is_not_judged() -> None:
    base = json.loads(SAMPLE.with_name("ppo-log-1.0.ndjson").read_text().splitlines()[0])
    assert alerts_of(base, Limits(), USUAL | {"loss_total": base["loss_total"]}) == []


def test_of_a_cloning_only_its_accuracy_is_judged() -> None:
    cloned = json.loads(SAMPLE.read_text().splitlines()[2])
    assert cloned["data_mode"] == "replay"
    assert alerts_of({**cloned, "grad_norm": 9.0}, Limits(), USUAL) == []
    failed = {**cloned, "anneal_bc_accuracy": 0.8, "anneal_bc_passed": False}
    (alert,) = alerts_of(failed, Limits(), USUAL)
    assert (alert.field, alert.value) == ("anneal_bc_accuracy", 0.8)


def test_a_broken_line_is_an_alert() -> None:
    (missing,) = alerts_of({**QUIET, "surprise": 1}, Limits())
    assert missing.words == "surprise is no field of a PPO log"
    assert "telemetry_version" in alerts_of({}, Limits())[0].words


def test_a_baseline_must_be_whole(tmp_path: Path) -> None:
    assert baseline_of(SAMPLE)["loss_total"] == pytest.approx(0.16)
    path = tmp_path / "torn.ndjson"
    path.write_text("{}\n")
    with pytest.raises(PpoLogError, match="no whole log"):
        baseline_of(path)


@settings(deadline=None)
@given(
    steps=st.lists(
        st.one_of(
            st.just("write"), st.just("look"), st.just("tear"), st.integers(0, 6).map(lambda n: -n)
        ),
        max_size=40,
    ),
    entries_max=st.integers(1, 4),
)
def test_every_line_is_told_once_however_the_log_moves(
    tmp_path_factory: pytest.TempPathFactory, steps: list, entries_max: int
) -> None:
    """Full files, torn ends and runs that go back, between any two looks."""
    path = tmp_path_factory.mktemp("log") / "ppo.ndjson"
    log, tail = RotatingLog(path, entries_max), Tail(path)
    looked: list[tuple[int, int]] = []
    standing: dict[int, int] = {}
    """What each epoch says now; a look must have told the last word of every one."""
    number = 0
    for step in [*steps, "look"]:
        if step == "write":
            number += 1
            log.append({"epoch": log.epoch + 1, "loss_total": number})
            standing[log.epoch] = number
        elif step == "look":
            looked += [(line["epoch"], line["loss_total"]) for line in tail.fresh()]
        elif step == "tear":
            if files_of(path):
                with files_of(path)[-1].open("ab") as file:
                    file.write(b'{"epoch": ')
                log = RotatingLog(path, entries_max)
        else:
            log.cut(max(0, log.epoch + step))
            standing = {epoch: word for epoch, word in standing.items() if epoch <= log.epoch}
    assert len(looked) == len(set(looked))
    assert set(standing.items()) <= set(looked)
    assert tail.fresh() == []


def run(*words: str) -> int:
    with pytest.raises(SystemExit) as ended:
        main(["runs", "ppo-log", "watch", *words])
    return int(str(ended.value.code))


def test_the_command_judges_what_is_there(capsys: pytest.CaptureFixture[str]) -> None:
    quiet = ("--late-help-min", "0", "--chat-failure-max", "1", "--once")
    assert run(str(SAMPLE), *quiet) == 0
    assert "5 lines, 0 alerts" in capsys.readouterr().out
    assert run(str(SAMPLE), *quiet, "--kl-max", "0.01") == 1
    out = capsys.readouterr().out
    assert "epoch 1: kl_divergence is 0.011, above 0.01" in out
    assert run(str(SAMPLE), *quiet, "--baseline", str(SAMPLE)) == 1
    assert "off the baseline's 0.16" in capsys.readouterr().out


def test_the_command_follows_until_it_is_stopped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    log = RotatingLog(tmp_path / "ppo.ndjson", entries_max=2)
    log.append(QUIET)
    turns = iter(range(3))

    def wait(seconds: float) -> None:
        assert seconds == 2.0
        if next(turns) < 2:
            log.append({**QUIET, "epoch": log.epoch + 1, "grad_norm": 19.0})
        else:
            os.kill(os.getpid(), signal.SIGINT)

    monkeypatch.setattr(ppo_log.time, "sleep", wait)
    assert run(str(tmp_path / "ppo.ndjson")) == 1
    out = capsys.readouterr().out
    assert out.count("grad_norm is 19, above 15") == 2
    assert "3 lines, 2 alerts" in out


@pytest.mark.parametrize(
    ("words", "error"),
    [(["gone.ndjson"], "no PPO log at gone.ndjson"), ([str(SAMPLE), "--every", "0"], "--every")],
)
def test_the_command_explains_itself(
    words: list[str], error: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(*words) == 2
    assert error in capsys.readouterr().err


def test_an_empty_log_is_not_whole(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    log = tmp_path / "ppo.ndjson"
    log.write_bytes(b"")
    with pytest.raises(SystemExit) as ended:
        main(["runs", "ppo-log", "validate", str(log)])
    assert ended.value.code == 1
    assert "ppo.ndjson is empty" in capsys.readouterr().out


def test_a_healthy_training_is_within_the_limits() -> None:
    """The extremes of short trainings with the presets of all worlds."""
    healthy = {
        "kl_divergence": 0.027,
        "kl_divergence_max": 0.065,
        "grad_norm": 7.3,
        "reward_advantage_corr": -0.35,
        "late_help_events": 0.0,
        "chat_failure_events": 43,
        "chat_success_events": 57,
    }
    assert told(healthy) == []
