"""Wars of `astrarium campaign`: their map, their days and their battles."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Path, Query, Response

from astrarium.runs import RunError, names
from astrarium.serve.observatory import Observatory
from astrarium.serve.routes.asking import Asked, answers, json, quoted, raw_json
from astrarium.serve.war_shapes import War, WarBattle, WarDays, Wars
from astrarium.serve.wars import replay_name

router = APIRouter(prefix="/wars", tags=["wars"])

WarId = Annotated[str, Path(pattern=f"^{names.RUN_ID}$", description="The folder of the war.")]
BattleId = Annotated[str, Path(pattern=f"^{names.RUN_ID}$", description="From the war's list.")]


@router.get("", responses=answers(Wars), response_class=Response, summary="All wars")
def wars(asked: Asked) -> Response:
    """Every war in the folder of wars, last touched first; other folders are left out."""
    return json({"wars": asked.wars.rows()})


@router.get("/{war_id}", responses=answers(War), response_class=Response, summary="A war")
def war(asked: Asked, war_id: WarId) -> Response:
    """The summary of a war, with the replays of those of its battles that were recorded."""
    summary = asked.wars.summary(war_id)
    replays = _replays(asked, war_id, summary)
    return json({"war_id": war_id, "war": summary, "replays": replays})


@router.get(
    "/{war_id}/days", responses=answers(WarDays), response_class=Response, summary="Days of a war"
)
def days(
    asked: Asked,
    war_id: WarId,
    offset: Annotated[int, Query(ge=0, le=1_000_000)] = 0,
    limit: Annotated[int, Query(ge=1, le=1000)] = 100,
) -> Response:
    """A page of days as they are stored; go on at `next_offset`, later ones come there too."""
    page = asked.wars.days(war_id, offset, limit, asked.settings.page_bytes_max)
    head = b'{"war_id":%s,"offset":%d,"next_offset":%d,"count":%d,"has_more":%s,"days":[' % (
        quoted(war_id),
        offset,
        page.next_offset,
        len(page.lines),
        b"true" if page.has_more else b"false",
    )
    return raw_json(b"".join((head, b",".join(page.lines), b"]}")))


@router.get(
    "/{war_id}/battles/{battle_id}",
    responses=answers(WarBattle),
    response_class=Response,
    summary="A battle of a war",
)
def battle(asked: Asked, war_id: WarId, battle_id: BattleId) -> Response:
    """Who commanded, and the result; its package stays in the folder."""
    return json({"war_id": war_id, **asked.wars.battle(war_id, battle_id)})


def _replays(asked: Observatory, war_id: str, summary: dict[str, Any]) -> dict[str, Any]:
    """By battle, where its replay lies; battles that nobody recorded have none."""
    found: dict[str, Any] = {}
    for one in summary.get("battles", ()):
        # Each as it is now: whoever records a battle looks for it at once.
        try:
            run = asked.catalogue.find(replay_name(war_id, one))
        except RunError:
            continue
        if run.entries:
            replay_id = run.entries[-1].replay_id
            found[str(one["id"])] = {"run_id": run.row.run_id, "replay_id": replay_id}
    return found
