"""Days: exact, whole or not at all, and a war that is one."""

from collections.abc import Sequence

import pytest
import stand_in

from astrarium.campaign import balance, chronicle
from astrarium.campaign.audit import LedgerError
from astrarium.campaign.day import Evening, live
from astrarium.campaign.plan import Plan
from astrarium.campaign.state import War, decode, encode
from astrarium.campaign.warring import rehearse
from astrarium.worlds.tidebreak.package import BattlePackage
from astrarium.worlds.tidebreak.result import BattleResult


def until_a_battle(plan: Plan, war: War) -> tuple[War, Evening]:
    """The war before its first battle, and the day of it."""
    for _ in range(200):
        evening = live(plan, war, stand_in.fight)
        if evening.battles:
            return war, evening
        war = evening.war
    raise AssertionError("two hundred days of peace")


def test_the_same_seed_gives_the_same_war(plan: Plan) -> None:
    first, again = (rehearse(plan, 5, 120, stand_in.fight) for _ in range(2))
    assert first.log_hash == again.log_hash
    assert encode(first) == encode(again)
    assert rehearse(plan, 6, 120, stand_in.fight).log_hash != first.log_hash


def test_a_year_has_battles_and_a_convoy_raid_and_adds_up_every_day(plan: Plan) -> None:
    """Reconciliation raises, so a year that ends has added up on all its days."""
    war = rehearse(plan, 1, 365, stand_in.fight)
    assert len(war.battles) >= 5
    assert any(battle.kind == "convoy" for battle in war.battles)
    assert war.ended_by


@pytest.mark.long
def test_a_year_in_the_arena_has_battles_and_a_raid_and_comes_out_the_same(plan: Plan) -> None:
    first, again = (rehearse(plan, 1, 365) for _ in range(2))
    assert first.log_hash == again.log_hash
    assert encode(first) == encode(again)
    assert first.ended_by
    assert balance.is_eventful(first)


def test_living_a_day_leaves_the_war_before_it_alone(plan: Plan, war: War) -> None:
    before = encode(war)
    evening = live(plan, war, stand_in.fight)
    assert encode(war) == before
    assert evening.war.day == war.day + 1


def test_a_stored_war_lives_on_as_one_never_stored(plan: Plan, war: War) -> None:
    stored = decode(encode(war))
    for _ in range(30):
        war = live(plan, war, stand_in.fight).war
        stored = decode(encode(live(plan, stored, stand_in.fight).war))
    assert encode(war) == encode(stored)


def broken(key: str, change: int) -> stand_in.Fight:
    """A stand-in whose first ship has somebody or something too many."""

    def fight(
        packages: Sequence[BattlePackage], controllers: Sequence[dict[str, str]]
    ) -> list[BattleResult]:
        values = [stand_in.outcome(package) for package in packages]
        part, _, name = key.partition(".")
        values[0]["ships"][0][part][name] += change
        return [BattleResult.model_validate(one) for one in values]

    return fight


@pytest.mark.parametrize(
    ("key", "rule"), [("crew.killed", "K2"), ("marines.fit", "K2"), ("fuel.burned", "K4")]
)
def test_a_result_that_breaks_the_ledger_leaves_the_day_unlived(
    plan: Plan, war: War, key: str, rule: str
) -> None:
    before, _ = until_a_battle(plan, war)
    kept = encode(before)
    with pytest.raises(LedgerError, match=rf"battle d\d+-.*: [AD]\d+: {rule}: "):
        live(plan, before, broken(key, 1))
    assert encode(before) == kept


def test_a_ship_that_does_not_come_back_is_named(plan: Plan, war: War) -> None:
    before, evening = until_a_battle(plan, war)
    missing = evening.battles[0].package.ships[0].ship_id

    def fight(packages: Sequence[BattlePackage], _: object) -> list[BattleResult]:
        values = [stand_in.outcome(package) for package in packages]
        values[0]["ships"] = [one for one in values[0]["ships"] if one["ship_id"] != missing]
        return [BattleResult.model_validate(one) for one in values]

    with pytest.raises(LedgerError, match=f"K1: ships out are not ships in: {missing}"):
        live(plan, before, fight)


def test_a_result_of_another_battle_is_refused(plan: Plan, war: War) -> None:
    before, _ = until_a_battle(plan, war)

    def fight(packages: Sequence[BattlePackage], _: object) -> list[BattleResult]:
        values = [{**stand_in.outcome(package), "seed": 12345} for package in packages]
        return [BattleResult.model_validate(one) for one in values]

    with pytest.raises(LedgerError, match="K7"):
        live(plan, before, fight)


def test_battles_are_seeded_by_war_day_and_place(plan: Plan, war: War) -> None:
    before, evening = until_a_battle(plan, war)
    again = live(plan, before, stand_in.fight)
    assert [b.package.seed for b in again.battles] == [b.package.seed for b in evening.battles]
    other = before.copy()
    other.seed += 1
    seeds = {battle.package.seed for battle in live(plan, other, stand_in.fight).battles}
    assert seeds.isdisjoint(battle.package.seed for battle in evening.battles)


def test_the_log_hash_covers_every_line() -> None:
    whole = chronicle.chained("", b"one\ntwo\n")
    assert chronicle.chained("", b"one\nTwo\n") != whole
    assert chronicle.chained(chronicle.chained("", b"one\n"), b"two\n") != chronicle.chained(
        chronicle.chained("", b"two\n"), b"one\n"
    )
