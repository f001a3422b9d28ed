"""Weights & Biases, asked by the server so that no browser ever sees the key."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, TypeVar

from fastapi import APIRouter, Path, Query, Request

from astrarium.serve.clients import client_of
from astrarium.serve.observatory import Observatory
from astrarium.serve.problems import Problem
from astrarium.serve.routes.asking import Asked
from astrarium.serve.shapes import Detail
from astrarium.serve.wandb_proxy import HISTORY_KEYS, KEYS_MAX, kpis

T = TypeVar("T")

router = APIRouter(
    prefix="/wandb",
    tags=["wandb"],
    responses={
        400: {"model": Detail, "description": "No scope, or a bad value."},
        502: {"model": Detail, "description": "Weights & Biases failed."},
        503: {"model": Detail, "description": "Not available here."},
    },
)

Named = Annotated[str | None, Query(max_length=128, pattern=r"^[A-Za-z0-9_.-]+$")]
WandbId = Annotated[str, Path(max_length=128, pattern=r"^[A-Za-z0-9_.-]+$")]
Keys = Annotated[str | None, Query(max_length=4096, description="A comma list, at most 64.")]
Points = Annotated[int, Query(ge=1, le=5000)]


@router.get("/status", summary="How the proxy is doing")
def status(asked: Asked) -> dict[str, Any]:
    """Whether it can be asked, and how its cache and operations do."""
    return asked.wandb.status()


@router.get("/runs/latest", summary="Newest runs")
async def latest(
    asked: Asked,
    request: Request,
    limit: Annotated[int, Query(ge=1, le=50)] = 10,
    entity: Named = None,
    project: Named = None,
) -> dict[str, Any]:
    """The newest runs of a project."""
    owner, name = asked.wandb.scope(entity, project)
    runs = await _in_line(asked, request, lambda: asked.wandb.latest_runs(owner, name, limit))
    return {"entity": owner, "project": name, "count": len(runs), "runs": runs}


@router.get("/runs/{wandb_id}/summary", summary="A run's summary")
async def summary(
    asked: Asked, request: Request, wandb_id: WandbId, entity: Named = None, project: Named = None
) -> dict[str, Any]:
    """A run with its config and summary."""
    owner, name = asked.wandb.scope(entity, project)
    run = await _in_line(asked, request, lambda: asked.wandb.summary(owner, name, wandb_id))
    return {"entity": owner, "project": name, "run": run}


@router.get("/runs/{wandb_id}/history", summary="A run's history")
async def history(
    asked: Asked,
    request: Request,
    wandb_id: WandbId,
    keys: Keys = None,
    max_points: Points = 1000,
    entity: Named = None,
    project: Named = None,
) -> dict[str, Any]:
    """Rows of a run's history."""
    owner, name = asked.wandb.scope(entity, project)
    wanted = _keys(keys)
    rows = await _in_line(
        asked, request, lambda: asked.wandb.history(owner, name, wandb_id, wanted, max_points)
    )
    return {
        "entity": owner,
        "project": name,
        "run_id": wandb_id,
        "keys": wanted,
        "count": len(rows),
        "rows": rows,
    }


@router.get("/runs/{wandb_id}/iteration-view", summary="A run's figures at a glance")
async def iteration_view(
    asked: Asked,
    request: Request,
    wandb_id: WandbId,
    keys: Keys = None,
    max_points: Points = 1000,
    entity: Named = None,
    project: Named = None,
) -> dict[str, Any]:
    """A run, its history, and its six figures now."""
    owner, name = asked.wandb.scope(entity, project)
    wanted = _keys(keys)

    def ask() -> tuple[dict[str, Any], list[dict[str, Any]]]:
        run = asked.wandb.summary(owner, name, wandb_id)
        return run, asked.wandb.history(owner, name, wandb_id, wanted, max_points)

    run, rows = await _in_line(asked, request, ask)
    return {
        "entity": owner,
        "project": name,
        "run": run,
        "history": {"keys": wanted, "count": len(rows), "rows": rows},
        "kpis": kpis(rows, run["summary"]),
    }


async def _in_line(asked: Observatory, request: Request, ask: Callable[[], T]) -> T:
    """Ask in a thread beside those of quick requests: the answer may take long."""
    return await asked.asking_wandb.run(client_of(request.scope), ask)


def _keys(text: str | None) -> list[str]:
    named = list(dict.fromkeys(filter(None, (one.strip() for one in (text or "").split(",")))))
    if len(named) > KEYS_MAX:
        raise Problem(400, f"{len(named)} keys; give at most {KEYS_MAX}")
    return named or list(HISTORY_KEYS)
