"""Figures in the docs: there, and of a commit that anybody can check out."""

from pathlib import Path

import pytest

from astrarium.bench.pages import END, begin

ROOT = Path(__file__).parents[2]
PAGES = {
    "docs/bench.md": "worlds",
    "docs/esper.md": "esper harness",
    "docs/morphospace.md": "fields",
    "docs/worlds/prospector.md": "game",
}


def faults_of(text: str, command: str) -> list[str]:
    """What is wrong with the tables of a command on a page."""
    _, mark, rest = text.partition(begin(command))
    tables, end, _ = rest.partition(END)
    if not mark or not end:
        return ["has no marks for its tables"]
    faults: list[str] = []
    if sum(any(sign.isdigit() for sign in line) for line in tables.splitlines()) < 2:
        faults.append(f"has no figures; run the command of {begin(command)} with --page")
    if "+dirty" in tables:
        faults.append("has figures of a tree that was never committed")
    return faults


@pytest.mark.parametrize("page", PAGES)
def test_a_page_has_figures_of_a_commit(page: str) -> None:
    assert faults_of((ROOT / page).read_text("utf-8"), PAGES[page]) == []


def test_missing_empty_and_dirty_tables_are_named() -> None:
    def page(tables: str) -> str:
        return f"before 1\n{begin('game')}\n{tables}\n{END}\nafter 2\n"

    assert faults_of(page("commit 12ab\n| hauler | 3 |"), "game") == []
    assert "no marks" in faults_of(page("| 1 |\n| 2 |"), "worlds")[0]
    assert "no marks" in faults_of(begin("game"), "game")[0]
    assert "no figures" in faults_of(page(""), "game")[0]
    assert "no figures" in faults_of(page("| player |\n| --- |"), "game")[0]
    assert "never committed" in faults_of(page("commit 12ab+dirty\n| 3 |"), "game")[0]
