"""Networks that grow in a run: its episodes, and what happened in each."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Query, Response

from astrarium.serve.growth_shapes import GrowthEvents, GrowthOverview
from astrarium.serve.routes.asking import Asked, RunId, answers, json

router = APIRouter(prefix="/runs/{run_id}/growth", tags=["growth"])

Host = Annotated[int, Path(ge=0, le=2**31, description="Which host of the batch.")]
Episode = Annotated[int, Path(ge=0, le=2**53, description="Which of its episodes, from 0.")]


@router.get(
    "",
    responses=answers(GrowthOverview),
    response_class=Response,
    summary="What grows in a run",
)
def overview(
    asked: Asked,
    run_id: RunId,
    env: Annotated[int | None, Query(ge=0, le=2**31)] = None,
    offset: Annotated[int, Query(ge=0, le=10_000_000)] = 0,
    limit: Annotated[int, Query(ge=1, le=5000)] = 500,
) -> Response:
    """How the run was begun, and its episodes, newest first.

    A long file is read over several requests: ask again until it is `complete`.
    """
    index = asked.growth.of(asked.catalogue.find(run_id).folder)
    return json({"run_id": run_id, **index.told(env, offset, limit)})


@router.get(
    "/{env}/{episode}",
    responses=answers(GrowthEvents),
    response_class=Response,
    summary="What happened in an episode",
)
def events(
    asked: Asked,
    run_id: RunId,
    env: Host,
    episode: Episode,
    offset: Annotated[int, Query(ge=0, le=2**53)] = 0,
    limit: Annotated[int, Query(ge=1, le=5000)] = 2000,
) -> Response:
    """A page of events as they are stored; go on at `next_offset`, later ones come there too.

    Another `edition` than that of the page before means that the file was cut back: begin anew.
    """
    index = asked.growth.of(asked.catalogue.find(run_id).folder)
    most = asked.settings.page_bytes_max
    return json(index.events(run_id, (env, episode), offset, limit, most))
