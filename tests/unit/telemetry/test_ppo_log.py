"""The PPO log: one line an update, numbered without a gap whatever happens to its writer."""

import json
import math
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from astrarium.cli import main
from astrarium.telemetry import ppo_log_fields as fields
from astrarium.telemetry.events import PolicyCloned, RunResumed, RunStarted, UpdateFinished
from astrarium.telemetry.following import Follower, feed
from astrarium.telemetry.ppo_log import OFFSET, PpoLogSink, RotatingLog, files_of, log_path
from astrarium.telemetry.ppo_log_checking import PpoLogError, check, read

FIGURES = {
    **dict.fromkeys(("policy_loss", "value_loss", "entropy", "approx_kl", "grad_norm"), 0.5),
    **dict.fromkeys(("clip_fraction", "loss", "advantage_mean", "advantage_std"), 0.25),
    "minibatches": 4,
    "transitions": 64,
    "rollout_ticks": 64,
    "learning_rate": 1e-3,
}


def update(number: int, **figures) -> UpdateFinished:
    at = f"2026-01-01T00:00:{number % 60:02d}.000Z"
    told = {**FIGURES, **figures}
    return UpdateFinished(number, 64 * (number + 1), 64 * (number + 1), at=at, **told)


def told(folder: Path, events, **settings) -> Path:
    sink = PpoLogSink(folder, **settings)
    for event in events:
        sink.event(event)
    sink.close()
    return log_path(folder)


def offsets(path: Path) -> list[int]:
    return [line[OFFSET] for line in read(path)[0]]


def epochs(path: Path) -> list[int]:
    return [line["epoch"] for line in read(path)[0]]


@pytest.mark.parametrize("version", fields.VERSIONS)
def test_what_is_written_is_what_the_validator_wants(tmp_path: Path, version) -> None:
    path = told(tmp_path, [update(at) for at in range(3)], version=version)
    report = check(path)
    assert (report.lines, report.faults) == (3, ())


def test_an_old_line_has_no_new_field(tmp_path: Path) -> None:
    path = told(tmp_path, [update(0, world_stats={"rivalry_max_mean": 1.0})], version="1.0")
    assert set(read(path)[0][0]) == set(fields.BASE)


def test_the_worlds_own_figures_are_taken_by_name(tmp_path: Path) -> None:
    stats = {"rivalry_max_mean": 0.3, "queue_conflict_events": 7.0}
    anneal = dict.fromkeys(fields.ANNEAL, 1.0)
    anneal |= dict.fromkeys(fields.FLAGS, False)
    anneal |= {"anneal_stage": "ppo", "anneal_dataset": "set", "data_mode": "mixed"}
    path = told(tmp_path, [update(0), update(1, world_stats=stats, anneal=anneal)])
    plain, rich = read(path)[0]
    assert plain["conflict.rivalry_max_mean_avg"] == 0.0
    assert "queue_conflict_events" not in plain
    assert plain["data_mode"] == "rollout"
    assert rich["conflict.rivalry_max_mean_avg"] == 0.3
    assert rich["queue_conflict_events"] == 7.0
    assert (rich["data_mode"], rich["anneal_dataset"]) == ("mixed", "set")
    assert check(path).faults == ()


def test_a_cloning_is_a_line_and_counts_for_no_mean(tmp_path: Path) -> None:
    """Its loss is another one than PPO's, and it plays nothing that could be compared."""
    cloned = PolicyCloned(
        cycle=1, policy="shared", dataset="set", accuracy=0.8, accuracy_min=0.9, value_miss=0.1,
        outcome="FAIL", rolled_back=True, loss=7.0, minibatches=3, transitions=90,
    )  # fmt: skip
    path = told(tmp_path / "a", [update(0), cloned, update(2)])
    line = read(path)[0][1]
    assert (line["epoch"], line["cycle_id"], line["rollout_ticks"]) == (2, 0, 0)
    assert (line["data_mode"], line["anneal_stage"], line["anneal_bc_passed"]) == (
        "replay",
        "bc",
        False,
    )
    assert (line["loss_total"], line["updates"], line["transitions"]) == (7.0, 3, 90)
    assert check(path).faults == ()
    plain = told(tmp_path / "b", [update(0), update(2)])
    assert all(one.absolute == 0.0 for one in check(path, plain).drift)
    old = told(tmp_path / "c", [cloned], version="1.0")
    assert set(read(old)[0][0]) == set(fields.BASE)


