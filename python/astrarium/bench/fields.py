"""`astrarium bench fields`: what the parts of MorphoSpace take, without Python around them.

A call of a tenth of a microsecond would drown in the interpreter, so the figures come from the
crate's own example, built and run here: the least of a hundred short rounds of each call, on a sea
of 20 × 20 km whose every cell is off its ambient.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from astrarium import machine
from astrarium.bench.examples import told
from astrarium.bench.report import Report
from astrarium.bench.verdict import Check

LIMITS: Final = {
    "step_all_us": ("step, six fields active everywhere", 200.0, "µs"),
    "step_part_us": ("step, six fields active in 4 % of tiles", 20.0, "µs"),
    "stamp_us": ("stamp of 500 m, four fields", 3.0, "µs"),
    "point_us": ("point", 0.1, "µs"),
    "volume_us": ("volume of 2 km, cells", 4.0, "µs"),
    "foveated_us": ("foveated view, four fields", 25.0, "µs"),
    "memory_f1_mb": ("memory at 250 m, six fields everywhere", 1.0, "MB"),
    "memory_f2_mb": ("memory at 125 m, six fields everywhere", 4.0, "MB"),
}
"""What is asked of each figure: its name in words, the most allowed, the unit."""
BESIDES: Final = {
    "step_temperature_all_us": ("step, temperature active everywhere", "µs"),
    "step_battle_all_us": ("step, temperature, smoke and noise everywhere", "µs"),
    "stamp_one_field_us": ("stamp of 500 m, one field", "µs"),
    "volume_level_2_us": ("volume of 2 km, blocks of 500 m", "µs"),
    "ray_us": ("ray", "µs"),
    "ray_empty_us": ("ray over an empty sea", "µs"),
    "foveated_empty_us": ("foveated view of an empty sea", "µs"),
}
"""Figures that nothing is asked of."""


def bench_fields() -> Report:
    """Measure everything, and hold it to what is asked."""
    return judged(measured(), machine.facts())


def measured() -> dict[str, float]:
    """The figures of the example, by name."""
    return told("astrarium-morphospace", "speed")


def judged(figures: Mapping[str, float], facts: machine.Machine) -> Report:
    """The figures with what is asked of them."""
    checks = [
        Check(words, figures[name], most, at_least=False, unit=unit)
        for name, (words, most, unit) in LIMITS.items()
    ]
    reasons = [
        f"{check.name}: {check.value:.4g} {check.unit}" for check in checks if not check.passed
    ]
    results = {"figures": dict(figures), "checks": [check.as_dict() for check in checks]}
    return Report("fields", {}, facts, reasons, results)


def tables(report: Report) -> str:
    """The report in Markdown."""
    where, figures = report.machine, report.results["figures"]
    return "\n".join(
        (
            f"`{where.command}` at commit {where.commit}; {where.cpu}, {where.cores} cores, "
            f"load {where.load:.1f} before.",
            "",
            "| | asked | measured | |",
            "| --- | ---: | ---: | --- |",
            *map(_row, report.results["checks"]),
            *(
                f"| {words} | | {_figure(figures[name])} {unit} | |"
                for name, (words, unit) in BESIDES.items()
            ),
            "",
        )
    )


def _row(check: Mapping[str, Any]) -> str:
    done = "yes" if check["pass"] else "no"
    unit = check["unit"]
    asked = f"≤ {_figure(check['limit'])} {unit}"
    return f"| {check['name']} | {asked} | {_figure(check['value'])} {unit} | {done} |"


def _figure(value: float) -> str:
    return f"{value:.0f}" if value >= 100 else f"{value:.3g}"
