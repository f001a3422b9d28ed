"""`astrarium bench soak`: what it asks of a long training, and that it runs."""

from __future__ import annotations

from dataclasses import replace

import pytest

from astrarium.bench import soak
from astrarium.bench.soak import QUICK, SoakError, _reasons, bench_soak, summary, tables


def looks(memory: list[float], steps: float = 1e8, size: float = 3e7) -> list[soak.Sample]:
    return [
        {"second": float(at), "memory": one, "steps": steps, "windows": 1.0, "bytes": size}
        for at, one in enumerate(memory)
    ]


def test_flat_memory_passes_whatever_the_start_was() -> None:
    results = summary(looks([900.0, 500.0, 1000.0, 1000.0, 1000.0, 1001.0, 1000.0, 1002.0]), [])
    assert _reasons(results) == []
    assert results["quarters"] == [700.0, 1000.0, 1000.5, 1001.0]


def test_each_thing_asked_can_be_missed() -> None:
    rising = summary(looks([1000.0, 1000.0, 1020.0, 1030.0]), [])
    large = summary(looks([1000.0] * 4, size=5.1e7), [])
    unread = summary(looks([1000.0] * 4), ["second 3: gone"])
    for results, words in (
        (rising, "memory grew by 3.0%"),
        (large, "51.0 MB"),
        (unread, "1 looks failed: second 3: gone"),
    ):
        (reason,) = _reasons(results)
        assert words in reason


def test_a_small_folder_with_few_steps_is_not_judged() -> None:
    assert summary(looks([1000.0] * 4, steps=9e7, size=9e7), [])["folder_after_steps"] is None


def test_too_few_looks_are_refused() -> None:
    with pytest.raises(SoakError, match="only 3 looks"):
        summary(looks([1.0] * 3), [])


def test_a_real_training_is_watched_and_ended() -> None:
    told: list[str] = []
    report = bench_soak(QUICK, told.append)
    assert report.results["failures"] == []
    assert report.results["end"]["memory"] > 50e6
    assert report.results["status"] == "interrupted"
    assert "MB in memory" in told[-1]
    assert "64 worlds of prospector-v2" in tables(report)


def test_a_training_that_dies_is_an_error() -> None:
    with pytest.raises(SoakError, match="ended after"):
        bench_soak(replace(QUICK, world="nowhere"), lambda _: None)
