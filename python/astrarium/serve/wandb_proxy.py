"""Weights & Biases behind the server: the key stays here, answers are cached and made safe."""

# The library leaves most of its types open.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false

from __future__ import annotations

import importlib.util
import math
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, TypeVar, cast

from astrarium.serve.problems import Problem
from astrarium.serve.settings import WANDB_KEY, Settings

KPIS: Final = (
    *("window_id", "env_steps_total", "reward_mean"),
    *("return_mean", "profit_mean", "survival_rate"),
)
HISTORY_KEYS: Final = ("_step", *KPIS)
KEYS_MAX: Final = 64
OPERATIONS: Final = ("list_runs", "run_summary", "run_history")

_PREVIEW: Final = (*HISTORY_KEYS, "windows_emitted", "episodes_total")
_ENTRIES_MAX: Final = 256
_DEPTH_MAX: Final = 5
_FIELDS_MAX: Final = 256
_ITEMS_MAX: Final = 512
_SHORT_TTL: Final = 10.0
_LOOKUPS_MIN: Final = 20
_HIT_RATE_MIN: Final = 0.2

T = TypeVar("T")
MakeApi = Callable[[str], Any]


def _new_api(key: str) -> Any:
    import wandb

    return wandb.Api(api_key=key, timeout=20)


class Cache:
    """Answers for a while, bounded in number; the oldest go first."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self.hits = self.misses = self.expired = self.sets = 0
        self._held: OrderedDict[tuple[Any, ...], tuple[float, Any]] = OrderedDict()

    def get(self, key: tuple[Any, ...]) -> Any:
        """What was answered before; None where that was never or too long ago."""
        found = self._held.get(key)
        if found is not None and time.monotonic() < found[0]:
            self.hits += 1
            return found[1]
        self.misses += 1
        if found is not None:
            self.expired += 1
            del self._held[key]
        return None

    def put(self, key: tuple[Any, ...], value: Any) -> None:
        """Remember an answer."""
        if self.seconds <= 0:
            return
        self.sets += 1
        self._held[key] = (time.monotonic() + self.seconds, value)
        while len(self._held) > _ENTRIES_MAX:
            self._held.popitem(last=False)

    @property
    def hit_rate(self) -> float:
        """Share of lookups that found something."""
        return self.hits / max(1, self.hits + self.misses)

    def __len__(self) -> int:
        return len(self._held)


class WandbProxy:
    """The few questions the pages ask, about one entity and project at a time."""

    def __init__(self, settings: Settings, make_api: MakeApi = _new_api) -> None:
        self._key = settings.wandb_key
        self._entity, self._project = settings.wandb_entity, settings.wandb_project
        self._make_api = make_api
        self._api: Any = None
        self._lock = threading.Lock()
        self.cache = Cache(settings.wandb_cache_seconds)
        self._calls = {name: {"calls": 0, "errors": 0, "ms": 0.0} for name in OPERATIONS}

    @property
    def unavailable(self) -> str | None:
        """Why nothing can be asked; None where it can."""
        if importlib.util.find_spec("wandb") is None:
            return 'wandb is not installed: pip install "astrarium[track]"'
        if self._key is None:
            return f"no key: set {WANDB_KEY} in the server's environment"
        return None

    def scope(self, entity: str | None, project: str | None) -> tuple[str, str]:
        """Entity and project of a question; 400 where neither it nor the server names them."""
        owner, name = entity or self._entity, project or self._project
        if not owner or not name:
            raise Problem(400, "name an entity and a project, or set WANDB_ENTITY, WANDB_PROJECT")
        return owner, name

    def latest_runs(self, entity: str, project: str, limit: int) -> list[dict[str, Any]]:
        """The newest runs, newest first."""

        def ask(api: Any) -> list[dict[str, Any]]:
            found = api.runs(f"{entity}/{project}", order="-created_at", per_page=limit)
            return [_run(found[at], preview=True) for at in range(min(limit, len(found)))]

        return self._ask("list_runs", (entity, project, limit), ask)

    def summary(self, entity: str, project: str, run_id: str) -> dict[str, Any]:
        """A run with its config and summary."""

        def ask(api: Any) -> dict[str, Any]:
            return _run(api.run(f"{entity}/{project}/{run_id}"), preview=False)

        return self._ask("run_summary", (entity, project, run_id), ask)

    def history(
        self, entity: str, project: str, run_id: str, keys: Sequence[str], points: int
    ) -> list[dict[str, Any]]:
        """Rows of a run's history, at most `points`."""

        def ask(api: Any) -> list[dict[str, Any]]:
            run = api.run(f"{entity}/{project}/{run_id}")
            wanted = [key for key in keys if key != "_step"]
            rows = run.history(keys=wanted or None, samples=points, pandas=False)
            kept = set(keys) | {"_step"}
            return [
                {name: safe(value) for name, value in row.items() if name in kept}
                for row in list(rows)[:points]
            ]

        key = (entity, project, run_id, tuple(keys), points)
        return self._ask("run_history", key, ask)

    def status(self) -> dict[str, Any]:
        """How the proxy is doing."""
        cache = self.cache
        return {
            "available": self.unavailable is None,
            "reason": self.unavailable,
            "defaults": {"entity": self._entity, "project": self._project},
            "cache": {
                "ttl_seconds": cache.seconds,
                "entries": len(cache),
                "hits": cache.hits,
                "misses": cache.misses,
                "expired": cache.expired,
                "sets": cache.sets,
                "hit_rate": cache.hit_rate,
            },
            "operations": {
                name: {
                    "calls": one["calls"],
                    "errors": one["errors"],
                    "latency_ms_total": one["ms"],
                    "latency_ms_avg": one["ms"] / max(1, one["calls"]),
                }
                for name, one in self._calls.items()
            },
            "notes": self._notes(),
        }

    def _notes(self) -> list[str]:
        cache, notes = self.cache, list[str]()
        if not (self._entity and self._project):
            notes.append("no default entity and project are set")
        if cache.seconds <= 0:
            notes.append("the cache is off")
        elif cache.seconds < _SHORT_TTL:
            notes.append(f"the cache keeps answers for less than {_SHORT_TTL:g} s")
        if cache.hits + cache.misses >= _LOOKUPS_MIN and cache.hit_rate < _HIT_RATE_MIN:
            notes.append(f"the cache answers only {cache.hit_rate:.0%} of lookups")
        notes += [
            f"{name} failed: {one['errors']}/{one['calls']}"
            for name, one in self._calls.items()
            if one["errors"]
        ]
        if self.unavailable is not None:
            notes.append(f"not available: {self.unavailable}")
        return notes

    def _ask(self, operation: str, arguments: tuple[Any, ...], ask: Callable[[Any], T]) -> T:
        if self.unavailable is not None:
            raise Problem(503, self.unavailable)
        key = (operation, *arguments)
        with self._lock:
            found = self.cache.get(key)
        if found is not None:
            return cast("T", found)
        began = time.perf_counter()
        counts = self._calls[operation]
        try:
            answer = ask(self._connected())
        except ValueError as error:
            counts["errors"] += 1
            raise Problem(
                400, f"Weights & Biases refused a value ({type(error).__name__})"
            ) from error
        except Exception as error:
            counts["errors"] += 1
            # The text of a foreign error may hold anything, the key included.
            raise Problem(502, f"Weights & Biases failed: {type(error).__name__}") from error
        finally:
            counts["calls"] += 1
            counts["ms"] += (time.perf_counter() - began) * 1000
        with self._lock:
            self.cache.put(key, answer)
        return answer

    def _connected(self) -> Any:
        with self._lock:
            if self._api is None and self._key is not None:
                self._api = self._make_api(self._key.get_secret_value())
            return self._api


