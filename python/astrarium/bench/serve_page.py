"""`astrarium bench serve` in Markdown: what was asked and reached, then every figure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from astrarium.bench.report import Report
from astrarium.bench.serve import (
    FIRST_FRAMES_MAX,
    GROWTH_MAX,
    PAGE_FRAMES,
    PAGE_P95_MAX,
    SHARE_MAX,
    SHARE_MIN,
)


def tables(report: Report) -> str:
    """The whole report."""
    where, results = report.machine, report.results
    lines = [
        f"`{where.command}` at commit {where.commit}; {where.cpu}, {where.cores} cores, "
        f"load {where.load:.1f} before.",
        "",
        *_asked(results),
        "",
        *_sockets(results, report.config["frames"]),
        "",
        *_pages(results),
        "",
        *_waits(results),
        "",
        *_beside(results, report.config["rounds"]),
    ]
    return "\n".join(lines) + "\n"


def _asked(results: Mapping[str, Any]) -> Iterator[str]:
    shares, growth = results["beside"]["shares"], results["growth"]
    crowd = next((row for row in results["latency"] if row["clients"] == 10), None)
    yield "| figure | asked | reached | |"
    yield "| --- | ---: | ---: | --- |"
    for name, words in (("websocket", "streamed frames"), ("http", "pages of frames")):
        yield _row(
            f"{words}, part of a bare uvicorn's rate",
            f"≥ {SHARE_MIN:.0%}",
            f"{shares[name]:.0%}",
            SHARE_MIN <= shares[name] <= SHARE_MAX,
        )
    if crowd is not None:
        p95 = crowd["seconds"]["p95"]
        yield _row(
            f"page of {PAGE_FRAMES} frames, 10 clients, p95",
            f"≤ {PAGE_P95_MAX * 1000:.0f} ms",
            f"{p95 * 1000:.1f} ms",
            p95 <= PAGE_P95_MAX,
        )
    yield _row(
        f"memory growth over {growth['requests']:,} requests",
        f"≤ {GROWTH_MAX / 1e6:.1f} MB",
        f"{growth['growth_bytes'] / 1e6:.1f} MB",
        growth["growth_bytes"] <= GROWTH_MAX,
    )
    yield _row(
        "first frames of a replay nobody has read yet",
        f"≤ {FIRST_FRAMES_MAX:.0f} s",
        f"{results['first_frames_seconds']:.2f} s",
        results["first_frames_seconds"] <= FIRST_FRAMES_MAX,
    )


def _row(figure: str, asked: str, reached: str, good: bool) -> str:
    return f"| {figure} | {asked} | {reached} | {'yes' if good else 'no'} |"


def _sockets(results: Mapping[str, Any], frames: int) -> Iterator[str]:
    best = results["recommended"]
    yield f"A replay of {frames:,} frames over a WebSocket:"
    yield ""
    yield "| batch | chunk limit | chunks | frames/s | MB/s | p50 ms | p95 ms | p99 ms |"
    yield "| ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |"
    for row in results["websocket"]:
        yield (
            f"| {row['batch_size']} | {row['max_chunk_bytes']:,} | {row['chunks']} | "
            f"{row['frames_per_second']:,.0f} | {row['mb_per_second']:,.0f} | {_waited(row)} |"
        )
    yield ""
    limit = best["max_chunk_bytes"]
    yield f"Fastest: batches of {best['batch_size']} frames, chunks of up to {limit:,} bytes."


def _pages(results: Mapping[str, Any]) -> Iterator[str]:
    yield "Pages over HTTP, one client:"
    yield ""
    yield "| frames | frames/s | MB/s | p50 ms | p95 ms | p99 ms |"
    yield "| ---: | ---: | ---: | ---: | ---: | ---: |"
    for row in results["http"]:
        yield (
            f"| {row['limit']:,} | {row['frames_per_second']:,.0f} | "
            f"{row['mb_per_second']:,.0f} | {_waited(row)} |"
        )


def _waits(results: Mapping[str, Any]) -> Iterator[str]:
    yield f"A page of {PAGE_FRAMES} frames when many ask:"
    yield ""
    yield "| clients | p50 ms | p95 ms | p99 ms |"
    yield "| ---: | ---: | ---: | ---: |"
    for row in results["latency"]:
        yield f"| {row['clients']} | {_waited(row)} |"
    p95 = results["beside"]["http_p95_seconds_10_clients_ceiling"]
    yield f"| *10, bare uvicorn* | | {p95 * 1000:,.1f} | |"


def _waited(row: Mapping[str, Any]) -> str:
    return " | ".join(f"{row['seconds'][name] * 1000:,.1f}" for name in ("p50", "p95", "p99"))


def _beside(results: Mapping[str, Any], rounds: int) -> Iterator[str]:
    rates = results["beside"]["frames_per_second"]
    yield f"In turns with a bare uvicorn that sends the same bytes, medians of {rounds} rounds:"
    yield ""
    yield "| | frames/s | bare uvicorn |"
    yield "| --- | ---: | ---: |"
    for name, words in (("websocket", "fastest stream"), ("http", f"pages of {PAGE_FRAMES}")):
        yield f"| {words} | {rates[name]:,.0f} | {rates[f'{name}_ceiling']:,.0f} |"
