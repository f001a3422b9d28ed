"""The trainers' report as the tables of a page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from astrarium.bench.report import Report
from astrarium.bench.tables import quantity
from astrarium.bench.train import clock_of, cores_in_words
from astrarium.bench.trainers import dummy
from astrarium.bench.trainers.limits import flop_per_step

_LIBRARIES: Final = ("stable-baselines3", "pufferlib", "ray", "sample-factory", "torch")
"""Whose version is told of a row: the first of these that it names."""


def tables(report: Report) -> str:
    """The report in Markdown."""
    task, rows = report.config["task"], report.results["rows"]
    parts = [*_head(report, task), ""]
    for world, cores in dict.fromkeys((row["world"], row["cores"]) for row in rows):
        here = [row for row in rows if (row["world"], row["cores"]) == (world, cores)]
        compared = [
            one
            for one in report.results["comparisons"]
            if (one["world"], one["cores"]) == (world, cores)
        ]
        parts += [*_group(world, cores, here, compared), ""]
    missing = dict.fromkeys(
        f"{row['title']}: {row['reason']}." for row in rows if row["status"] != "ok"
    )
    return "\n".join([*parts, *(f"- {line}" for line in missing)]).strip() + "\n"


def _head(report: Report, task: Mapping[str, Any]) -> list[str]:
    where = report.machine
    loads = report.results["loads"] or [where.load]
    widths = "-".join(str(width) for width in (dummy.OBS_DIM, *task["hidden"], dummy.CHOICES))
    hidden = tuple(task["hidden"])
    flop = flop_per_step(dummy.OBS_DIM, hidden, dummy.CHOICES, task["epochs"])
    return [
        f"`{where.command}` at commit {where.commit}; {where.cpu}, "
        f"{cores_in_words(where.cores)}, load {min(loads):.1f} to {max(loads):.1f}.",
        "",
        f"{task['num_worlds']:,} worlds, rollouts of {task['rollout_steps']} steps, "
        f"{task['epochs']} epochs of {task['minibatches']} minibatches, network {widths} with a "
        f"value head on the same layers; {flop / 1e6:.2f} million operations for each step. "
        f"Rounds: {report.config['rounds']}, each with up to {task['iterations']} timed iterations "
        "after one to warm up.",
    ]


def _group(
    world: str,
    cores: int,
    rows: Sequence[Mapping[str, Any]],
    compared: Sequence[Mapping[str, Any]],
) -> list[str]:
    clock = clock_of(cores)
    whose = "processor" if clock == "cpu" else "wall"
    lines = [
        f"**{world}, {cores_in_words(cores)}.** Steps per second, by the {whose}'s clock:",
        "",
        "| trainer | median | best | cores busy | iterations | with |",
        "| --- | ---: | ---: | ---: | ---: | --- |",
    ]
    answered = [(row, spread) for row in rows if (spread := _spread(row, clock))]
    for row, spread in sorted(answered, key=lambda pair: -pair[1]["p50"]):
        title = f"*{row['title']}*" if row["role"] in ("limit", "aside") else row["title"]
        rates = f"{quantity(spread['p50'])} | {quantity(spread['max'])}"
        count = sum(len(turn["wall"]) for turn in row["turns"])
        busy = _busy(row)
        library = row["settings"].get("library") or _library(row["versions"])
        lines.append(f"| {title} | {rates} | {busy} | {count} | {library} |")
    told = [sentence for one in compared if (sentence := _ratios(one))]
    told += [sentence for row, _ in answered if (sentence := _collecting(row))]
    return [*lines, "", *told] if told else lines


def _spread(row: Mapping[str, Any], clock: str) -> Mapping[str, Any] | None:
    return row[f"steps_per_{clock}_second"] or row["steps_per_wall_second"]


def _busy(row: Mapping[str, Any]) -> str:
    """Cores kept busy: processor time over wall time."""
    wall, cpu = row["steps_per_wall_second"], row["steps_per_cpu_second"]
    return f"{wall['p50'] / cpu['p50']:.2f}" if cpu else "-"


def _ratios(one: Mapping[str, Any]) -> str:
    """How ours stands, in a sentence; nothing where ours was not measured."""
    if one["ours"] is None:
        return ""
    parts = [f"{share:.0%} of {title}" for title, share in one["of_limits"].items()]
    if one["over_best_peer"] is not None:
        parts.insert(0, f"{one['over_best_peer']:.2f} times {one['best_peer']}")
    return f"By the {one['which']}, ours is {', '.join(parts)}." if parts else ""


def _collecting(row: Mapping[str, Any]) -> str:
    """How fast ours collects, in a sentence."""
    share = row["settings"].get("share_collecting")
    if share is None or row["role"] != "ours":
        return ""
    rate = row["steps_per_wall_second"]["p50"] / share
    return (
        f"Collecting takes {share:.0%} of an iteration of ours: {quantity(rate)} steps per second "
        "while it lasts."
    )


def _library(versions: Mapping[str, str]) -> str:
    name = next((name for name in _LIBRARIES if name in versions), "")
    return f"{name} {versions[name]}" if name else ""
