"""Players of an apprenticeship on the same unseen episodes, in the world as it is.

Stages may be paid otherwise than the world pays; all are judged as it does.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
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


def judge(plan: Plan, entry: WorldEntry, name: str, policy: ladder.Policy) -> Judged:
    """Play, unless it was played before: what came of it is kept."""
    place = plan.judged(name)
    if place.exists():
        return read(plan, place)
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
    write_json({"name": name, "rules": _rules(plan), "figures": figures}, place)
    return Judged(name, figures)


def read(plan: Plan, place: Path) -> Judged:
    """What was kept of a player."""
    known = read_json(place)
    if known.get("rules") != _rules(plan):
        raise ConfigError(
            f"{place} was judged on other episodes than these ({known.get('rules')}); "
            "take it away or give another root"
        )
    return Judged(known["name"], known["figures"])


def _rules(plan: Plan) -> dict[str, int]:
    return {"episodes": plan.rules.episodes, "seed": plan.rules.seed}


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
