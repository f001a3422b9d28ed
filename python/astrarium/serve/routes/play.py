"""Play sessions: a world in one's own hands."""

from __future__ import annotations

import logging
from typing import Annotated, Final

from fastapi import APIRouter, BackgroundTasks, Path, Request, Response

from astrarium.errors import AstrariumError
from astrarium.serve.clients import client_of
from astrarium.serve.observatory import Observatory
from astrarium.serve.problems import Problem
from astrarium.serve.routes.asking import Asked, answers, json, raw_json
from astrarium.serve.saving import Saved
from astrarium.serve.sessions import PlaySession
from astrarium.serve.shapes import (
    Comparison,
    DeletedSession,
    NewSession,
    ResetOrder,
    SavedSession,
    Session,
    StepOrder,
)

router = APIRouter(prefix="/play/session", tags=["play"])

SessionId = Annotated[str, Path(pattern=r"^[A-Za-z0-9_-]{22}$")]
_WORTH_KEEPING: Final = 2
"""Steps of an episode that is saved without being asked."""
_log: Final = logging.getLogger(__name__)


@router.post("", responses=answers(Session, 400), response_class=Response, summary="Begin to play")
def create(asked: Asked, request: Request, body: NewSession | None = None) -> Response:
    """A new session at the beginning of an episode."""
    told = body or NewSession()
    session = asked.sessions.create(client_of(request.scope), told.world, told.seed, told.settings)
    return raw_json(session.view())


@router.get(
    "/{session_id}", responses=answers(Session, 400), response_class=Response, summary="A session"
)
def show(asked: Asked, session_id: SessionId) -> Response:
    """The session as it stands, such as after a page was loaded again."""
    session = asked.sessions.find(session_id)
    with session.held():
        return raw_json(session.view())


@router.post(
    "/{session_id}/reset",
    responses=answers(Session, 400, 409),
    response_class=Response,
    summary="Begin another episode",
)
def reset(asked: Asked, session_id: SessionId, body: ResetOrder | None = None) -> Response:
    """The episode of a seed, or the next one."""
    session = asked.sessions.find(session_id)
    with session.held():
        session.reset(None if body is None else body.seed)
        return raw_json(session.view())


@router.post(
    "/{session_id}/step",
    responses=answers(Session, 400, 409),
    response_class=Response,
    summary="Take a step",
)
def step(
    asked: Asked, session_id: SessionId, body: StepOrder, afterwards: BackgroundTasks
) -> Response:
    """Give the orders of one step; an illegal one does what the world's rules say."""
    session = asked.sessions.find(session_id)
    with session.held():
        session.step(body.action, asked.settings.session_steps_max)
        if session.over and asked.settings.save_finished and session.steps >= _WORTH_KEEPING:
            afterwards.add_task(_keep, asked, session)
        return raw_json(session.view())


@router.post(
    "/{session_id}/undo",
    responses=answers(Session, 400, 409),
    response_class=Response,
    summary="Take a step back",
)
def undo(asked: Asked, session_id: SessionId) -> Response:
    """The moment before the last step."""
    session = asked.sessions.find(session_id)
    with session.held():
        session.undo()
        return raw_json(session.view())


@router.delete(
    "/{session_id}",
    responses=answers(DeletedSession, 409),
    response_class=Response,
    summary="Stop playing",
)
def delete(asked: Asked, session_id: SessionId) -> Response:
    """The session as it was, now gone."""
    session = asked.sessions.delete(session_id)
    with session.held():
        last = session.view()
    session.close()
    return raw_json(last[:-1] + b',"deleted":true}')


@router.post(
    "/{session_id}/save",
    responses=answers(SavedSession, 409),
    response_class=Response,
    summary="Keep the episode",
)
async def save(asked: Asked, request: Request, session_id: SessionId) -> Response:
    """The episode so far as a replay tagged `human`, in a run of its own."""
    session = asked.sessions.find(session_id)
    client = client_of(request.scope)
    saved = await asked.saving.run(client, lambda: _save(asked, session))
    return json({"run_id": saved.run_id, "replay_id": saved.replay_id})


@router.get(
    "/{session_id}/outcome",
    responses=answers(Comparison, 409),
    response_class=Response,
    summary="Beside the others",
)
async def outcome(asked: Asked, request: Request, session_id: SessionId) -> Response:
    """The episode beside every bot and the best policy on the same seed and settings."""
    session = asked.sessions.find(session_id)

    def compare() -> Response:
        with session.held():
            you, seed = session.outcome(), session.seed
        players = asked.outcomes.players(session.entry, session.config, seed)
        return json({"you": you, "players": players})

    return await asked.comparing.run(client_of(request.scope), compare)


def _save(asked: Observatory, session: PlaySession) -> Saved:
    with session.held():
        try:
            return session.save(asked.root, asked.saves)
        except OSError as error:
            raise Problem(503, f"the episode cannot be written: {error.strerror}") from error


async def _keep(asked: Observatory, session: PlaySession) -> None:
    """What was played to its end is kept; failing at that is nothing the player can mend."""
    try:
        await asked.saving.run(session.client, lambda: _save(asked, session))
    except (Problem, AstrariumError) as error:
        _log.warning("a finished session was not saved: %s", error)
