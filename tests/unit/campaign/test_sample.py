"""The war in the docs is one that is still fought so."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from astrarium.campaign import chronicle
from astrarium.campaign.plan import Plan
from astrarium.campaign.warring import new_war, wage
from astrarium.runs import documents

SAMPLE = Path(__file__).parents[3] / "docs" / "samples" / "war"


def test_the_sample_war_of_the_docs_is_of_these_rules(plan: Plan, tmp_path: Path) -> None:
    """Readers are built on it; docs/campaign.md says how it is made anew."""
    kept = documents.read(SAMPLE / "war.json", dict[str, Any])
    folder = new_war(tmp_path / "seed-4", plan, kept["seed"], kept["days"])
    wage(folder, runs=tmp_path / "runs")
    again = documents.read(folder.path / "war.json", dict[str, Any])
    assert again["log_hash"] == kept["log_hash"]
    assert again == kept
    assert (folder.path / "days.jsonl").read_bytes() == (SAMPLE / "days.jsonl").read_bytes()
    assert kept["format"] == chronicle.FORMAT
