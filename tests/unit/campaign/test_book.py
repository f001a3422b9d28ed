"""Whatever changes behind the book's back is found, by account and item."""

import pytest

from astrarium.campaign.book import PEOPLE, USED, ReconciliationError
from astrarium.campaign.today import Today


def test_a_day_without_events_adds_up(today: Today) -> None:
    today.book.reconcile()


def test_movements_in_the_book_add_up(today: Today) -> None:
    today.book.move("food", 12.5, "node r0", "ship A001")
    today.book.move("fuel", 3.0, "ship A001", USED)
    today.book.reconcile()


def test_a_store_changed_in_secret_is_named(today: Today) -> None:
    today.war.nodes["r0"].stores["food"] -= 1e-3
    with pytest.raises(ReconciliationError, match=r"node r0 holds .* food, the book says"):
        today.book.reconcile()


def test_one_person_too_few_is_noticed(today: Today) -> None:
    today.war.nodes["r4"].population -= 1
    with pytest.raises(ReconciliationError, match="node r4 holds 9999 people"):
        today.book.reconcile()


def test_people_do_not_appear_by_a_balanced_entry(today: Today) -> None:
    """An entry from nowhere matches its account; the count of all people does not."""
    today.book.enter(PEOPLE, 5, "made", "node r4")
    today.war.nodes["r4"].population += 5
    with pytest.raises(ReconciliationError, match="people living and dead"):
        today.book.reconcile()


def test_a_hull_that_vanishes_is_noticed(today: Today) -> None:
    ship = today.war.ships["A002"]
    today.book.enter(PEOPLE, ship.people, "ship A002", "node r0")
    today.war.nodes["r0"].population += ship.people
    for resource, amount in dict(ship.stores).items():
        today.book.move(resource, amount, "ship A002", USED)
    del today.war.ships["A002"]
    with pytest.raises(ReconciliationError, match=r"faction accord holds .* hulls"):
        today.book.reconcile()


def test_no_more_moves_than_there_is(today: Today) -> None:
    have = today.war.nodes["r0"].stores["water"]
    assert today.book.move("water", have * 2, "node r0", USED) == have
    assert today.war.nodes["r0"].stores["water"] == 0.0
    today.book.reconcile()


def test_less_than_nothing_cannot_move(today: Today) -> None:
    with pytest.raises(ReconciliationError, match="cannot move"):
        today.book.enter("food", -1.0, "node r0", USED)
