"""`astrarium bench serve`: what it asks of the server, and that it runs."""

from typing import Any

from astrarium.bench.serve import QUICK, _reasons, bench_serve
from astrarium.bench.serve_page import tables


def results(**changed: Any) -> dict[str, Any]:
    return {
        "first_frames_seconds": 0.1,
        "beside": {"shares": {"websocket": 0.6, "http": 0.6}},
        "latency": [{"clients": 10, "seconds": {"p95": 0.02}}],
        "growth": {"growth_bytes": 1},
    } | changed


def shares(websocket: float, http: float) -> dict[str, Any]:
    return {"beside": {"shares": {"websocket": websocket, "http": http}}}


def test_a_good_server_misses_nothing() -> None:
    assert _reasons(results()) == []


def test_each_thing_asked_can_be_missed() -> None:
    for changed, words in (
        (shares(0.4, 0.6), "websocket: 40% of the ceiling, 50% asked"),
        (shares(0.6, 0.49), "http: 49% of the ceiling, 50% asked"),
        (shares(3.1, 0.6), "websocket: 310% of the ceiling, which cannot be"),
        ({"latency": [{"clients": 10, "seconds": {"p95": 0.031}}]}, "p95 31.0 ms"),
        ({"growth": {"growth_bytes": 9 << 20}}, "memory grew by 9.4 MB"),
        ({"first_frames_seconds": 1.1}, "first frames after 1.10 s"),
    ):
        (reason,) = _reasons(results(**changed))
        assert words in reason


def test_a_quick_measurement_has_every_figure_and_a_page() -> None:
    told: list[str] = []
    report = bench_serve(QUICK, told.append)
    found = report.results
    assert report.kind == "serve"
    assert told[-1] == "beside a bare uvicorn"
    assert found["websocket"][0]["chunks"] == 4
    assert found["recommended"] == found["websocket"][0]
    assert [row["clients"] for row in found["latency"]] == [1, 10]
    assert all(share > 0 for share in found["beside"]["shares"].values())
    assert found["growth"]["requests"] == 1_000
    page = tables(report)
    assert report.machine.commit in page
    assert "| page of 256 frames, 10 clients, p95 | ≤ 30 ms |" in page
    assert f"| 256 | 4,194,304 | 4 | {found['websocket'][0]['frames_per_second']:,.0f} |" in page
    rates = found["beside"]["frames_per_second"]
    assert f"| pages of 256 | {rates['http']:,.0f} | {rates['http_ceiling']:,.0f} |" in page
    assert ("| no |" in page) == (not report.passed)
