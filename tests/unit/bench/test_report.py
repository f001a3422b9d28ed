"""Figures and the file they end up in."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from astrarium import machine
from astrarium.bench.report import Report, ReportError, Spread, percentile, read_json, write_json
from astrarium.bench.tables import quantity


@pytest.mark.parametrize(
    ("samples", "percent", "expected"),
    [
        ([5.0], 99, 5.0),
        ([1.0, 2.0], 50, 1.5),
        ([4.0, 1.0, 3.0, 2.0], 50, 2.5),
        ([10.0, 20.0, 30.0, 40.0, 50.0], 95, 48.0),
        ([10.0, 20.0, 30.0, 40.0, 50.0], 0, 10.0),
        ([10.0, 20.0, 30.0, 40.0, 50.0], 100, 50.0),
    ],
)
def test_percentiles_lie_on_a_line_between_samples(
    samples: list[float], percent: float, expected: float
) -> None:
    assert percentile(samples, percent) == pytest.approx(expected)


def test_percentiles_agree_with_numpy() -> None:
    samples = np.random.default_rng(1).normal(size=101).tolist()
    for percent in (1, 33.3, 50, 95, 99):
        assert percentile(samples, percent) == pytest.approx(np.percentile(samples, percent))


def test_percentiles_of_nothing_are_refused() -> None:
    with pytest.raises(ValueError, match="0 samples"):
        percentile([], 50)
    with pytest.raises(ValueError, match="101"):
        percentile([1.0], 101)


def test_a_spread_has_six_numbers() -> None:
    spread = Spread.of([4.0, 1.0, 3.0, 2.0])
    assert (spread.min, spread.max, spread.mean, spread.p50) == (1.0, 4.0, 2.5, 2.5)
    assert spread.p95 == pytest.approx(3.85)
    assert spread.p99 == pytest.approx(3.97)


def test_a_report_has_its_shape_and_passes_without_reasons(tmp_path: Path) -> None:
    report = Report("worlds", {"n": 1}, machine.facts(), [], {"rows": []})
    stored = read_json(report.write(tmp_path / "deep" / "report.json"))
    assert set(stored) == {
        *("kind", "generated_at", "run_id", "config", "machine", "summary", "results"),
        "artifacts",
    }
    assert stored["summary"] == {"pass": True, "reasons": []}
    assert stored["generated_at"].endswith("+00:00")
    for fact in ("cpu", "cores", "system", "libc", "python", "numpy", "rustc", "commit", "command"):
        assert stored["machine"][fact], fact
    assert not Report("worlds", {}, machine.facts(), ["too slow"], {}).passed


def test_reports_go_to_their_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    report = Report("floor", {}, machine.facts(), [], {})
    assert report.write() == Path("bench-reports") / f"floor-{report.run_id}.json"
    assert [path.name for path in Path("bench-reports").iterdir()] == [
        f"floor-{report.run_id}.json"
    ]


def test_a_report_that_cannot_be_written_leaves_the_old_one(tmp_path: Path) -> None:
    path = tmp_path / "report.json"
    write_json({"first": 1}, path)
    with pytest.raises(ValueError, match="not JSON compliant"):
        write_json({"second": float("nan")}, path)
    assert json.loads(path.read_text("utf-8")) == {"first": 1}
    assert list(tmp_path.iterdir()) == [path]


def test_what_is_no_report_is_named(tmp_path: Path) -> None:
    with pytest.raises(ReportError, match=r"cannot read .*absent\.json"):
        read_json(tmp_path / "absent.json")
    (tmp_path / "cut.json").write_text('{"a": ', "utf-8")
    with pytest.raises(ReportError, match="is not JSON"):
        read_json(tmp_path / "cut.json")


def test_quantities_are_short() -> None:
    shown = [quantity(value) for value in (0.0, 9.87, 834_200.0, 2_049_000.0, 45.5e6, 3.2e9)]
    assert shown == ["0", "9.87", "834 k", "2.05 M", "45.5 M", "3.20 G"]
