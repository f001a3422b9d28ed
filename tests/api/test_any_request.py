"""Requests nobody thought of: whatever fits the published API, or does not, is answered in kind."""

import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)
from served_runs import write_run

from astrarium.serve.app import create_app
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
    outcome_seconds_max=0.2,
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
# One answers until its caller leaves; the other says that this app has no watcher, which is true.
schema = schemathesis.openapi.from_asgi("/api/v1/openapi.json", app, headers=HEADERS).exclude(
    path=["/api/v1/live", "/readyz"]
)


@pytest.fixture(scope="module", autouse=True)
def _runs() -> Iterator[None]:
    write_run(TOLD.runs_root, "run", windows=2, frames=20)
    yield
    shutil.rmtree(PLACE)


def _settings(examples: int) -> settings:
    return settings(
        max_examples=examples,
        deadline=None,
        phases=[Phase.explicit, Phase.generate],
        suppress_health_check=list(HealthCheck),
    )


@schema.parametrize()
@_settings(EXAMPLES)
def test_any_request_is_answered_as_published(case) -> None:
    case.call_and_validate(headers=HEADERS, checks=CHECKS)


@pytest.mark.long
@schema.parametrize()
@_settings(EXAMPLES_LONG)
def test_hundreds_of_requests_to_each_operation(case) -> None:
    case.call_and_validate(headers=HEADERS, checks=CHECKS)
