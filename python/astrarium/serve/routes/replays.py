"""Replays of a run: the index, pages of frames, and the timeline."""

from __future__ import annotations

import re
from collections.abc import Callable, Coroutine
from typing import Annotated, Any

import msgspec
from fastapi import APIRouter, Query, Request, Response
from fastapi.routing import APIRoute

from astrarium.runs import ReplayEntry, ReplayError, ReplayIndex, names
from astrarium.serve.answers import PIECE_BYTES
from astrarium.serve.catalogue import Known
from astrarium.serve.frame_store import ReplayGoneError, StoredReplay
from astrarium.serve.observatory import Observatory, observatory_of
from astrarium.serve.paths import plain_file
from astrarium.serve.problems import Problem
from astrarium.serve.routes.asking import (
    Asked,
    JsonInPieces,
    ReplayId,
    RunId,
    answers,
    json,
    quoted,
)
from astrarium.serve.shapes import Frames, ReplayDetail, Replays, TimelineShape

router = APIRouter(prefix="/runs/{run_id}/replays", tags=["replays"])

_ALL = 1 << 62
_PAGE_FRAMES = 256
_PLAIN = re.compile(rb"(?:offset=(0|[1-9][0-9]{0,8}))?&?(?:limit=([1-9][0-9]{0,2}))?")
"""The question of a page as readers put it: within the limits, whatever the numbers are."""


@router.get("", responses=answers(Replays), response_class=Response, summary="Replays of a run")
def list_replays(
    asked: Asked,
    run_id: RunId,
    tag: Annotated[str | None, Query(max_length=128)] = None,
    tags_any: Annotated[str | None, Query(max_length=2048)] = None,
    tags_all: Annotated[str | None, Query(max_length=2048)] = None,
    window_id: Annotated[int | None, Query(ge=0, le=2**53)] = None,
    limit: Annotated[int, Query(ge=1, le=5000)] = 100,
) -> Response:
    """Those that meet every condition given, newest first."""
    known = readable(asked, run_id)
    found = ReplayIndex(run_id, known.entries).select(
        tag=tag or None,
        tags_any=_listed(tags_any),
        tags_all=_listed(tags_all),
        window_id=window_id,
        limit=limit,
    )
    return json(
        {
            "run_id": run_id,
            "index_path": names.REPLAY_INDEX,
            "count": len(found),
            "replays": found,
        }
    )


@router.get(
    "/{replay_id}", responses=answers(ReplayDetail), response_class=Response, summary="A replay"
)
def one_replay(asked: Asked, run_id: RunId, replay_id: ReplayId) -> Response:
    """What the index says of a replay."""
    _, entry = find_entry(asked, run_id, replay_id)
    return json({"run_id": run_id, "replay": entry})


class _PlainPages(APIRoute):
    """Reads plain numbers itself; any other question takes the long way, through every check.

    Checking five parameters costs as much as sending a page of frames.
    """

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        long_way = super().get_route_handler()

        async def handle(request: Request) -> Response:
            run_id, replay_id = request.path_params["run_id"], request.path_params["replay_id"]
            numbers = _PLAIN.fullmatch(request.scope["query_string"])
            if numbers is None or not names.is_run_id(run_id) or not names.is_replay_id(replay_id):
                return await long_way(request)
            offset, limit = int(numbers[1] or 0), int(numbers[2] or _PAGE_FRAMES)
            return await frames(observatory_of(request), run_id, replay_id, offset, limit)

        return handle


pages = APIRouter(route_class=_PlainPages)


@pages.get(
    "/{replay_id}/frames",
    responses=answers(Frames),
    response_class=Response,
    summary="Its frames",
)
async def frames(
    asked: Asked,
    run_id: RunId,
    replay_id: ReplayId,
    offset: Annotated[int, Query(ge=0, le=2**53)] = 0,
    limit: Annotated[int, Query(ge=1, le=5000)] = _PAGE_FRAMES,
) -> Response:
    """A page of frames; go on at `next_offset` while there are more."""
    stored = open_replay(asked, run_id, replay_id)
    wanted = offset + limit
    await stored.reach(wanted + 1)
    end = min(wanted, stored.frames)
    if stored.error is not None and end < wanted:
        raise failure_of(stored)
    if offset < end:
        end = stored.end_within(offset, end, asked.settings.page_bytes_max)
        length = stored.bytes_of(offset, end) - 1  # without the comma behind the last one
    else:
        end, length = offset, 0
    more = stored.frames > end or (stored.error is not None and stored.frames == end)
    asked.metrics.frames_by_http.inc(end - offset)
    head = b'{"run_id":%s,"replay_id":%s,"offset":%d,"next_offset":%d,"count":%d,"has_more":%s,' % (
        quoted(run_id),
        quoted(replay_id),
        offset,
        end,
        end - offset,
        b"true" if more else b"false",
    )
    pieces = stored.pieces(offset, end, PIECE_BYTES)
    return JsonInPieces(head + b'"frames":[', pieces, length, b"]}")


@router.get(
    "/{replay_id}/timeline",
    responses=answers(TimelineShape),
    response_class=Response,
    summary="A replay at a glance",
)
async def timeline(asked: Asked, run_id: RunId, replay_id: ReplayId) -> Response:
    """Its header, every event, and the rewards with their terms."""
    stored = open_replay(asked, run_id, replay_id)
    await stored.reach(_ALL)
    if stored.error is not None or stored.header is None:
        raise failure_of(stored)
    return json(
        {
            "run_id": run_id,
            "replay_id": replay_id,
            "header": msgspec.Raw(stored.header_line),
            **stored.timeline.shown(stored.header["terms"]),
        }
    )


router.include_router(pages)


def readable(asked: Observatory, run_id: str) -> Known:
    """A run whose replay index could be read; 500 where it could not."""
    known = asked.catalogue.find(run_id)
    if known.row.problem is not None:
        raise Problem(500, known.row.problem)
    return known


def find_entry(asked: Observatory, run_id: str, replay_id: str) -> tuple[Known, ReplayEntry]:
    """A replay in the index of its run."""
    known = readable(asked, run_id)
    entry = known.by_id.get(names.check_replay_id(replay_id))
    if entry is None:
        raise Problem(404, f"run {run_id} has no replay {replay_id}")
    return known, entry


def open_replay(asked: Observatory, run_id: str, replay_id: str) -> StoredReplay:
    """A replay to read frames from; its file must lie in the run, links included."""
    known, entry = find_entry(asked, run_id, replay_id)
    if not entry.replay_path:
        raise Problem(500, f"the index of run {run_id} has no path for {replay_id}")
    try:
        path = plain_file(known.folder, entry.replay_path)
        return asked.frames.open(path, entry.sha256)
    except ReplayGoneError as error:
        raise Problem(404, f"the file of {replay_id} is gone; it may have been deleted") from error


def failure_of(stored: StoredReplay) -> Exception:
    """Why a replay has no more frames."""
    error = stored.error
    if isinstance(error, ReplayGoneError):
        return Problem(404, str(error))
    if isinstance(error, ReplayError):
        return error
    return Problem(503, f"the replay cannot be unpacked now: {error}")


def _listed(text: str | None) -> tuple[str, ...]:
    return tuple(filter(None, (one.strip() for one in (text or "").split(","))))
