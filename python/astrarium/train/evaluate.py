"""Policies judged on episodes that none of them was trained or chosen on.

Every player plays the same seeds, all episodes in one batch. Training draws its episodes' seeds by
hashing (64 bits, fixed by the run's seed), while evaluation names seeds outright, by default 7 to
1006: that the two meet has a chance of about one in 10¹⁰ for a run of a million episodes. The seeds
with which a run looks at its own checkpoints begin at 100,000 above its own seed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from astrarium.errors import ConfigError
from astrarium.train.contenders import Contender, check_comparable
from astrarium.train.intervals import (
    Interval,
    difference_interval,
    mean_interval,
    share_difference,
    share_interval,
)
from astrarium.worlds import WorldConfig, WorldEntry, ladder
from astrarium.worlds.registry import Yardstick

PROTOCOL: Final = ladder.Rules(episodes=1000, seed=7)
"""How policies are evaluated unless told otherwise."""
RETURN: Final = Yardstick("return_total")

Begin = Callable[[str], ladder.Progress | None]
"""Told before each player begins; gives back who is told of its steps."""


@dataclass(frozen=True, slots=True)
class Expectation:
    """What a trained policy should at least reach: a bot's figure, on the same episodes."""

    yardstick: Yardstick
    bot: str
    differences: Mapping[str, Interval]
    """By contender: its figure less the bot's."""
    overall: Interval
    """Of the only contender, or the mean over all: then the interval is over runs."""

    @property
    def passed(self) -> bool:
        """Whether the policies are not worse on average."""
        value = self.overall.value
        return value >= 0 if self.yardstick.higher_is_better else value <= 0

    def words(self) -> str:
        """What is expected, in words."""
        sign = "at least" if self.yardstick.higher_is_better else "at most"
        return f"{self.yardstick.stat} {sign} {self.bot}'s"


@dataclass(frozen=True, slots=True)
class Evaluation:
    """Contenders, then bots, on the same episodes."""

    entry: WorldEntry
    config: WorldConfig
    rules: ladder.Rules
    contenders: Mapping[str, Contender]
    records: Mapping[str, ladder.Record]

    @property
    def bots(self) -> list[str]:
        """The players besides the contenders."""
        return [name for name in self.records if name not in self.contenders]

    @property
    def yardsticks(self) -> tuple[Yardstick, ...]:
        """The return, then the world's own."""
        return (RETURN, *self.entry.yardsticks)

    def held_out(self) -> bool:
        """Whether no contender was chosen with the help of one of these episodes."""
        rules = self.rules
        return not any(one.has_seen(rules.seed, rules.episodes) for one in self.contenders.values())

    def figure(self, name: str, yardstick: Yardstick) -> Interval:
        """One figure of one player."""
        values = self.records[name].columns[yardstick.stat]
        return share_interval(values) if yardstick.is_share else mean_interval(values)

    def difference(self, ours: str, theirs: str, yardstick: Yardstick) -> Interval:
        """One player's figure less another's, episode by episode."""
        one, two = (self.records[name].columns[yardstick.stat] for name in (ours, theirs))
        return share_difference(one, two) if yardstick.is_share else difference_interval(one, two)

    def pairs(self) -> list[tuple[str, str]]:
        """Every comparison a reader may ask for: contenders with each other, then with bots."""
        names = list(self.contenders)
        among = [(one, two) for at, one in enumerate(names) for two in names[at + 1 :]]
        return among + [(one, bot) for one in names for bot in self.bots]

    def across_runs(self, yardstick: Yardstick) -> Interval:
        """The mean of the contenders' figures, with an interval for another run like these."""
        return mean_interval([self.figure(name, yardstick).value for name in self.contenders])

    def expectations(self) -> list[Expectation]:
        """What the world expects of trained policies, where the bot it names has played."""
        trained = [name for name, one in self.contenders.items() if not one.is_baseline]
        return [
            self._expectation(trained, yardstick, yardstick.at_least)
            for yardstick in self.entry.yardsticks
            if trained and yardstick.at_least is not None and yardstick.at_least in self.records
        ]

    def _expectation(self, trained: Sequence[str], yardstick: Yardstick, bot: str) -> Expectation:
        found = {name: self.difference(name, bot, yardstick) for name in trained}
        only = next(iter(found.values()))
        values = [one.value for one in found.values()]
        overall = only if len(found) == 1 else mean_interval(values)
        return Expectation(yardstick, bot, found, overall)

    def reasons(self) -> list[str]:
        """What was expected and not reached."""
        return [
            f"{one.words()}: short by {abs(one.overall.value):.6g}"
            for one in self.expectations()
            if not one.passed
        ]


def evaluate(
    contenders: Sequence[Contender],
    rules: ladder.Rules = PROTOCOL,
    *,
    versus: Sequence[str] | None = None,
    begin: Begin | None = None,
) -> Evaluation:
    """Play every contender and, on the same seeds, the world's bots.

    `versus` names the bots; None for all of them, an empty sequence to compare contenders only.
    """
    check_comparable(contenders)
    first = contenders[0]
    players: dict[str, ladder.Policy] = {one.name: one.policy for one in contenders}
    if versus is None or versus:
        players |= _bots(first.entry, versus)
    records = {
        name: ladder.play(
            first.entry, name, policy, rules, first.config, None if begin is None else begin(name)
        )
        for name, policy in players.items()
    }
    return Evaluation(
        first.entry, first.config, rules, {one.name: one for one in contenders}, records
    )


def _bots(entry: WorldEntry, names: Sequence[str] | None) -> Mapping[str, Any]:
    if names is not None and len(set(names)) != len(names):
        raise ConfigError(f"versus names a bot twice: {', '.join(names)}; name each once")
    return ladder.policies(entry, names)
