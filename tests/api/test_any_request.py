"""Requests nobody thought of: whatever fits the published API, or does not, is answered in kind."""

from pathlib import Path

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

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
]
EXAMPLES, EXAMPLES_LONG = 30, 500
HEADERS = {"host": "localhost"}


@pytest.fixture
def api(tmp_path: Path):
    root = tmp_path / "runs"
    write_run(root, "run", windows=2, frames=20)
    told = Settings(
        runs_root=root,
        reports=tmp_path / "reports",
        requests_per_second=0,
        sessions_max=8,
        outcome_seconds_max=0.2,
        human_runs_max=5,
    )
    return schemathesis.openapi.from_asgi("/api/v1/openapi.json", create_app(told), headers=HEADERS)


schema = schemathesis.pytest.from_fixture("api").exclude(path="/api/v1/live")


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
