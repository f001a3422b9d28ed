"""Names that come from outside lead nowhere else."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from astrarium.runs import RunNameError, names

MOMENT = datetime(2031, 5, 6, 7, 8, 9, tzinfo=UTC)


@pytest.mark.parametrize("run_id", ["a", "20310506T070809Z-0badcafe", "A.b_c-2", "0" * 128])
def test_good_run_ids(run_id: str) -> None:
    assert names.check_run_id(run_id) == run_id


@pytest.mark.parametrize(
    "run_id", ["", ".", "..", "-a", ".building-1", "a/b", "a\\b", "a\0", "a\n", "ä", "0" * 129]
)
def test_bad_run_ids(run_id: str) -> None:
    assert not names.is_run_id(run_id)
    with pytest.raises(RunNameError, match="use 1 to 128 letters"):
        names.check_run_id(run_id)


def test_a_default_id_tells_time_and_commit() -> None:
    assert names.new_run_id(MOMENT, "0123456789ab+dirty") == "20310506T070809Z-01234567"
    for commit in ("none", "", "nogit", "abc"):
        assert names.new_run_id(MOMENT, commit) == "20310506T070809Z-nogit"


@pytest.mark.parametrize(
    "replay_id",
    ["", "replay-12-0badcafe", "replay-000012-0BADCAFE", "../replay-000012-0badcafe", "replay"],
)
def test_bad_replay_ids(replay_id: str) -> None:
    with pytest.raises(RunNameError, match="from the replay index"):
        names.check_replay_id(replay_id)


def test_a_million_windows_still_have_names() -> None:
    assert names.checkpoint_path(12) == "checkpoints/000012"
    assert names.window_of("000012") == 12
    assert names.window_of(Path(names.checkpoint_path(1_234_567)).name) == 1_234_567
    assert names.check_replay_id("replay-1234567-0badcafe")
    assert [names.window_of(name) for name in ("12", "00001x", ".building-1")] == [None] * 3


@pytest.mark.parametrize(
    "path", ["", "/etc/passwd", "../x", "replays/../../x", "replays\\..\\x", "a\0b", "out/x"]
)
def test_paths_that_lead_out_are_refused(path: str, tmp_path: Path) -> None:
    folder = tmp_path / "run"
    folder.mkdir()
    (folder / "out").symlink_to(tmp_path)
    with pytest.raises(RunNameError, match="leads out of"):
        names.inside(folder, path)


@given(st.text(max_size=40))
def test_whatever_a_path_says_it_stays_inside(path: str) -> None:
    folder = Path("/nowhere/run")
    try:
        place = names.inside(folder, path)
    except RunNameError:
        return
    assert place.resolve().is_relative_to(folder)
