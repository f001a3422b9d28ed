"""Players of an apprenticeship on the same unseen episodes, in the world as it is.

Stages may be paid otherwise than the world pays; all are judged as it does.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from astrarium.errors import ConfigError
from astrarium.train.apprentice.keeping import read_json, write_json
from astrarium.train.apprentice.plan import Plan
from astrarium.train.intervals import Interval, difference_interval, mean_interval
from astrarium.worlds import WorldEntry, ladder, parse_config

RETURN: Final = "return_total"
_ALSO: Final = ("exits", "late_starts", "missed_shifts")
"""Final stats told beside the figures, where a world has them."""


@dataclass(frozen=True, slots=True)
class Judged:
    """A player's figures, an entry for each episode."""

    name: str
    figures: Mapping[str, Sequence[float]]

    def mean(self, figure: str) -> float:
        """Over its episodes."""
        return float(np.mean(self.figures[figure]))


def is_judged(plan: Plan, name: str) -> bool:
    """Whether a player has been judged; if on other episodes, that is an error."""
    place = plan.judged(name)
    if not place.exists():
        return False
    rules = read_json(place).get("rules")
    if rules != rules_of(plan):
        raise ConfigError(
            f"{place} was judged on other episodes than these ({rules}); "
            "take it away or give another root"
        )
    return True


def rules_of(plan: Plan) -> dict[str, int]:
    """On which episodes players are judged, as it is kept."""
    return {"episodes": plan.rules.episodes, "seed": plan.rules.seed}


def judge(plan: Plan, entry: WorldEntry, name: str, policy: ladder.Policy) -> None:
    """Play, and keep what came of it."""
    config = parse_config(entry.config, plan.settings, where=entry.id)
    layout = entry.make(config, 1, 1, "same_step").layout
    onlooker = None
    if entry.onlooker is not None:
        onlooker = entry.onlooker(config, layout, plan.rules.episodes)
    record = ladder.play(entry, name, policy, plan.rules, config, watch=onlooker)
    seen = {} if onlooker is None else onlooker.columns()
    told = [stat for stat in _ALSO if stat in record.columns]
    columns = {RETURN: record.columns[RETURN], **seen}
    columns |= {stat: record.columns[stat] for stat in told}
    figures = {key: [float(one) for one in values] for key, values in columns.items()}
    content = {"name": name, "rules": rules_of(plan), "figures": figures}
    write_json(content, plan.judged(name))


def judged(plan: Plan, name: str) -> Judged:
    """What was kept of a player."""
    known = read_json(plan.judged(name))
    return Judged(known["name"], known["figures"])


def figures_of(judged: Judged) -> list[str]:
    """What counts: the return, then the world's own figures."""
    return [name for name in judged.figures if name not in _ALSO]


def across(apprentices: Sequence[Judged], figure: str) -> Interval:
    """The mean over apprentices, with an interval for another one like these."""
    return mean_interval([one.mean(figure) for one in apprentices])


def ahead(apprentices: Sequence[Judged], other: Judged, figure: str) -> Interval:
    """How far apprentices are ahead of another player, episode by episode, over apprentices."""
    theirs = other.figures[figure]
    each = [difference_interval(one.figures[figure], theirs).value for one in apprentices]
    return mean_interval(each)
