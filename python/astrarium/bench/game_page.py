"""The game report as the tables of a page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from astrarium.bench.game import CEILING_RATIO_MIN, LOOP_SHARE_MAX, SPEARMAN_MIN, SURVIVAL_MIN
from astrarium.bench.report import Report

_COLUMNS: Final = (
    ("return", "return_mean", "{:.2f}"),
    ("±", "return_ci95", "{:.2f}"),
    ("profit", "net_profit_mean", "{:,.0f}"),
    ("median", "net_profit_median", "{:,.0f}"),
    ("survival", "survival_rate", "{:.1%}"),
    ("ticks", "dt_mean", "{:,.0f}"),
    ("pirates", "pirate_encounters_mean", "{:.1f}"),
    ("lost to them", "value_lost_to_pirates_mean", "{:,.0f}"),
    ("overheated", "overheat_ticks_mean", "{:.1f}"),
    ("mean load", "cargo_utilization_avg_mean", "{:.0%}"),
)


def tables(report: Report) -> str:
    """The report in Markdown."""
    results, machine = report.results, report.machine
    episodes = report.config["episodes"]
    return "\n".join(
        (
            f"{episodes:,} episodes per player, seeds from {report.config['seed']}; "
            f"commit {machine.commit}, {machine.cpu}.",
            "",
            "**The ladder.** `planner` sees the hidden state; all others the observation only.",
            "",
            *_table("player", results["players"]),
            "",
            "**What each precaution is worth.** The hauler with one habit changed:",
            "",
            *_table("hauler that", results["hauler"]),
            "",
            "**The bars.**",
            "",
            *_bars(results),
            "",
        )
    )


def _table(title: str, rows: Mapping[str, Mapping[str, Any]]) -> list[str]:
    ranked = sorted(rows.items(), key=lambda row: -row[1]["return_mean"])
    head = [title, *(column for column, _, _ in _COLUMNS)]
    lines = [_line(head), _line(["---", *("---:" for _ in _COLUMNS)])]
    for name, row in ranked:
        lines.append(_line([name, *(form.format(row[key]) for _, key, form in _COLUMNS)]))
    return lines


def _bars(results: Mapping[str, Any]) -> list[str]:
    measured, loops = results["figures"], results["loops"]
    loop = " ".join(loops["best_loop"])
    rows = (
        ("Spearman of return and profit", "spearman_return_profit", "{:.3f}", f"≥ {SPEARMAN_MIN}"),
        ("survival of the hauler", "survival_careful", "{:.1%}", f"≥ {SURVIVAL_MIN:.0%}"),
        ("planner over the best other, varied haulers included", "ceiling_over_best", "{:.2f}",
         f"≥ {CEILING_RATIO_MIN:g}"),
        ("best blind loop, share of the hauler's living", "loop_share_of_careful", "{:.1%}",
         f"≤ {LOOP_SHARE_MAX:.0%}"),
        ("most return ever had beyond profit / 1,000", "unearned_return", "{:.3f}", "≤ 0.001"),
    )  # fmt: skip
    lines = [_line(["what", "asked", "measured"]), _line(["---", "---:", "---:"])]
    lines += [_line([what, asked, form.format(measured[key])]) for what, key, form, asked in rows]
    lines += [
        "",
        f"The best loop of {loops['episodes']:,} looped episodes returned "
        f"{loops['best_return_searching']:.2f} on the seeds it was chosen by and "
        f"{loops['best_return']:.2f} on fresh ones, in {loops['ticks']:,.0f} ticks: `{loop}`.",
    ]
    return lines


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"
