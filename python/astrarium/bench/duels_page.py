"""Games against doctrines as the tables of a page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from astrarium.bench.report import Report
from astrarium.bench.verdict import Check
from astrarium.train.duels import Meeting

BARS: Final = {"pursuer": 0.80, "line": 0.55}
"""Share of games that a trained policy has to win against a doctrine."""
Row = Mapping[str, Any]


def checks(player: str, found: Sequence[Meeting]) -> list[Check]:
    """What is asked of a trained policy."""
    return [
        Check(f"share of games won against {one.opponent}", one.share.value, bar, at_least=True)
        for one in found
        for bar in (BARS.get(one.opponent),)
        if one.player == player and bar is not None
    ]


def tables(report: Report) -> str:
    """The report in Markdown."""
    where, results = report.machine, report.results
    ratings: Mapping[str, float] = results["ratings"]
    return "\n".join(
        (
            f"`{where.command}` at commit {where.commit}; {report.config['games']} games each, "
            f"every seed from both sides, seeds from {report.config['seed']}.",
            "",
            "| player | against | won | drawn | lost | share won | value exchange | shots a kill |",
            "| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: |",
            *map(_meeting, results["meetings"]),
            "",
            "| player | rating |",
            "| --- | ---: |",
            *(
                f"| {name} | {value:.0f} |"
                for name, value in sorted(ratings.items(), key=lambda one: -one[1])
            ),
            "",
            "| asked | | found | |",
            "| --- | ---: | ---: | --- |",
            *map(_check, results["checks"]),
            "",
        )
    )


def _meeting(row: Row) -> str:
    share, low, high = row["share"]
    return (
        f"| {row['player']} | {row['opponent']} | {row['won']} | {row['drawn']} | {row['lost']} | "
        f"{share:.1%} [{low:.1%}, {high:.1%}] | {_figure(row['value_exchange'])} | "
        f"{_figure(row['shots_per_kill'])} |"
    )


def _figure(value: float | None) -> str:
    return "" if value is None else f"{value:.2f}"


def _check(check: Row) -> str:
    done = "yes" if check["pass"] else "no"
    return f"| {check['name']} | at least {check['limit']:.0%} | {check['value']:.1%} | {done} |"
