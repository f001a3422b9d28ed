"""Games against doctrines as the tables of a page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import fmean
from typing import Any

from astrarium.bench.report import Report
from astrarium.bench.verdict import Check
from astrarium.train.duels import Meeting, ratings

Row = Mapping[str, Any]


def checks(
    bars: Mapping[str, float], players: Sequence[str], found: Sequence[Meeting]
) -> list[Check]:
    """What is asked of trained policies, on average over them."""
    asked: list[Check] = []
    for opponent, bar in bars.items():
        met = [one for one in found if one.player in players and one.opponent == opponent]
        if met:
            share = fmean(one.share.value for one in met)
            name = f"share of games won against {opponent}"
            asked.append(Check(name, share, bar, at_least=True))
    return asked


def results(found: Sequence[Meeting], anchor: str, asked: Sequence[Check]) -> dict[str, Any]:
    """As a report holds them; ratings are told in comparison with the `anchor`."""
    return {
        "meetings": [one.as_dict() for one in found],
        "ratings": ratings(found, anchor),
        "checks": [check.as_dict() for check in asked],
    }


def page(report: Report) -> str:
    """The report in Markdown."""
    where, config = report.machine, report.config
    head = (
        f"`{where.command}` at commit {where.commit}; {config['games']} games each, every seed "
        f"from both sides, seeds from {config['seed']}."
    )
    return f"{head}\n\n{tables(report.results)}\n"


def tables(results: Mapping[str, Any]) -> str:
    """Every meeting, the ratings, and what was asked."""
    rated: Mapping[str, float] = results["ratings"]
    best_first = sorted(rated.items(), key=lambda one: -one[1])
    return "\n".join(
        (
            "| player | against | won | drawn | lost | share won | value exchange | shots a kill |",
            "| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: |",
            *map(_meeting, results["meetings"]),
            "",
            "| player | rating |",
            "| --- | ---: |",
            *(f"| {name} | {value:.0f} |" for name, value in best_first),
            "",
            "| asked | | found | |",
            "| --- | ---: | ---: | --- |",
            *map(_check, results["checks"]),
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
