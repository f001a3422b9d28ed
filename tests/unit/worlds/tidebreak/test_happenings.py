"""What a watched battle tells, where one battle ends and the next begins in the same step."""

from __future__ import annotations

from typing import Any

from astrarium import worlds


def told(autoreset: Any, steps: int) -> list[list[dict[str, Any]]]:
    """Happenings of each step of two captains who do nothing."""
    world = worlds.make_vec("tidebreak-v1", 1, side="both", decision_ticks=10, autoreset=autoreset)
    world.reset_with_seeds([3])
    world.watch(0)
    heard = list[list[dict[str, Any]]]()
    for _ in range(steps):
        world.actions[:] = 0
        world.step()
        heard.append(world.happenings(0))
    return heard


def test_the_last_step_of_a_battle_is_told_where_the_next_one_begins_with_it() -> None:
    alone, followed = told("disabled", 60), told("same_step", 61)
    assert alone[-1][-1]["kind"] == "battle_ended"
    assert followed[:60] == alone
    assert all(one["kind"] != "battle_ended" for one in followed[60])
