"""How fast the observatory sends frames, beside a bare uvicorn sending the same bytes.

Server, ceiling and clients are processes of one machine in one run; what is asked is a share of the
ceiling, since a machine's own speed says nothing about the server.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from astrarium import machine, worlds
from astrarium.bench import serve_clients as clients
from astrarium.bench.report import Report, Spread, percentile
from astrarium.bench.serve_clients import Server
from astrarium.runs import Checkpoint, Replay, RunFacts, RunWriter
from astrarium.train.recording import record
from astrarium.worlds import ladder

WORLD: Final = "prospector-v2"
SHARE_MIN: Final = 0.5
SHARE_MAX: Final = 1.1
"""More than the ceiling is a sign that something else was measured."""
PAGE_P95_MAX: Final = 0.030
GROWTH_MAX: Final = 8 << 20
FIRST_FRAMES_MAX: Final = 1.0
PAGE_FRAMES: Final = 256
_API: Final = "/api/v1"

Tell = Callable[[str], None]
Row = dict[str, Any]
_RATES: Final = ("websocket", "websocket_ceiling", "http", "http_ceiling")


@dataclass(frozen=True, slots=True)
class Plan:
    """What is measured, and how long."""

    frames: int = 10_000
    batches: Sequence[int] = (64, 128, 256, 512)
    chunk_limits: Sequence[int] = (65_536, 131_072, 262_144, 524_288)
    streams: int = 3
    pages: Sequence[int] = (64, 256, 1_024)
    clients: Sequence[int] = (1, 10, 100)
    requests: int = 1_000
    rounds: int = 7
    """Turns of server and ceiling."""
    growth_requests: int = 50_000


QUICK: Final = Plan(
    frames=1_000,
    batches=(256,),
    chunk_limits=(4_194_304,),
    streams=2,
    pages=(256,),
    clients=(1, 10),
    requests=60,
    rounds=2,
    growth_requests=1_000,
)


def bench_serve(plan: Plan, tell: Tell) -> Report:
    """Measure everything of `plan`; what is missed is in the report's reasons."""
    facts = machine.facts()
    with tempfile.TemporaryDirectory(prefix="astrarium-bench-") as folder:
        root = Path(folder) / "runs"
        address = _write_replay(root, plan.frames)
        with clients.observatory(root) as server:
            tell("streams")
            first = _first_frames(server, address)
            profile = _profile(server, address, plan)
            tell("pages")
            ours = _pages(server, address, plan)
            waits = _waits(server, address, plan)
            tell("memory")
            growth = _growth(server, address, plan)
            tell("beside a bare uvicorn")
            page = clients.ask(server.port, f"{_API}{address}?limit={PAGE_FRAMES}")
            best = min(profile, key=_preference)
            beside = _beside(server, address, Path(folder), page, plan, best)
    results: dict[str, Any] = {
        "first_frames_seconds": first,
        "websocket": profile,
        "http": ours,
        "beside": beside,
        "latency": waits,
        "growth": growth,
    }
    results["recommended"] = best
    return Report("serve", asdict(plan), facts, _reasons(results), results)


def _write_replay(root: Path, frames: int) -> str:
    """A run with one long replay of real frames; the address of its frames."""
    entry = worlds.get(WORLD)
    policy = ladder.policies(entry, ["hauler"])["hauler"]
    (kept,) = record(entry, "hauler", policy, ladder.Rules(1, 7, steps_max=500)).kept
    real = kept.replay.frames
    many = [
        {**real[at % len(real)], "frame_index": at, "t": at + 1, "terminated": False}
        for at in range(frames)
    ]
    facts = RunFacts("ppo", 10, 10, WORLD, {}, "none", ())
    writer = RunWriter.create(root, {"world": {"id": WORLD}}, facts, "bench")
    steps = {"env_steps_start": 0, "env_steps_end": 10, "env_steps_in_window": 10}
    writer.append_window(
        {"window_id": 0, "window_complete": True, "env_steps_total": 10, "episodes_completed": 0}
        | steps
    )
    state = {"policy_arch": "none", "obs_shape": [1], "heads": [1]}
    writer.save_checkpoint(Checkpoint(0, 10, {"w": np.zeros(1, np.float32)}, {}, b"w", state))
    told = writer.add_replay(
        Replay(kept.replay.header, many),
        return_total=0.0,
        steps=frames,
        profit=None,
        survival=None,
        terminated=False,
        truncated=False,
    )
    writer.finish()
    return f"/runs/bench/replays/{told.replay_id}/frames"


def _first_frames(server: Server, address: str) -> float:
    """Seconds until a reader has the first frames of a replay nobody has read yet."""
    found = clients.stream(server.port, f"{_API}/ws{address}?limit=50000")
    return found.first_seconds


def _profile(server: Server, address: str, plan: Plan) -> list[dict[str, Any]]:
    """Every batch size by every chunk limit."""
    rows: list[dict[str, Any]] = []
    for batch in plan.batches:
        for limit in plan.chunk_limits:
            path = _stream_path(address, batch, limit)
            found = [clients.stream(server.port, path) for _ in range(plan.streams)]
            seconds = [_working(one.seconds) for one in found]
            rows.append(
                {
                    "batch_size": batch,
                    "max_chunk_bytes": limit,
                    "frames_per_second": plan.frames * len(found) / sum(seconds),
                    "mb_per_second": sum(one.bytes for one in found) / sum(seconds) / 1e6,
                    "chunks": found[0].messages - 2,
                    "bytes": found[0].bytes,
                    "seconds": asdict(Spread.of(seconds)),
                }
            )
    return rows


