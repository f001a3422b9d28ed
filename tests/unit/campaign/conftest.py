"""A war to try things on, and the stand-in that fights its battles."""

import sys
from pathlib import Path

import pytest

from astrarium.campaign.beginning import begin
from astrarium.campaign.plan import Plan, load
from astrarium.campaign.state import War
from astrarium.campaign.today import Today, opened

# The stand-in lies beside the tests and is imported by them.
sys.path.insert(0, str(Path(__file__).parent))


@pytest.fixture(scope="session")
def plan() -> Plan:
    return load()


@pytest.fixture
def war(plan: Plan) -> War:
    return begin(plan, seed=7)


@pytest.fixture
def today(plan: Plan, war: War) -> Today:
    """The first day, before anything has happened."""
    return opened(plan, war)
