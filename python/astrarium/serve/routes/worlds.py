"""What there is to play, and how each world introduces itself."""

from __future__ import annotations

from dataclasses import asdict
from functools import cache
from typing import Any

from fastapi import APIRouter, Response

from astrarium import worlds as registry
from astrarium.runs import documents
from astrarium.serve.routes.asking import answers, raw_json
from astrarium.serve.sessions import default_layout, is_playable
from astrarium.serve.shapes import Worlds
from astrarium.worlds import WorldEntry
from astrarium.worlds.presentation import presented

router = APIRouter(prefix="/worlds", tags=["worlds"])


@router.get("", responses=answers(Worlds), response_class=Response, summary="All worlds")
def worlds() -> Response:
    """Every registered world."""
    told = b",".join(map(_encoded, registry.ids()))
    return raw_json(b'{"worlds":[%s]}' % told)


@cache
def _encoded(world_id: str) -> bytes:
    return documents.encode(described(registry.get(world_id)))


def described(entry: WorldEntry) -> dict[str, Any]:
    """A world in the form it is sent."""
    config, layout = entry.config(), default_layout(entry.id)
    told = presented(entry)
    return {
        "id": entry.id,
        "title": entry.title,
        "summary": entry.summary,
        "scene": told.scene,
        "obs_names": entry.obs_names,
        "action_names": entry.action_names,
        "agents": entry.agent_names,
        "terms": layout.terms,
        "events": layout.events,
        "playable": is_playable(entry, layout),
        "groups": [{"title": one.title, "actions": one.actions} for one in told.groups],
        "labels": told.labels,
        "hints": told.hints,
        "hotkeys": dict(told.hotkeys),
        "heads": [asdict(one) for one in told.heads],
        "guidance": told.guidance,
        "settings_schema": entry.config.model_json_schema(),
        "defaults": config.model_dump(mode="json"),
        "bots": list(entry.bots),
    }
