"""The report on towns as the tables of a page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from astrarium.bench.report import Report
from astrarium.bench.tables import quantity
from astrarium.bench.towns import TICKS_PER_SECOND

Row = Mapping[str, Any]


def tables(report: Report) -> str:
    """The report in Markdown."""
    where, plan, results = report.machine, report.config, report.results
    return "\n".join(
        (
            f"`{where.command}` at commit {where.commit}; {where.cpu}, {where.cores} cores, "
            f"load {where.load:.1f} before.",
            "",
            f"Agent-steps per processor second, days of {plan['ticks']:,} ticks, fastest and "
            f"median of {plan['repeats']}; hybrid observations, one thread unless told:",
            "",
            *_rates(results),
            "",
            f"| towns of {plan['agents'][0]} | threads | fastest | median | wall, fastest |",
            "| ---: | ---: | ---: | ---: | ---: |",
            *map(_batch, results["batches"]),
            "",
            "| agents | memory of a town | its snapshot | taken in | restored in |",
            "| ---: | ---: | ---: | ---: | ---: |",
            *map(_weight, results["weights"]),
            "",
            "| agents | its file, with a monitor | taken in | the first of a town | encoded in | "
            "taken and written in | until it is on the disk |",
            "| ---: | ---: | ---: | ---: | ---: | ---: | ---: |",
            *map(_document, results["weights"]),
            "",
            _growth(results["growth"]),
            "",
            "| asked | | fastest | median | |",
            "| --- | ---: | ---: | ---: | --- |",
            *map(_check, results["checks"]),
            "",
        )
    )


def _rates(results: Row) -> list[str]:
    rows: Sequence[Row] = results["sizes"]
    first = {row["player"]: row["cpu"]["max"] for row in reversed(rows)}
    lines = [
        "| agents | towns | player | fastest | median | per agent, of the smallest | "
        f"towns a core keeps at {TICKS_PER_SECOND} ticks/s | times the system before |",
        "| ---: | ---: | --- | ---: | ---: | ---: | ---: | ---: |",
    ]
    for row in rows:
        best = row["cpu"]["max"]
        live = int(best / row["agents"] / TICKS_PER_SECOND / max(row["lived"], 1e-9))
        lines.append(
            f"| {row['agents']} | {row['towns']} | {row['player']} | {quantity(best)} | "
            f"{quantity(row['cpu']['p50'])} | {best / first[row['player']]:.0%} | {live:,} | "
            f"{best / results['before']:,.0f} |"
        )
    before = f"| 8 | 1 | *the system before* | {results['before']:.0f} | | | "
    lines.append(f"{before}{int(results['before'] / 8 / TICKS_PER_SECOND)} | 1 |")
    return lines


def _batch(row: Row) -> str:
    rates = (row["cpu"]["max"], row["cpu"]["p50"], row["wall"]["max"])
    return f"| {row['towns']} | {row['threads']} | {' | '.join(map(quantity, rates))} |"


def _weight(row: Row) -> str:
    saved, restored = row["snapshot_s"]["p50"], row["restore_s"]["p50"]
    return (
        f"| {row['agents']} | {row['resident_bytes'] / 1e3:.0f} kB | "
        f"{row['snapshot_bytes'] / 1e3:.1f} kB | {1e6 * saved:.0f} µs | {1e6 * restored:.0f} µs |"
    )


def _document(row: Row) -> str:
    seconds = (
        row["document_taken_s"]["p50"],
        row["document_first_s"],
        row["document_encoded_s"]["p50"],
        row["document_s"]["p50"],
        row["document_on_disk_s"]["p50"],
    )
    size = f"{row['document_bytes'] / 1e3:.1f} kB"
    return f"| {row['agents']} | {size} | {' | '.join(f'{1e3 * s:.2f} ms' for s in seconds)} |"


def _growth(grown: Row) -> str:
    before, after, stats = grown["before"], grown["after"], grown["stats"]
    return (
        f"One town of citizens, after {stats['ticks']:,.0f} ticks: {stats['population']:.0f} in "
        f"play, {stats['exits']:.0f} exits, {stats['on_time_share']:.1%} of shifts on time. Its "
        f"snapshot went from {before['snapshot_bytes'] / 1e3:.1f} to "
        f"{after['snapshot_bytes'] / 1e3:.1f} kB, the process from "
        f"{before['resident_bytes'] / 1e6:.1f} to {after['resident_bytes'] / 1e6:.1f} MB."
    )


def _check(check: Row) -> str:
    sign, done = "≥" if check["at_least"] else "≤", "yes" if check["pass"] else "no"
    median = "" if check["median"] is None else _figure(check["median"])
    asked = f"{sign} {_figure(check['limit'])}"
    return f"| {check['name']} | {asked} | {_figure(check['value'])} | {median} | {done} |"


def _figure(value: float) -> str:
    return quantity(value) if abs(value) >= 1000 else f"{value:.3g}"
