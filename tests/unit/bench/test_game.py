"""The judge of the game: its figures, its bars, and the page it writes."""

import dataclasses

import pytest

from astrarium.bench import game, game_page, loop_search, pages
from astrarium.bench.report import ReportError

SMALL = game.Plan(
    episodes=4, search=loop_search.Search(loops=32, generations=2, seeds=2, fresh_seeds=8, ticks=60)
)


@pytest.fixture(scope="module")
def report():
    return game.measure(SMALL, lambda _: None)


def test_rank_correlation() -> None:
    assert game.spearman([1, 2, 3, 4], [10, 20, 30, 40]) == pytest.approx(1)
    assert game.spearman([1, 2, 3, 4], [4, 3, 2, 1]) == pytest.approx(-1)
    assert game.spearman([1, 1, 2], [5, 5, 9]) == pytest.approx(1)
    assert game.spearman([1, 2, 3, 4, 5], [2, 1, 4, 3, 5]) == pytest.approx(0.8)


def test_a_bad_game_is_told_what_is_wrong() -> None:
    good = {
        "spearman_return_profit": 1.0,
        "survival_careful": 0.99,
        "ceiling_over_best": 2.1,
        "loop_share_of_careful": 0.1,
        "unearned_return": 0.0,
    }
    assert game.shortfalls(good) == []
    bad = {
        "spearman_return_profit": 0.2,
        "survival_careful": 0.1,
        "ceiling_over_best": 1.1,
        "loop_share_of_careful": 0.9,
        "unearned_return": 1.0,
    }
    for key, value in bad.items():
        (reason,) = game.shortfalls({**good, key: value})
        assert any(word in reason for word in (key, "blind loop", "more than its profit"))


def test_the_search_would_notice_unearned_return() -> None:
    """Version 1 pays for its worth nowhere: there return and profit part company."""
    plan = loop_search.Search(loops=64, generations=1, seeds=2, fresh_seeds=8, ticks=80)
    found = loop_search.search("prospector-v1", plan)
    assert found.unearned_return != pytest.approx(0, abs=1e-6)
    assert loop_search.search("prospector-v2", plan).unearned_return <= 1e-3


def test_the_page_keeps_everything_but_the_tables(report, tmp_path) -> None:
    page = tmp_path / "page.md"
    page.write_text(f"before\n{pages.begin('game')}\nold\n{pages.END}\nafter\n")
    pages.fill(page, "game", game_page.tables(report), "0123456789ab+dirty")
    text = page.read_text()
    assert text.startswith("before\n")
    assert text.endswith("after\n")
    assert "old" not in text
    assert "| hauler |" in text
    pages.fill(page, "game", game_page.tables(report), "0123456789ab")
    assert page.read_text() == text


def test_figures_of_no_commit_are_not_published_in_the_repository(tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(pages, "source_tree", lambda: tmp_path)
    page = tmp_path / "page.md"
    page.write_text(f"{pages.begin('game')}\n{pages.END}\n")
    before = page.read_text()
    for publish in (
        lambda: pages.check(page, "game", "0123456789ab+dirty"),
        lambda: pages.fill(page, "game", "tables", "0123456789ab+dirty"),
    ):
        with pytest.raises(ReportError, match="commit first"):
            publish()
    assert page.read_text() == before
    pages.check(page, "game", "0123456789ab")
    pages.fill(page, "game", "tables", "0123456789ab")
    assert "tables\n" in page.read_text()


def test_the_ceiling_is_held_against_the_hauler_with_its_best_habits() -> None:
    def row(value: float) -> dict[str, float]:
        figures = ("return_mean", "net_profit_mean", "dt_mean", "survival_rate")
        return dict.fromkeys(figures, value)

    players = {"planner": row(60), "hauler": row(20), "greedy_miner": row(1)}
    found = loop_search.Found(
        best_loop=(),
        best_return_searching=0.0,
        best_return=0.0,
        best_profit=0.0,
        unearned_return=0.0,
        ticks=1.0,
        episodes=1,
    )
    habits = {"as it is": row(20), "never cools": row(2)}
    assert game.figures(players, habits, found)["ceiling_over_best"] == 3
    habits["never scans"] = row(30)
    assert game.figures(players, habits, found)["ceiling_over_best"] == 2
    assert game.figures(players, {"never cools": row(2)}, found)["ceiling_over_best"] == 3


def test_a_page_without_marks_is_refused(tmp_path) -> None:
    page = tmp_path / "page.md"
    page.write_text("nothing here")
    with pytest.raises(ReportError, match="no place for the tables"):
        pages.fill(page, "game", "tables", "none")
    assert page.read_text() == "nothing here"
    with pytest.raises(ReportError, match="cannot read"):
        pages.fill(tmp_path / "missing.md", "game", "tables", "none")
    page.write_bytes(b"\xff")
    with pytest.raises(ReportError, match="not UTF-8"):
        pages.check(page, "game", "none")


def test_the_report_can_be_written(report, tmp_path) -> None:
    path = report.write(tmp_path / "game.json")
    assert path.stat().st_size > 0
    assert dataclasses.asdict(SMALL)["episodes"] == report.config["episodes"]
