"""Players of an apprenticeship in a world of two sides: judged by the games they win."""

from __future__ import annotations

from astrarium.train.apprentice.judging import rules_of
from astrarium.train.apprentice.keeping import read_json, write_json
from astrarium.train.apprentice.plan import Plan
from astrarium.train.duels import Meeting, tournament
from astrarium.worlds import WorldEntry, ladder


def fight(plan: Plan, entry: WorldEntry, name: str, policy: ladder.Policy) -> None:
    """Meet every one of the world's own players, and keep what came of it."""
    found = tournament(
        entry,
        plan.settings,
        {name: policy},
        list(entry.oracles),
        games=plan.rules.episodes,
        seed=plan.rules.seed,
        threads=plan.threads,
    )
    meetings = [one.as_dict() for one in found]
    content = {"name": name, "rules": rules_of(plan), "meetings": meetings}
    write_json(content, plan.judged(name))


def fought(plan: Plan, name: str) -> list[Meeting]:
    """What was kept of a player."""
    return [Meeting.from_dict(one) for one in read_json(plan.judged(name))["meetings"]]