def test_durations_come_from_the_events(tmp_path: Path) -> None:
    began = RunStarted(run_id="r", world="w", seed=0, config_hash="", at="2026-01-01T00:00:00.000Z")
    path = told(tmp_path, [began, update(2), update(5)])
    assert [line["epoch_duration_sec"] for line in read(path)[0]] == [2.0, 3.0]


def test_a_figure_that_does_not_exist_is_finite_all_the_same(tmp_path: Path) -> None:
    path = told(tmp_path, [UpdateFinished(0, 0, 0)])
    assert check(path).faults == ()


def test_a_full_file_is_followed_by_the_next(tmp_path: Path) -> None:
    path = told(tmp_path, [update(at) for at in range(25)], entries_max=2)
    names = [place.name for place in files_of(path)]
    assert names == ["ppo.ndjson", *(f"ppo.ndjson.{number}" for number in range(1, 13))]
    assert offsets(path) == list(range(25))


@settings(deadline=None)
@given(
    stops=st.lists(st.integers(0, 12), max_size=5),
    entries_max=st.integers(1, 5),
    torn=st.booleans(),
)
def test_restarts_leave_no_gap(tmp_path_factory, stops, entries_max: int, torn: bool) -> None:
    """Each writer is killed after some lines and told the last ones again, as a bookmark would."""
    folder = tmp_path_factory.mktemp("log")
    path = log_path(folder)
    for stop in sorted(stops):
        told(folder, [update(at) for at in range(stop)], entries_max=entries_max)
        if torn and files_of(path):
            with files_of(path)[-1].open("ab") as file:
                file.write(b'{"telemetry_version": "1.')
    told(folder, [update(at) for at in range(13)], entries_max=entries_max)
    assert offsets(path) == list(range(13))
    assert epochs(path) == list(range(1, 14))
    assert check(path).faults == ()


@settings(deadline=None)
@given(back=st.integers(0, 9), entries_max=st.integers(1, 4), again=st.booleans())
def test_a_run_that_goes_back_takes_its_log_along(
    tmp_path_factory, back: int, entries_max: int, again: bool
) -> None:
    folder = tmp_path_factory.mktemp("log")
    first = [update(at) for at in range(9)]
    second = [RunResumed(0, back), *(update(at, loss=9.0) for at in range(back, 12))]
    told(folder, first, entries_max=entries_max)
    path = told(folder, second, entries_max=entries_max)
    if again:
        # A bookmark from before the resumption: all of it is told once more.
        told(folder, second, entries_max=entries_max)
    lines = read(path)[0]
    assert [line["epoch"] for line in lines] == list(range(1, 13))
    assert offsets(path) == list(range(12))
    assert [line["loss_total"] for line in lines] == [0.25] * back + [9.0] * (12 - back)


def test_a_follower_that_is_killed_goes_on(run) -> None:
    for at in range(3):
        run.event(update(at))
    Follower(run.folder, [PpoLogSink(run.folder / "sinks", entries_max=2)]).close()
    (run.folder / "sinks" / "ppo_log.json").unlink()  # as if it had never been saved
    for at in range(3, 6):
        run.event(update(at))
    Follower(run.folder, [PpoLogSink(run.folder / "sinks", entries_max=2)]).close()
    path = log_path(run.folder / "sinks")
    assert offsets(path) == list(range(6))
    feed(run.folder, PpoLogSink(run.folder / "anew", entries_max=2))
    assert epochs(log_path(run.folder / "anew")) == epochs(path)


