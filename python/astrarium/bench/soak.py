"""`astrarium bench soak`: one long training, watched from outside.

The training is a process of its own, so that its memory is its own. Every few seconds its resident
memory is noted and every file of its folder is read, as somebody with an open browser would do.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

from astrarium import machine
from astrarium.bench.report import Report, percentile
from astrarium.errors import AstrariumError
from astrarium.runs import RunFolder

GROWTH_MAX: Final = 0.02
"""Part by which the memory of the last quarter may exceed that of the second."""
FOLDER_STEPS: Final = 100_000_000
FOLDER_MAX: Final = 50_000_000
"""Bytes a folder may have after `FOLDER_STEPS`, replays not counted."""
_LOOKS_MIN: Final = 4
"""One for each quarter of the time."""
_ENDLESS: Final = 1 << 50
_STOP_SECONDS: Final = 600
_RUN: Final = "soak"

Tell = Callable[[str], None]
Sample = dict[str, float]


@dataclass(frozen=True, slots=True)
class Plan:
    """How long, how large, how closely watched."""

    seconds: float = 3600.0
    every: float = 10.0
    world: str = "prospector-v2"
    num_worlds: int = 8192
    rollout_steps: int = 16
    threads: int = 2


QUICK: Final = Plan(seconds=4.0, every=0.5, num_worlds=64)


class SoakError(AstrariumError, RuntimeError):
    """The training ended before its time."""


def bench_soak(plan: Plan, tell: Tell) -> Report:
    """Train for as long as planned, and report memory, folder and readability."""
    facts = machine.facts()
    with tempfile.TemporaryDirectory(prefix="astrarium-soak-") as root:
        process = _training(plan, Path(root))
        try:
            samples, failures = _watched(process, plan, Path(root) / _RUN, tell)
        finally:
            process.terminate()
            process.wait(_STOP_SECONDS)
        status = RunFolder.open(Path(root) / _RUN).status()
    results = summary(samples, failures)
    return Report("soak", asdict(plan), facts, _reasons(results), results | {"status": status})


def _training(plan: Plan, root: Path) -> subprocess.Popen[bytes]:
    settings = {
        "--world.worlds": plan.num_worlds,
        "--ppo.rollout-steps": plan.rollout_steps,
        "--ppo.epochs": 1,
        "--ppo.minibatches": 4,
        "--run.total-env-steps": _ENDLESS,
        "--root": root,
        "--run.id": _RUN,
        "--run.threads": plan.threads,
    }
    words = [str(word) for pair in settings.items() for word in pair]
    command = [sys.executable, "-m", "astrarium", "train", plan.world, "--quiet", *words]
    return subprocess.Popen(command, stdout=subprocess.DEVNULL)


def _watched(
    process: subprocess.Popen[bytes], plan: Plan, run: Path, tell: Tell
) -> tuple[list[Sample], list[str]]:
    """What was seen at each look, and what could not be read."""
    samples: list[Sample] = []
    failures: list[str] = []
    began = time.monotonic()
    while (now := time.monotonic() - began) < plan.seconds or len(samples + failures) < _LOOKS_MIN:
        if process.poll() is not None:
            raise SoakError(f"the training ended after {now:.0f} s with {process.returncode}")
        if (run / "events.jsonl").exists():
            try:
                samples.append({"second": now, "memory": _resident(process.pid), **_read(run)})
            except AstrariumError as error:
                failures.append(f"second {now:.0f}: {error}")
            tell(_line(plan, samples, failures))
        time.sleep(plan.every)
    return samples, failures


def _resident(pid: int) -> float:
    """Bytes of the process that are in memory."""
    status = Path(f"/proc/{pid}/status").read_text()
    line = next(line for line in status.splitlines() if line.startswith("VmRSS:"))
    return float(line.split()[1]) * 1024


def _read(run: Path) -> Sample:
    """Read every document of the folder; tell how far it is and how large."""
    folder = RunFolder.open(run)
    for read in (folder.metadata, folder.config, folder.events, folder.replay_index):
        read()
    windows = folder.windows()
    if folder.checkpoints():
        folder.load_checkpoint()
    steps = sum(row["steps_in_window"] for row in windows)
    return {"steps": float(steps), "windows": float(len(windows)), "bytes": float(_size(run))}


def _size(run: Path) -> int:
    """Bytes of all files but the replays. One may vanish while others are counted."""
    total = 0
    for path in run.rglob("*"):
        if "replays" not in path.relative_to(run).parts:
            try:
                total += path.stat().st_size if path.is_file() else 0
            except FileNotFoundError:
                continue
    return total


def _line(plan: Plan, samples: Sequence[Sample], failures: Sequence[str]) -> str:
    if not samples:
        return "starting"
    last = samples[-1]
    return (
        f"{last['second'] / 60:.0f} of {plan.seconds / 60:.0f} min, "
        f"{last['steps'] / 1e6:.0f} M steps, {last['memory'] / 1e6:.0f} MB in memory, "
        f"{last['bytes'] / 1e6:.1f} MB on disk, {len(failures)} unreadable"
    )


def summary(samples: Sequence[Sample], failures: Sequence[str]) -> dict[str, Any]:
    """Memory by quarters of the time, and the folder when it had its steps."""
    if len(samples) < _LOOKS_MIN:
        raise SoakError(f"only {len(samples)} looks at the run; give it longer")
    memory = [sample["memory"] for sample in samples]
    edges = [len(memory) * part // 4 for part in range(5)]
    quarters = [percentile(memory[start:end], 50) for start, end in pairwise(edges)]
    after = next((one for one in samples if one["steps"] >= FOLDER_STEPS), None)
    return {
        "quarters": quarters,
        "growth": quarters[3] / quarters[1] - 1,
        "peak": max(memory),
        "looks": len(samples),
        "failures": list(failures),
        "folder_after_steps": after,
        "end": samples[-1],
        "samples": list(samples),
    }


def _reasons(results: Mapping[str, Any]) -> list[str]:
    """What was asked and not reached."""
    reasons: list[str] = []
    if results["growth"] > GROWTH_MAX:
        reasons.append(f"memory grew by {results['growth']:.1%}; asked: {GROWTH_MAX:.0%} at most")
    if results["failures"]:
        reasons.append(f"{len(results['failures'])} looks failed: {results['failures'][0]}")
    folder = results["folder_after_steps"]
    if folder is not None and folder["bytes"] > FOLDER_MAX:
        reasons.append(f"the folder has {folder['bytes'] / 1e6:.1f} MB; asked: 50 MB at most")
    return reasons


def tables(report: Report) -> str:
    """The report in Markdown."""
    where, plan, results = report.machine, report.config, report.results
    end, folder = results["end"], results["folder_after_steps"]
    quarters = " | ".join(f"{size / 1e6:.0f} MB" for size in results["quarters"])
    lines = [
        f"`{where.command}` at commit {where.commit}; {where.cpu}, {where.cores} cores.",
        "",
        f"{plan['num_worlds']:,} worlds of {plan['world']}, {end['second'] / 60:.0f} minutes, "
        f"{end['steps'] / 1e6:.0f} million steps, {end['windows']:.0f} windows. The folder was "
        f"read {results['looks'] + len(results['failures'])} times; {len(results['failures'])} of "
        "them failed.",
        "",
        "| resident memory, medians by quarters of the time | | | | peak | last over second |",
        "| ---: | ---: | ---: | ---: | ---: | ---: |",
        f"| {quarters} | {results['peak'] / 1e6:.0f} MB | {1 + results['growth']:.3f} |",
        "",
        f"The folder without replays: {end['bytes'] / 1e6:.1f} MB at the end",
    ]
    if folder is not None:
        lines[-1] += (
            f", {folder['bytes'] / 1e6:.1f} MB at {folder['steps'] / 1e6:.0f} million steps"
        )
    return "\n".join(lines) + ".\n"
