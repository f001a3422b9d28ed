"""The report on battles as the tables of a page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import median
from typing import Any

from astrarium.bench.battles import BESIDES, REAL_TIME_TARGET, scenarios
from astrarium.bench.report import Report
from astrarium.bench.tables import quantity

Row = Mapping[str, Any]


def tables(report: Report) -> str:
    """The report in Markdown."""
    where, results = report.machine, report.results
    core, batch = results["core"], results["batch"]
    return "\n".join(
        (
            f"`{where.command}` at commit {where.commit}; {where.cpu}, {where.cores} cores, "
            f"load {where.load:.1f} before.",
            "",
            "| asked | | fastest | median | |",
            "| --- | ---: | ---: | ---: | --- |",
            *map(_check, results["checks"]),
            "",
            "Whole battles, doctrines deciding and every ship observed, F1:",
            "",
            f"| scenario | ticks/s, fastest | median | {REAL_TIME_TARGET:,.0f} × real time |",
            "| --- | ---: | ---: | --- |",
            *(_scenario(name, found) for name, found in scenarios(core).items()),
            "",
            "| ships | ticks/s, fastest | median | ships moved a second |",
            "| ---: | ---: | ---: | ---: |",
            *_crowds(core),
            "",
            "| besides | ticks/s, fastest | median |",
            "| --- | ---: | ---: |",
            *(_besides(words, core[name]) for name, words in BESIDES.items()),
            _besides(
                f"duels in a batch of {batch['share']['duels']} from Python, both observed, F1",
                batch["share"]["python"],
            ),
            "",
        )
    )


def _scenario(name: str, found: Sequence[float]) -> str:
    done = "yes" if max(found) >= REAL_TIME_TARGET else "no"
    return f"| {name} | {quantity(max(found))} | {quantity(median(found))} | {done} |"


def _crowds(core: Row) -> list[str]:
    lines: list[str] = []
    for name in (name for name in core if name.startswith("crowd_")):
        ships, found = int(name.removeprefix("crowd_")), core[name]
        moved = quantity(ships * max(found))
        lines.append(
            f"| {ships:,} | {quantity(max(found))} | {quantity(median(found))} | {moved} |"
        )
    return lines


def _besides(words: str, found: Sequence[float]) -> str:
    return f"| {words} | {quantity(max(found))} | {quantity(median(found))} |"


def _check(check: Row) -> str:
    sign, unit = "≥" if check["at_least"] else "≤", check["unit"]
    figure = "" if check["value"] is None else f"{quantity(check['value'])}{unit}"
    middle = "" if check["median"] is None else f"{quantity(check['median'])}{unit}"
    done = {True: "yes", False: "no", None: "not measured"}[check["pass"]]
    asked = f"{sign} {quantity(check['limit'])}{unit}"
    return f"| {check['name']} | {asked} | {figure} | {middle} | {done} |"