def test_every_policy_has_a_log_of_its_own(tmp_path: Path) -> None:
    events = [update(at, policy=name) for at in range(3) for name in ("left", "right")]
    told(tmp_path, [*events, RunResumed(0, 1)])
    for name in ("left", "right"):
        assert epochs(log_path(tmp_path, name)) == [1]


def broken(tmp_path: Path, change) -> list[str]:
    """What the validator says of three good lines after a change to the middle one."""
    path = told(tmp_path, [update(at) for at in range(3)])
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    change(lines[1])
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return list(check(path).faults)


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        (lambda line: line.pop("loss_total"), "loss_total is missing"),
        (lambda line: line.pop("grad_norm_max"), "grad_norm_max is missing"),
        (lambda line: line.pop("conflict.rivalry_max_max_avg"), "rivalry_max_max_avg is missing"),
        (lambda line: line.pop("adv_min_std"), "of the health fields adv_min_std"),
        (lambda line: line.update(anneal_cycle=1), "of the anneal fields"),
        (lambda line: line.update(baseline_sample_count=1), "of the baseline fields"),
        (lambda line: line.update(baseline_log_prob_mean=1.0), "comes with the baseline"),
        (lambda line: line.update(surprise=1), "surprise is no field"),
        (lambda line: line.update(data_mode="dream"), "data_mode is 'dream'"),
        (lambda line: line.update(data_mode="replay"), "cycle_id is 2, but 0 of a replay"),
        (lambda line: line.update(data_mode="replay", cycle_id=0), "rollout_ticks is 64"),
        (lambda line: line.update(epoch=1.5), "epoch is 1.5, not a whole number"),
        (lambda line: line.update(transitions=-1), "transitions is -1"),
        (lambda line: line.update(clip_fraction=1.01), "clip_fraction is 1.01, not a share from"),
        (lambda line: line.update(clip_fraction=-0.01), "clip_fraction is -0.01, not a share"),
        (lambda line: line.update(chat_quality_mean=7.0), "chat_quality_mean is 7.0, not a share"),
        (lambda line: line.update(anneal_bc_accuracy=1.5), "anneal_bc_accuracy is 1.5, not a"),
        (lambda line: line.update(anneal_bc_threshold=90), "anneal_bc_threshold is 90, not a"),
        (lambda line: line.update(loss_policy="low"), "loss_policy is 'low'"),
        (lambda line: line.update(loss_policy=None), "loss_policy is None"),
        (lambda line: line.update(grad_norm=True), "grad_norm is True"),
        (lambda line: line.update(telemetry_version="2.0"), "telemetry_version is '2.0'"),
        (lambda line: line.update(telemetry_version="1.0"), "belongs to 1.1"),
        (lambda line: line.update({OFFSET: 5}), f"{OFFSET} is 5 where 1 comes next"),
    ],
)
def test_a_broken_line_is_named_with_its_place(tmp_path: Path, change, fault: str) -> None:
    faults = broken(tmp_path, change)
    assert any(one.startswith("ppo.ndjson:2: ") and fault in one for one in faults), faults


@pytest.mark.parametrize("version", fields.VERSIONS)
def test_a_share_is_one_in_every_version(tmp_path: Path, version) -> None:
    path = told(tmp_path, [update(0, clip_fraction=1.5)], version=version)
    assert check(path).faults == ("ppo.ndjson:1: clip_fraction is 1.5, not a share from 0 to 1",)


@settings(deadline=None)
@given(value=st.sampled_from([math.nan, math.inf, -math.inf]))
def test_what_is_not_finite_is_no_line(tmp_path_factory, value: float) -> None:
    folder = tmp_path_factory.mktemp("log")
    assert broken(folder, lambda line: line.update(loss_value=value))


def test_missing_files_and_torn_ends_are_faults(tmp_path: Path) -> None:
    path = told(tmp_path, [update(at) for at in range(6)], entries_max=2)
    (tmp_path / "ppo.ndjson.1").unlink()
    faults = check(path).faults
    assert faults[0] == "ppo.ndjson.1 is missing before ppo.ndjson.2"
    assert any(f"{OFFSET} is 4 where 2" in one for one in faults)
    with (tmp_path / "ppo.ndjson.2").open("ab") as file:
        file.write(b"{")
    assert any("no end" in one for one in check(path).faults)