def _stream_path(address: str, batch: int, limit: int) -> str:
    sizes = f"batch_size={batch}&max_chunk_bytes={limit}"
    return f"{_API}/ws{address}?limit=50000&{sizes}&yield_every_batches=8"


def _working(seconds: float) -> float:
    """The server waits a moment before it closes a stream; that is no work."""
    return max(1e-9, seconds - 0.05)


def _preference(row: Mapping[str, Any]) -> tuple[float, float, int]:
    return -row["frames_per_second"], row["seconds"]["p95"], row["chunks"]


def _pages(server: Server, address: str, plan: Plan) -> list[dict[str, Any]]:
    """Pages of several sizes, one client."""
    rows: list[dict[str, Any]] = []
    for size in plan.pages:
        offsets = range(0, max(1, plan.frames - size), size)
        paths = [f"{_API}{address}?offset={offset}&limit={size}" for offset in offsets]
        length = len(clients.ask(server.port, paths[0]))
        samples = clients.latencies(server.port, paths, 1, max(20, plan.requests // 5))
        rate = len(samples) / sum(samples)
        rows.append(
            {
                "limit": size,
                "frames_per_second": rate * size,
                "mb_per_second": rate * length / 1e6,
                "seconds": asdict(Spread.of(samples)),
            }
        )
    return rows


def _waits(server: Server, address: str, plan: Plan) -> list[dict[str, Any]]:
    """How long a page of 256 frames takes when many ask."""
    offsets = range(0, max(1, plan.frames - PAGE_FRAMES), PAGE_FRAMES)
    paths = [f"{_API}{address}?offset={offset}&limit={PAGE_FRAMES}" for offset in offsets]
    rows: list[dict[str, Any]] = []
    for count in plan.clients:
        samples = clients.latencies(server.port, paths, count, plan.requests)
        rows.append({"clients": count, "seconds": asdict(Spread.of(samples))})
    return rows


def _growth(server: Server, address: str, plan: Plan) -> dict[str, Any]:
    """What the server's memory grew by over many requests of several kinds."""
    paths = [
        *(f"{_API}{address}?offset={offset}&limit=8" for offset in range(0, 400, 50)),
        f"{_API}/runs",
        f"{_API}/runs/bench",
        f"{_API}/worlds",
    ]
    # What is only loaded on first use is no growth.
    clients.latencies(server.port, paths, 2, max(200, plan.growth_requests // 25))
    before = server.memory_bytes()
    clients.latencies(server.port, paths, 2, plan.growth_requests)
    after = server.memory_bytes()
    return {
        "requests": plan.growth_requests,
        "before_bytes": before,
        "after_bytes": after,
        "growth_bytes": after - before,
    }


def _beside(server: Server, address: str, folder: Path, page: bytes, plan: Plan, best: Row) -> Row:
    """Our server and one that only sends the same bytes, in turns on the same machine."""
    count = best["chunks"]
    (folder / "page").write_bytes(page)
    (folder / "chunk").write_text("x" * (best["bytes"] // count), "utf-8")
    told = ("PORT", str(folder / "page"), str(folder / "chunk"), str(count))
    stream = _stream_path(address, best["batch_size"], best["max_chunk_bytes"])
    requests = max(20, plan.requests // 5)
    samples: dict[str, list[float]] = {name: [] for name in _RATES}
    crowd: list[float] = []
    with clients.running("astrarium.bench.echo", *told, check="/") as bare:
        clients.stream(bare.port, "/")
        for _ in range(plan.rounds):
            ours, theirs = clients.stream(server.port, stream), clients.stream(bare.port, "/")
            samples["websocket"].append(plan.frames / _working(ours.seconds))
            samples["websocket_ceiling"].append(plan.frames / theirs.seconds)
            for name, port, path in (
                ("http", server.port, f"{_API}{address}?limit={PAGE_FRAMES}"),
                ("http_ceiling", bare.port, "/"),
            ):
                waits = clients.latencies(port, [path], 1, requests)
                samples[name].append(PAGE_FRAMES * len(waits) / sum(waits))
            crowd += clients.latencies(bare.port, ["/"], 10, requests)
    rates: Row = {name: percentile(values, 50) for name, values in samples.items()}
    return {
        "frames_per_second": rates,
        "http_p95_seconds_10_clients_ceiling": percentile(crowd, 95),
        "shares": {name: rates[name] / rates[f"{name}_ceiling"] for name in ("websocket", "http")},
    }


def _reasons(results: Mapping[str, Any]) -> list[str]:
    reasons = [
        f"{name}: {share:.0%} of the ceiling, {SHARE_MIN:.0%} asked"
        for name, share in results["beside"]["shares"].items()
        if share < SHARE_MIN
    ]
    reasons += [
        f"{name}: {share:.0%} of the ceiling, which cannot be; measure on a quieter machine"
        for name, share in results["beside"]["shares"].items()
        if share > SHARE_MAX
    ]
    for row in results["latency"]:
        p95 = row["seconds"]["p95"]
        if row["clients"] == 10 and p95 > PAGE_P95_MAX:
            asked = f"{PAGE_P95_MAX * 1000:.0f} ms asked"
            reasons.append(f"page of 256 frames, 10 clients: p95 {p95 * 1000:.1f} ms, {asked}")
    growth = results["growth"]["growth_bytes"]
    if growth > GROWTH_MAX:
        reasons.append(f"memory grew by {growth / 1e6:.1f} MB, {GROWTH_MAX / 1e6:.1f} allowed")
    if results["first_frames_seconds"] > FIRST_FRAMES_MAX:
        reasons.append(f"first frames after {results['first_frames_seconds']:.2f} s, 1 s asked")
    return reasons
