"""Lets the tests of this folder import the parts beside them, and spares them the disk."""

import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from astrarium.serve.app import create_app
from astrarium.serve.settings import Settings

sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(0, str(Path(__file__).parents[1] / "unit" / "serve"))

from served_runs import served


@pytest.fixture(autouse=True)
def _no_waiting_for_the_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "fsync", lambda handle: None)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return tmp_path / "runs"


@pytest.fixture
def settings(root: Path, tmp_path: Path) -> Settings:
    return Settings(
        runs_root=root,
        reports=tmp_path / "reports",
        wars=tmp_path / "wars",
        sweep_seconds=0.05,
    )


@pytest.fixture
def client(settings: Settings) -> Iterator[TestClient]:
    """The app in this process, as a browser on this machine meets it."""
    with TestClient(create_app(settings), base_url="http://localhost:8000") as client:
        yield client


@pytest.fixture
def asking(settings: Settings) -> Iterator[Callable[..., TestClient]]:
    """Clients of apps with other settings."""
    opened: list[TestClient] = []

    def ask(**changed: Any) -> TestClient:
        app = create_app(settings.model_copy(update=changed))
        client = TestClient(app, base_url="http://localhost:8000")
        opened.append(client.__enter__())
        return client

    yield ask
    for client in opened:
        client.__exit__(None, None, None)


@pytest.fixture
def address(settings: Settings) -> Iterator[str]:
    """A server with a socket of its own: `127.0.0.1:port`."""
    with served(settings) as address:
        yield address
