"""`astrarium parity`: what it prints, writes and exits with."""

import json
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from astrarium.cli import main
from astrarium.cli import parity as command
from astrarium.parity import Pair, bundle, cases, replay, run_cases
from astrarium.parity.prospector import PAIR, ReferenceSide
from astrarium.worlds.prospector.reference import V1

QUICK = ("--suites", "bc", "--seeds", "2", "--steps", "30", "--time-max", "500", "--jobs", "1")
BROKEN: Pair = replace(PAIR, left=partial(ReferenceSide, rules=replace(V1, refine_alert=3.5)))


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Bundles go to the working directory unless told otherwise."""
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def _broken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(command.PAIRS, "prospector", BROKEN)


def status_of(*tokens: str) -> Any:
    with pytest.raises(SystemExit) as stopped:
        main(["parity", *tokens])
    return stopped.value.code


def test_agreement_exits_0_and_leaves_nothing_behind(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert status_of("prospector", *QUICK) == 0
    assert "4 of 4 cases agree to the bit" in capsys.readouterr().out
    assert list(tmp_path.iterdir()) == []


@pytest.mark.usefixtures("_broken")
def test_a_difference_exits_1_names_it_and_keeps_the_evidence(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert status_of(*QUICK, "--report", "reports/parity.json") == 1
    out = capsys.readouterr().out
    assert "2 of 4 cases agree" in out
    assert "suite C, seed 0, time_max 500: step 9 (episode 0, seed 0), obs[5] (alert_frac)" in out
    folders = sorted((tmp_path / "parity-mismatches").iterdir())
    assert [folder.name.split("_", 1)[1] for folder in folders] == [
        "suite-C_seed-0_time-500",
        "suite-C_seed-1_time-500",
    ]
    for folder in folders:
        loaded = bundle.load(folder)
        assert replay(BROKEN, loaded) == loaded.mismatch
    report = json.loads((tmp_path / "reports/parity.json").read_text())
    assert report["comparison"] == "exact"
    assert report["summary"]["pass"] is False
    assert (report["summary"]["cases_run"], report["summary"]["cases_failed"]) == (4, 2)
    assert report["results"][2]["mismatch"]["field"] == "obs"
    assert Path(report["results"][2]["bundle"]).name == folders[0].name


@pytest.mark.usefixtures("_broken")
def test_report_only_exits_0(tmp_path: Path) -> None:
    assert status_of(*QUICK, "--report-only", "--out", "evidence") == 0
    assert len(list((tmp_path / "evidence").iterdir())) == 2


@pytest.mark.usefixtures("_broken")
def test_stop_at_first_stops_there(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert status_of(*QUICK, "--stop-at-first") == 1
    out = capsys.readouterr().out
    assert "2 of 3 cases agree" in out
    assert "4 were planned" in out
    assert len(list((tmp_path / "parity-mismatches").iterdir())) == 1


@pytest.mark.usefixtures("_broken")
def test_tolerances_take_the_place_of_bits(capsys: pytest.CaptureFixture[str]) -> None:
    assert status_of(*QUICK, "--obs-tolerance", "0.01") == 0
    assert "within tolerances" in capsys.readouterr().out
    assert status_of(*QUICK, "--no-exact") == 1
    assert status_of(*QUICK, "--metric-tolerance", "1") == 1


@pytest.mark.parametrize(
    ("tokens", "words"),
    [
        (("prospectr",), "did you mean 'prospector'"),
        (("--suites", "ABX"), "'ABX'"),
        (("--suites", "AAB"), "each letter once"),
        (("--suites", ""), "out of ABCDEFG"),
        (("--seeds", "0"), "at least 1"),
        (("--steps", "-1"), "at least 1"),
        (("--steps", "many"), "many"),
        (("--first-seed", "-1"), "0..2**64-1"),
        (("--first-seed", str(2**64 - 1)), "0..2**64-1"),
        (("--time-max", "0"), "time_max is 0"),
        (("--time-max", "nan"), "time_max is nan"),
        (("--jobs", "0"), "at least one process"),
        (("--reward-tolerance", "-1"), "0 or more"),
        (("--obs-tolerance", "nan"), "0 or more"),
        (("--exact", "--obs-tolerance", "1"), "--exact"),
        (("--no-such-option",), "--no-such-option"),
    ],
)
def test_bad_requests_exit_2_and_say_why(
    tokens: tuple[str, ...],
    words: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("COLUMNS", "300")
    assert status_of(*tokens) == 2
    printed = capsys.readouterr()
    assert words in printed.out + printed.err


@pytest.mark.usefixtures("_broken")
@pytest.mark.parametrize("option", ["--out", "--report"])
def test_a_place_that_cannot_be_written_is_named(
    option: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    (tmp_path / "taken").touch()
    assert status_of(*QUICK, option, "taken/inside") == 2
    assert "cannot write taken" in capsys.readouterr().err


def test_results_do_not_depend_on_the_number_of_processes() -> None:
    chosen = cases("BCG", seeds=2, time_max=(500.0,), steps=25)
    one, two = ([*run_cases(BROKEN, chosen, jobs=jobs)] for jobs in (1, 2))
    for single, parallel in zip(one, two, strict=True):
        assert replace(single, seconds=0.0, bundle=None) == replace(
            parallel, seconds=0.0, bundle=None
        )
        first, second = single.bundle, parallel.bundle
        assert (first and first.mismatch) == (second and second.mismatch)
    assert sum(not result.passed for result in one) >= 2


@pytest.fixture
def evidence(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> str:
    """A bundle of a rule that was broken and is mended again."""
    with monkeypatch.context() as patch:
        patch.setitem(command.PAIRS, "prospector", BROKEN)
        assert status_of(*QUICK, "--stop-at-first") == 1
    capsys.readouterr()
    return str(next(Path("parity-mismatches").iterdir()))


def test_replay_steps_to_the_difference_and_shows_it(
    evidence: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(command.PAIRS, "prospector", BROKEN)
    monkeypatch.setenv("COLUMNS", "200")
    assert status_of("replay", evidence, "--steps", "3") == 1
    out = capsys.readouterr().out
    assert "still differs as recorded, at step 9" in out
    assert "45 SELL_COMMODITY_0_100PCT" in out
    assert "32 REFINE_ONBOARD" in out
    assert "alert_frac" in out
    assert "35 HULL_PATCH" not in out


def test_replay_as_json_has_steps_and_every_value_that_differs(
    evidence: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(command.PAIRS, "prospector", BROKEN)
    assert status_of("replay", evidence, "--json") == 1
    around = json.loads(capsys.readouterr().out)
    assert (around["reproduced"], around["as_recorded"]) == (True, True)
    assert [step["step"] for step in around["steps"]] == [5, 6, 7, 8, 9]
    last = around["steps"][-1]
    assert (last["action"], last["action_name"]) == (32, "REFINE_ONBOARD")
    assert last["python"]["generator"] == last["native"]["generator"]
    first = around["differences"][0]
    assert (first["field"], first["name"]) == ("obs[5]", "alert_frac")
    assert first["python"] == around["mismatch"]["python"] != first["native"]


def test_replay_says_when_the_sides_agree_again(
    evidence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert status_of("replay", evidence) == 0
    assert "agrees now: the recorded difference was at step 9" in capsys.readouterr().out


@pytest.mark.usefixtures("_broken")
def test_replay_shows_a_difference_at_a_reset(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    wrong = replace(PAIR, left=partial(ReferenceSide, rules=replace(V1, threat_est_start=0.4)))
    monkeypatch.setitem(command.PAIRS, "prospector", wrong)
    assert status_of(*QUICK, "--stop-at-first") == 1
    capsys.readouterr()
    assert status_of("replay", str(next(Path("parity-mismatches").iterdir())), "--json") == 1
    around = json.loads(capsys.readouterr().out)
    assert around["steps"] == []
    assert around["differences"][0]["field"].startswith("reset_obs[")


def test_replay_refuses_what_is_no_bundle(capsys: pytest.CaptureFixture[str]) -> None:
    Path("empty").mkdir()
    assert status_of("replay", "empty") == 2
    assert "empty is not a whole bundle" in capsys.readouterr().err


def test_replay_refuses_a_count_of_no_steps(
    evidence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert status_of("replay", evidence, "--steps", "0") == 2
    assert "steps is 0; at least one step is needed" in capsys.readouterr().err
