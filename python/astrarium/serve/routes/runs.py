"""The catalogue of runs, and what each holds besides replays."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import APIRouter, Query, Request, Response

from astrarium.runs import RunFolder, names
from astrarium.serve import completeness
from astrarium.serve.clients import client_of
from astrarium.serve.paths import plain_file
from astrarium.serve.routes.asking import Asked, RunId, answers, json, raw_json
from astrarium.serve.shapes import RunConfig, RunDetail, Runs, Status, Windows

router = APIRouter(prefix="/runs", tags=["runs"])


@router.get("", responses=answers(Runs), response_class=Response, summary="All runs")
def list_runs(
    asked: Asked,
    limit: Annotated[int, Query(ge=1, le=500)] = 50,
    offset: Annotated[int, Query(ge=0, le=10_000_000)] = 0,
    world: Annotated[str | None, Query(max_length=64)] = None,
    status: Annotated[Status | None, Query()] = None,
) -> Response:
    """Every run, last updated first, broken ones at the end."""
    found = asked.catalogue.runs()
    if world is not None or status is not None:
        found = [
            one
            for one in found
            if world in (None, one.row.world) and status in (None, one.row.status)
        ]
    shown = found[offset : offset + limit]
    rows = b",".join(one.encoded for one in shown)
    return raw_json(b'{"runs":[%s],"count":%d,"total":%d}' % (rows, len(shown), len(found)))


@router.get("/{run_id}", responses=answers(RunDetail), response_class=Response, summary="A run")
def one_run(asked: Asked, run_id: RunId) -> Response:
    """The live state of a run."""
    known = asked.catalogue.find(run_id)
    plain_file(known.folder, names.METADATA)
    metadata = RunFolder.open(known.folder).metadata()
    return json({"run_id": run_id, "metadata": metadata, "replay_count": known.row.replay_count})


@router.get(
    "/{run_id}/config", responses=answers(RunConfig), response_class=Response, summary="Its config"
)
def config(asked: Asked, run_id: RunId) -> Response:
    """The config the run was begun with."""
    known = asked.catalogue.find(run_id)
    plain_file(known.folder, names.CONFIG)
    return json({"run_id": run_id, "config": RunFolder.open(known.folder).config()})


@router.get(
    "/{run_id}/metrics/windows",
    responses=answers(Windows),
    response_class=Response,
    summary="Its windows",
)
def windows(
    asked: Asked,
    run_id: RunId,
    limit: Annotated[int, Query(ge=1, le=5000)] = 200,
    order: Literal["asc", "desc"] = "desc",
) -> Response:
    """Rows of windows in order, then cut: `asc` gives the oldest, `desc` the newest."""
    known = asked.catalogue.find(run_id)
    plain_file(known.folder, names.WINDOWS)
    rows = RunFolder.open(known.folder).windows(order=order)
    shown = rows[:limit]
    return json(
        {
            "run_id": run_id,
            "metrics_path": names.WINDOWS,
            "count": len(shown),
            "total": len(rows),
            "windows": shown,
        }
    )


@router.get("/{run_id}/analytics/completeness", summary="What a run has and lacks")
async def analytics_completeness(
    asked: Asked,
    request: Request,
    run_id: RunId,
    stale_after_seconds: Annotated[int, Query(ge=60, le=604_800)] = 21_600,
    wandb_run_id: Annotated[str | None, Query(max_length=128)] = None,
    wandb_entity: Annotated[str | None, Query(max_length=128)] = None,
    wandb_project: Annotated[str | None, Query(max_length=128)] = None,
    wandb_history_max_points: Annotated[int, Query(ge=1, le=5000)] = 1000,
) -> dict[str, object]:
    """Five sources, each with its status, what it lacks and where it comes from."""
    question = completeness.Question(
        stale_after_seconds, wandb_run_id, wandb_entity, wandb_project, wandb_history_max_points
    )

    def report() -> dict[str, object]:
        return completeness.report(asked.catalogue.find(run_id), question, asked.wandb)

    return await asked.asking_wandb.run(client_of(request.scope), report)
