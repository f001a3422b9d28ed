"""Whether a run has everything its pages show: each source with what it lacks.

W&B is a source where the run uses it, or where the caller names a run there.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final, cast

import msgspec

from astrarium import worlds
from astrarium.runs import RunError, RunFolder, names
from astrarium.runs.documents import read as read_document
from astrarium.serve.catalogue import Known
from astrarium.serve.paths import plain_file
from astrarium.serve.problems import Problem
from astrarium.serve.wandb_proxy import HISTORY_KEYS, KPIS, WandbProxy

WORST_FIRST: Final = ("error", "missing", "stale", "ok")
_PROSPECTORS: Final = ("prospector-v1", "prospector-v2")

_METADATA: Final = (
    *("run_id", "status", "trainer_backend", "updated_at"),
    *("metrics_windows_path", "replay_index_path"),
)
_WINDOW: Final = ("window_id", "env_steps_total", "reward_mean", "return_mean")
"""Of the windows of every world; each world adds its outcomes."""
_PROSPECTING: Final = (
    *("overheat_ticks_mean", "pirate_encounters_mean", "value_lost_to_pirates_mean"),
    *("mining_ticks_mean", "scan_count_mean"),
)
_REPLAY: Final = (
    *("replay_id", "window_id", "replay_path", "checkpoint_path", "tags", "created_at"),
)
_CONTEXT: Final = (
    *("trainer_backend", "status", "started_at", "updated_at", "finished_at"),
    *("metrics_windows_path", "replay_index_path", "wandb_run_url", "constellation_url"),
)


class Question(msgspec.Struct, frozen=True):
    """What the caller wants to know."""

    stale_after_seconds: int
    wandb_run_id: str | None
    wandb_entity: str | None
    wandb_project: str | None
    history_points: int


class _Source(msgspec.Struct):
    """One source, as far as it was read."""

    key: str
    label: str
    required: Sequence[str]
    source: str
    path: str | None = None
    row: Mapping[str, Any] | None = None
    count: int = 0
    updated_at: str | None = None
    failure: str | None = None
    nullable: Sequence[str] = ()
    """Fields whose null says that no episode ended in the window, which is a value."""
    notes: list[str] = []

    def shown(self, now: datetime, stale_after: int) -> dict[str, Any]:
        missing = sorted(
            name
            for name in self.required
            if self.row is None or _lacks(self.row, name, name in self.nullable)
        )
        if self.failure is not None:
            status = "error"
        elif self.row is None or missing:
            status = "missing"
        else:
            status = "stale" if _age(self.updated_at, now) > stale_after else "ok"
        return {
            "key": self.key,
            "label": self.label,
            "status": status,
            "observed_count": self.count,
            "required_fields": list(self.required),
            "missing_fields": missing,
            "lineage": {"source": self.source, "path": self.path, "updated_at": self.updated_at},
            "notes": [*self.notes, *([] if self.failure is None else [self.failure])],
        }


def report(known: Known, question: Question, wandb: WandbProxy) -> dict[str, Any]:
    """The completeness of one run."""
    now = datetime.now(UTC)
    plain_file(known.folder, names.METADATA)
    run = RunFolder.open(known.folder)
    metadata = run.metadata()
    scope, sources = _wandb_sources(run, metadata, question, wandb)
    sources = [_metadata(known, metadata), _windows(run, metadata), _replays(known), *sources]
    coverage = [one.shown(now, question.stale_after_seconds) for one in sources]
    statuses = [one["status"] for one in coverage]
    return {
        "run_id": known.row.run_id,
        "generated_at": now.isoformat(timespec="milliseconds").replace("+00:00", "Z"),
        "stale_after_seconds": question.stale_after_seconds,
        "overall_status": next(status for status in WORST_FIRST if status in statuses),
        "status_counts": {status: statuses.count(status) for status in WORST_FIRST},
        "run_context": {
            **{name: metadata.get(name) for name in _CONTEXT},
            "run_config_path": metadata.get("config_path"),
        },
        "wandb_scope": scope,
        "coverage": coverage,
    }


def _metadata(known: Known, metadata: Mapping[str, Any]) -> _Source:
    told = metadata.get("updated_at")
    return _Source(
        "run_metadata",
        "Run metadata",
        _METADATA,
        "file",
        names.METADATA,
        row=metadata,
        count=1,
        updated_at=told if isinstance(told, str) else _file_time(known.folder / names.METADATA),
    )


def _windows(run: RunFolder, metadata: Mapping[str, Any]) -> _Source:
    world = metadata.get("world")
    outcomes = tuple(worlds.get(world).outcomes) if world in worlds.ids() else ()
    own = _PROSPECTING if world in _PROSPECTORS else ()
    required = (*_WINDOW, *outcomes, *own)
    found = _Source("window_metrics", "Window metrics", required, "file", names.WINDOWS)
    found.nullable = outcomes
    try:
        place = plain_file(run.folder, names.WINDOWS)
        rows = run.windows()
    except RunError as error:
        found.failure = str(error).replace(str(run.folder.parent), "runs")
        return found
    found.count, found.updated_at = len(rows), _file_time(place)
    found.row = rows[-1] if rows else None
    return found


def _replays(known: Known) -> _Source:
    found = _Source("replay_timeline", "Replay timeline", _REPLAY, "file", names.REPLAY_INDEX)
    found.failure = known.row.problem
    found.count = len(known.entries)
    if known.entries:
        found.row = msgspec.to_builtins(known.entries[-1])
        found.updated_at = _told_time(plain_file(known.folder, names.REPLAY_INDEX))
    return found


class _Dated(msgspec.Struct):
    updated_at: str | None = None


def _told_time(path: Path) -> str | None:
    """When a document says it was written; the time of its file where it does not."""
    try:
        told = read_document(path, _Dated).updated_at
    except RunError:
        told = None
    return told or _file_time(path)


def _wandb_sources(
    run: RunFolder, metadata: Mapping[str, Any], question: Question, wandb: WandbProxy
) -> tuple[dict[str, Any], list[_Source]]:
    """Return what W&B was asked, and its sources; none where the run never used W&B."""
    summary = _Source("wandb_summary", "W&B summary", KPIS, "wandb")
    history = _Source("wandb_history", "W&B history", HISTORY_KEYS, "wandb")
    scope: dict[str, Any] = {"entity": None, "project": None, "run_id": None, "scope_error": None}
    run_id = question.wandb_run_id or _told_run(metadata)
    if run_id is None and not _uses_wandb(run):
        return scope, []
    summary.nullable = history.nullable = ("profit_mean", "survival_rate")
    try:
        if run_id is None:
            raise Problem(400, "the run has no W&B run id")
        scope["run_id"] = run_id
        entity, project = wandb.scope(question.wandb_entity, question.wandb_project)
    except Problem as problem:
        scope["scope_error"] = problem.detail
        summary.notes, history.notes = [problem.detail], [problem.detail]
        return scope, [summary, history]
    scope |= {"entity": entity, "project": project}
    _fill(summary, history, wandb, (entity, project, run_id), question.history_points)
    return scope, [summary, history]


def _fill(
    summary: _Source,
    history: _Source,
    wandb: WandbProxy,
    where: tuple[str, str, str],
    points: int,
) -> None:
    summary.path = history.path = "/".join(where)
    try:
        run = wandb.summary(*where)
        summary.row, summary.count, summary.updated_at = run["summary"], 1, run["updated_at"]
        rows = wandb.history(*where, HISTORY_KEYS, points)
        history.row, history.count = (rows[-1] if rows else None), len(rows)
        history.updated_at = run["updated_at"]
    except Problem as problem:
        for source in (summary, history):
            if source.row is None:
                if problem.status == 503:
                    source.notes = [problem.detail]
                else:
                    source.failure = problem.detail


def _uses_wandb(run: RunFolder) -> bool:
    """Return whether a run's config asks for W&B."""
    try:
        names.inside(run.folder, names.CONFIG)
        plain_file(run.folder, names.CONFIG)
        sinks: Any = run.config().get("sinks")
    except RunError:
        return False
    mode = cast("dict[str, Any]", sinks).get("wandb") if isinstance(sinks, dict) else None
    return mode not in (None, "disabled")


def _told_run(metadata: Mapping[str, Any]) -> str | None:
    """The W&B run a run says it is, by id or by address."""
    told = metadata.get("wandb_run_id")
    if isinstance(told, str) and told.strip():
        return told
    url = metadata.get("wandb_run_url")
    found = re.search(r"/runs/([^/?#]+)", url) if isinstance(url, str) else None
    return found.group(1) if found else None


def _lacks(row: Mapping[str, Any], name: str, nullable: bool) -> bool:
    if name not in row:
        return True
    value = row[name]
    if value is None:
        return not nullable
    return isinstance(value, str) and not value.strip()


def _age(moment: str | None, now: datetime) -> float:
    """Seconds since a moment; endless where there is none."""
    try:
        then = datetime.fromisoformat(moment or "")
    except ValueError:
        return float("inf")
    return (now - (then if then.tzinfo else then.replace(tzinfo=UTC))).total_seconds()


def _file_time(path: Path) -> str | None:
    try:
        seconds = path.stat().st_mtime
    except OSError:
        return None
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="milliseconds")
