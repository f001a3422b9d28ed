"""`astrarium bench stability`: runs trained while they are served, and nothing drifts.

One server stays up while run after run is trained into its folder. After each, the run's replays
are checked file by file, and the server is asked for catalogue, index and frames again and again:
every answer must count the same, and its memory must stay where it was.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

import msgspec

from astrarium import machine
from astrarium.bench import serve_clients as clients
from astrarium.bench.report import Report
from astrarium.bench.serve_clients import Server
from astrarium.errors import AstrariumError
from astrarium.runs import ReplayEntry, RunFolder

GROWTH_MAX: Final = 24 << 20
_API: Final = "/api/v1"
_LISTED_SECONDS: Final = 30.0

Tell = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Plan:
    """How often, how long, and how many questions after each training."""

    cycles: int = 3
    ticks: int = 1_200
    window_ticks: int = 300
    catalogue_requests: int = 200
    frame_requests: int = 800
    index_requests: int = 400
    world: str = "prospector-v2"


QUICK: Final = Plan(cycles=1, catalogue_requests=5, frame_requests=10, index_requests=5)


class _Counted(msgspec.Struct):
    """What the answers compared here have in common."""

    count: int


def bench_stability(plan: Plan, tell: Tell) -> Report:
    """Train and ask in turns; whatever drifted is in the report's reasons."""
    facts = machine.facts()
    cycles: list[dict[str, Any]] = []
    with tempfile.TemporaryDirectory(prefix="astrarium-stability-") as folder:
        root = Path(folder) / "runs"
        with clients.observatory(root) as server:
            for number in range(plan.cycles):
                tell(f"cycle {number + 1} of {plan.cycles}: training")
                run = _trained(root, number, plan)
                tell(f"cycle {number + 1} of {plan.cycles}: asking")
                _wait_until_listed(server, run.run_id)
                before = server.memory_bytes()
                faults = index_faults(run, plan.ticks // plan.window_ticks)
                faults += _answer_faults(server, run, number + 1, plan)
                cycles.append(
                    {
                        "run_id": run.run_id,
                        "replays": len(run.replay_index().entries),
                        "faults": faults,
                        "before_bytes": before,
                        "after_bytes": server.memory_bytes(),
                    }
                )
    results = {"cycles": cycles, "growth_bytes": growth(cycles)}
    return Report("stability", asdict(plan), facts, _reasons(results), results)


def _trained(root: Path, seed: int, plan: Plan) -> RunFolder:
    """A small run with a replay for each window."""
    from astrarium.train.config import layered
    from astrarium.train.training import start

    settings: dict[str, Any] = {
        # Rollouts shorter than a window, so that none closes two.
        "world": {"id": plan.world, "worlds": 2},
        "ppo": {"rollout_steps": 16, "minibatches": 2, "epochs": 1},
        "run": {
            "root": str(root),
            "id": f"stability-{seed}",
            "seed": seed,
            "total_env_steps": plan.ticks,
            "window_env_steps": plan.window_ticks,
            "eval_episodes": 1,
            "eval_steps_max": 512,
            # Who has learned nothing and always takes the likeliest action goes in circles.
            "eval_greedy": False,
            "flush_partial_window": False,
            "threads": 1,
            "device": "cpu",
        },
    }
    return RunFolder.open(start(layered(settings)).folder)


def _wait_until_listed(server: Server, run_id: str) -> None:
    """The server looks over its folder now and then; what it has not seen yet is no drift."""
    deadline = time.monotonic() + _LISTED_SECONDS
    while f'"{run_id}"'.encode() not in clients.ask(server.port, f"{_API}/runs?limit=500"):
        if time.monotonic() > deadline:
            raise clients.ServerError(f"{run_id} was not listed within {_LISTED_SECONDS:g} s")
        time.sleep(0.05)


def index_faults(run: RunFolder, windows: int) -> list[str]:
    """What is wrong with a run's replays, as its files have them."""
    entries = run.replay_index().entries
    faults: list[str] = []
    if len(entries) != windows or len(run.windows()) != windows:
        faults.append(
            f"{len(entries)} replays and {len(run.windows())} windows in place of {windows}"
        )
    ids = [entry.replay_id for entry in entries]
    if len(set(ids)) != len(ids) or not all(ids):
        faults.append("replay ids repeat or are empty")
    if any(entry.run_id != run.run_id for entry in entries):
        faults.append("an entry is of another run")
    if any(later.window_id < earlier.window_id for earlier, later in pairwise(entries)):
        faults.append("window ids fall")
    latest: Mapping[str, Any] | None = run.metadata().get("latest_replay")
    if latest is None or latest.get("replay_id") not in ids:
        faults.append("the latest replay is not listed")
    return faults + [fault for entry in entries for fault in _file_faults(run, entry)]


def _file_faults(run: RunFolder, entry: ReplayEntry) -> list[str]:
    """Reading checks every frame."""
    try:
        frames = len(run.replay(entry.replay_id).frames)
    except AstrariumError as error:
        return [f"{entry.replay_id}: {error}"]
    if frames == 0 or frames != entry.steps:
        return [f"{entry.replay_id}: {frames} frames, {entry.steps} steps in the index"]
    return []


def _answer_faults(server: Server, run: RunFolder, runs: int, plan: Plan) -> list[str]:
    """What the server answered otherwise than the files say."""
    entries = run.replay_index().entries
    here = f"{_API}/runs/{run.run_id}/replays"
    catalogue = _counts(server, [f"{_API}/runs?limit=500"], plan.catalogue_requests)
    index = _counts(server, [here], plan.index_requests)
    frames = _counts(
        server, [f"{here}/{one.replay_id}/frames?limit=16" for one in entries], plan.frame_requests
    )
    faults: list[str] = []
    if set(catalogue) != {runs}:
        faults.append(f"the catalogue had {_range(catalogue)} runs in place of {runs}")
    if set(index) != {len(entries)}:
        faults.append(f"the index had {_range(index)} replays in place of {len(entries)}")
    if 0 in frames:
        faults.append(f"{frames.count(0)} of {len(frames)} pages of frames were empty")
    return faults


def _counts(server: Server, paths: Sequence[str], requests: int) -> list[int]:
    """How much each answer held, over paths asked in turn."""
    found = clients.answers(server.port, paths, requests)
    return [msgspec.json.decode(one, type=_Counted).count for one in found]


def _range(counts: Sequence[int]) -> str:
    return f"{min(counts)} to {max(counts)}"


def growth(cycles: Sequence[Mapping[str, Any]]) -> int:
    """What the server's memory grew by, from the first questions' end on where there are more.

    What is loaded on first use is no growth; with one cycle, all of it is told.
    """
    first = cycles[0]["after_bytes"] if len(cycles) > 1 else cycles[0]["before_bytes"]
    return cycles[-1]["after_bytes"] - first


def _reasons(results: Mapping[str, Any]) -> list[str]:
    reasons = [f"{one['run_id']}: {fault}" for one in results["cycles"] for fault in one["faults"]]
    grown = results["growth_bytes"]
    if grown > GROWTH_MAX:
        reasons.append(f"memory grew by {grown / 1e6:.1f} MB, {GROWTH_MAX / 1e6:.1f} allowed")
    return reasons


def tables(report: Report) -> str:
    """The report in Markdown."""
    where, plan, results = report.machine, report.config, report.results
    asked = plan["catalogue_requests"] + plan["frame_requests"] + plan["index_requests"]
    lines = [
        f"`{where.command}` at commit {where.commit}; {where.cpu}, {where.cores} cores.",
        "",
        f"{len(results['cycles'])} trainings of {plan['ticks']:,} ticks under one server, "
        f"{asked:,} questions after each.",
        "",
        "| run | replays | faults | server's memory before | after |",
        "| --- | ---: | ---: | ---: | ---: |",
        *(
            f"| {one['run_id']} | {one['replays']} | {len(one['faults'])} | "
            f"{one['before_bytes'] / 1e6:.1f} MB | {one['after_bytes'] / 1e6:.1f} MB |"
            for one in results["cycles"]
        ),
        "",
        f"Growth: {results['growth_bytes'] / 1e6:.1f} MB ({GROWTH_MAX / 1e6:.1f} allowed).",
    ]
    return "\n".join(lines) + "\n"
