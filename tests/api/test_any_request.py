"""Requests nobody thought of: whatever fits the published API, or does not, is answered in kind."""

import importlib
import os
import shutil
import tempfile
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import schemathesis
from grown_runs import episode_lines, lines_of, started, tell
from hypothesis import HealthCheck, Phase, settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)
from served_runs import write_run

from astrarium.serve.app import create_app
from astrarium.serve.live import Live
from astrarium.serve.settings import Settings
from astrarium.serve.wandb_proxy import WandbProxy

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
]
EXAMPLES, EXAMPLES_LONG = 30, 500
HEADERS = {"host": "localhost"}

PLACE = Path(tempfile.gettempdir()) / f"astrarium-any-request-{os.getpid()}"
TOLD = Settings(
    runs_root=PLACE / "runs",
    reports=PLACE / "reports",
    requests_per_second=0,
    sessions_max=8,
    outcome_seconds_max=0.02,
    human_runs_max=5,
    wandb_key="k",
    wandb_entity="me",
    wandb_project="belt",
)


def _wandb(key: str) -> Any:
    """Weights & Biases with one run, without a network."""
    run = SimpleNamespace(id="a", name="a", state="finished", url="", summary={}, config={})
    run.history = lambda **told: [{"_step": 1}]
    return SimpleNamespace(runs=lambda *path, **told: [run], run=lambda path: run)


app = create_app(TOLD)
app.state.observatory.wandb = WandbProxy(TOLD, _wandb)
schema = schemathesis.openapi.from_asgi("/api/v1/openapi.json", app, headers=HEADERS)


@schema.hook
def map_path_parameters(
    context: schemathesis.HookContext, path_parameters: dict[str, Any] | None
) -> dict[str, Any] | None:
    """Half of what is asked for is there: behind an unknown id nothing else is tried."""
    told = dict(path_parameters or {})
    if sum(map(len, map(str, told.values()))) % 2:
        return path_parameters
    for name, real in (("run_id", _run), ("replay_id", _replay), ("session_id", _session)):
        if name in told:
            told[name] = real()
    if "episode" in told:
        told |= {"env": 1, "episode": 0}
    return told


def _run() -> str:
    return "run"


def _replay() -> str:
    return app.state.observatory.catalogue.find("run").entries[0].replay_id


def _session() -> str:
    """One that is open, since an earlier example may have ended it."""
    sessions = app.state.observatory.sessions
    if not len(sessions):
        sessions.create("testclient", "prospector-v2", 7, {})
    return next(iter(sessions._held))


async def _welcome_only(live: Live, last_id: str | None) -> AsyncIterator[bytes]:
    """News without end would be waited for; their beginning is where the caller has a say."""
    for event in live._welcome(last_id):
        yield event


@pytest.fixture(scope="module", autouse=True)
def _at_work() -> Iterator[None]:
    """Runs to ask for. The app is started and stopped with each test, as a server would."""
    # Outcomes load it, which on a busy machine takes longer than a request may.
    importlib.import_module("torch")
    write_run(TOLD.runs_root, "run", windows=2, frames=20)
    tell(TOLD.runs_root / "run", lines_of([started()], 0, 0) + episode_lines(0, epochs=3))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Live, "listen", _welcome_only)
        yield
    shutil.rmtree(PLACE)


def _settings(examples: int) -> settings:
    return settings(
        max_examples=examples,
        deadline=None,
        phases=[Phase.explicit, Phase.generate],
        suppress_health_check=list(HealthCheck),
    )


def test_no_operation_is_left_out() -> None:
    asked = {(one.ok().method.upper(), one.ok().path) for one in schema.get_all_operations()}
    published = app.openapi()["paths"]
    assert asked == {(how.upper(), path) for path, hows in published.items() for how in hows}


@schema.parametrize()
@_settings(EXAMPLES)
def test_any_request_is_answered_as_published(case) -> None:
    case.call_and_validate(headers=HEADERS, checks=CHECKS)


@pytest.mark.long
@pytest.mark.timeout(1800)
@schema.parametrize()
@_settings(EXAMPLES_LONG)
def test_hundreds_of_requests_to_each_operation(case) -> None:
    case.call_and_validate(headers=HEADERS, checks=CHECKS)