def test_no_log_is_told(tmp_path: Path) -> None:
    with pytest.raises(PpoLogError, match="no PPO log"):
        check(tmp_path / "gone.ndjson")


def test_drift_is_told_and_may_be_limited(tmp_path: Path) -> None:
    path = told(tmp_path / "a", [update(at, loss=1.2, approx_kl=0.5) for at in range(3)])
    baseline = told(tmp_path / "b", [update(at, loss=1.0, approx_kl=0.0) for at in range(5)])
    drift = {one.field: one for one in check(path, baseline).drift}
    assert drift["loss_total"].absolute == pytest.approx(0.2)
    assert drift["loss_total"].relative == pytest.approx(0.2)
    assert (drift["kl_divergence"].absolute, drift["kl_divergence"].relative) == (0.5, None)
    assert check(path, baseline).faults == ()
    assert any("loss_total" in one for one in check(path, baseline, 0.1).faults)


def drifted(tmp_path: Path, value: float, usual: float, **limits: float) -> list[str]:
    """The faults of a log with some KL divergence, held to one with another."""
    path = told(tmp_path / "a", [update(at, approx_kl=value) for at in range(3)])
    baseline = told(tmp_path / "b", [update(at, approx_kl=usual) for at in range(3)])
    return list(check(path, baseline, **limits).faults)


@pytest.mark.parametrize(
    ("value", "usual", "limits", "words"),
    [
        (1e-6, 0.0, {"relative_max": 1e6}, "from nothing, more than"),
        (-1e-6, 0.0, {"relative_max": 1e6}, "from nothing, more than"),
        (0.0, 0.0, {"relative_max": 0.0}, None),
        (1e-6, 0.0, {}, None),
        (0.0, 0.5, {"relative_max": 0.9}, "-100.0%, more than 90.0%"),
        (0.25, 0.0, {"absolute_max": 0.2}, "+0.25, more than 0.2"),
        (0.0, 0.25, {"absolute_max": 0.2}, "-0.25, more than 0.2"),
        (0.25, 0.0, {"absolute_max": 0.25}, None),
        (1.25, 1.0, {"absolute_max": 0.2, "relative_max": 0.5}, "+0.25, more than 0.2"),
        (1.25, 1.0, {"absolute_max": 0.5, "relative_max": 0.2}, "+25.0%, more than 20.0%"),
    ],
)
def test_a_drift_is_held_to_both_limits(
    tmp_path: Path, value: float, usual: float, limits: dict[str, float], words: str | None
) -> None:
    faults = drifted(tmp_path, value, usual, **limits)
    if words is None:
        assert faults == []
    else:
        (fault,) = faults
        assert fault.startswith("kl_divergence is ")
        assert words in fault


@pytest.mark.parametrize("limit", [(), ("--relative-max", "0.2"), ("--absolute-max", "0.2")])
def test_the_command_exits_on_what_rose_from_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], limit: tuple[str, ...]
) -> None:
    path = told(tmp_path / "a", [update(0, approx_kl=0.5)])
    baseline = told(tmp_path / "b", [update(0, approx_kl=0.0)])
    with pytest.raises(SystemExit) as ended:
        main(["runs", "ppo-log", "validate", str(path), "--baseline", str(baseline), *limit])
    assert ended.value.code == (1 if limit else 0)
    assert ("kl_divergence is 0.5 in the mean" in capsys.readouterr().out) == bool(limit)


def test_a_line_that_could_not_be_written_is_no_line(tmp_path: Path) -> None:
    log = RotatingLog(tmp_path / "x" / "ppo.ndjson")
    (tmp_path / "x").write_text("a file where a folder is needed")
    with pytest.raises(OSError, match=r".+"):
        log.append({"epoch": 1})
    assert log.epoch == 0