def kpis(rows: Sequence[Mapping[str, Any]], summary: Mapping[str, Any]) -> dict[str, Any]:
    """The six figures of a run now: from its last row, else from its summary."""
    last = rows[-1] if rows else {}
    found = {name: last[name] if last.get(name) is not None else summary.get(name) for name in KPIS}
    return {**found, "step": last.get("_step")}


def _run(run: Any, *, preview: bool) -> dict[str, Any]:
    summary = dict(run.summary)
    told = {
        "run_id": str(run.id),
        "name": safe(run.name),
        "state": safe(run.state),
        "url": safe(run.url),
        "created_at": safe(getattr(run, "created_at", None)),
        "updated_at": safe(getattr(run, "updated_at", None) or getattr(run, "heartbeat_at", None)),
    }
    if preview:
        shown = {name: safe(summary[name]) for name in _PREVIEW if name in summary}
        return {**told, "summary_preview": shown}
    return {**told, "config": safe(dict(run.config)), "summary": safe(summary)}


def safe(value: Any, depth: int = 0) -> Any:
    """A value as plain JSON: finite, shallow and short."""
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if depth >= _DEPTH_MAX:
        return None
    if isinstance(value, Mapping) or hasattr(value, "items"):
        items = list(value.items())[:_FIELDS_MAX]
        return {str(name): safe(one, depth + 1) for name, one in items}
    if isinstance(value, list | tuple | set):
        return [safe(one, depth + 1) for one in list(value)[:_ITEMS_MAX]]
    return str(value)
