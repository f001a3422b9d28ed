"""An episode written out: what every agent sees, may do, does and gets, tick after tick."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from typing import Final

from astrarium.errors import EpisodeOverError
from astrarium.playthroughs.players import player_of
from astrarium.playthroughs.scenario import Scenario
from astrarium.playthroughs.wording import listed, number, signed, summary, wrapped
from astrarium.worlds import VectorWorld, WorldEntry, parse_config

FORMAT: Final = 1


def header(entry: WorldEntry, scenario: Scenario) -> Iterator[str]:
    """What is played, and how."""
    yield (f"world {entry.id}   scenario {scenario.name}   seed {scenario.seed}   format {FORMAT}")
    yield f"about   {scenario.about}"
    settings = parse_config(entry.config, scenario.config, where=entry.id)
    yield from wrapped("config", (f"{key} {value}" for key, value in settings))
    yield f"orders  {scenario.player}"


def body(entry: WorldEntry, scenario: Scenario) -> Iterator[str]:
    """The episode, from its first view to its end or to the scenario's last step."""
    settings = parse_config(entry.config, scenario.config, where=entry.id)
    world = entry.make(settings, 1, 1, "disabled")
    world.reset_with_seeds([scenario.seed])
    player = player_of(entry, scenario)
    writer = Writer(entry, world)
    yield from writer.tick(0)
    for step in range(scenario.steps):
        actions = player(step, world)
        try:
            world.step(actions)
        except EpisodeOverError:
            # The batch itself knows best whether the episode is over: agents may end one by one.
            yield f"# over after {step} steps"
            break
        yield from writer.orders(actions.tolist()[0], world.controls.tolist()[0])
        yield from writer.tick(step + 1)
    else:
        yield f"# left after {scenario.steps} steps"
    yield from wrapped("stats", writer.stats())


class Writer:
    """Puts a batch of one world into words, leaving out what did not change."""

    def __init__(self, entry: WorldEntry, world: VectorWorld) -> None:
        self._entry = entry
        self._world = world
        agents = len(entry.agent_names)
        self._shown: list[dict[str, str]] = [dict.fromkeys(entry.obs_names, "0")] * agents
        self._legal: list[list[str]] = [[]] * agents
        self._alive = ""

    def tick(self, tick: int) -> Iterator[str]:
        """What the last step produced and what there is to see now."""
        world = self._world
        view = zlib.crc32(world.obs.tobytes() + world.mask.tobytes())
        line = f"# tick {tick}   digest {int(world.digests()[0]):016x}   view {view:08x}"
        alive = " ".join(
            name for at, name in enumerate(self._entry.agent_names) if world.alive[0, at]
        )
        if alive != self._alive:
            line += f"   alive {alive or 'nobody'}"
            self._alive = alive
        yield line
        for agent, name in enumerate(self._entry.agent_names):
            yield from self._produced(agent, name)
        for agent, name in enumerate(self._entry.agent_names):
            yield from self._sees(agent, name)

    def orders(self, actions: list[list[int]], controls: list[list[float]]) -> Iterator[str]:
        """What each agent was told to do."""
        words = (
            f"{name}={','.join((*self._choices(row), *self._positions(levers)))}"
            for name, row, levers in zip(self._entry.agent_names, actions, controls, strict=True)
        )
        yield from wrapped("# orders", words)

    def stats(self) -> Iterator[str]:
        """The episode's figures so far."""
        names = self._world.layout.stats
        for name, value in zip(names, self._world.stats[0].tolist(), strict=True):
            yield f"{name} {number(value)}"

    def _choices(self, row: list[int]) -> Iterator[str]:
        for names, index in zip(self._entry.action_names, row, strict=True):
            yield names[index] if 0 <= index < len(names) else f"no_such_choice({index})"

    def _positions(self, levers: list[float]) -> Iterator[str]:
        # A world need not name its controls.
        names = self._entry.control_names or tuple(f"control_{n}" for n in range(len(levers)))
        for name, position in zip(names, levers, strict=True):
            yield f"{name} {signed(position)}"

    def _produced(self, agent: int, name: str) -> Iterator[str]:
        world = self._world
        bits = int(world.events[0, agent])
        fired = [event for at, event in enumerate(world.layout.events) if bits >> at & 1]
        if fired:
            yield from wrapped(f"event   {name}", fired)
        terms = zip(world.layout.terms, world.terms[0, agent].tolist(), strict=True)
        words = [f"{term} {signed(value)}" for term, value in terms if value]
        if words:
            total = signed(float(world.reward[0, agent]))
            yield from wrapped(f"reward  {name} {total}", (f"({' '.join(words)})",))
        for field in ("terminated", "truncated"):
            if getattr(world, field)[0, agent]:
                yield f"ending  {name} {field}"

    def _sees(self, agent: int, name: str) -> Iterator[str]:
        values = map(number, self._world.obs[0, agent].tolist())
        shown = dict(zip(self._entry.obs_names, values, strict=True))
        before = self._shown[agent]
        changed = [(key, value) for key, value in shown.items() if value != before[key]]
        self._shown[agent] = shown
        if changed:
            yield from listed(f"{name}   observe", changed)
        legal = self._legal_words(agent)
        if legal != self._legal[agent]:
            self._legal[agent] = legal
            yield from wrapped(f"{name}   legal", legal)

    def _legal_words(self, agent: int) -> list[str]:
        """Names of the legal choices; a stroke stands between two heads."""
        words: list[str] = []
        first = 0
        for head, names in enumerate(self._entry.action_names):
            mask = self._world.mask[0, agent, first : first + len(names)]
            first += len(names)
            words += ["/"] if head else []
            words += summary(name for name, legal in zip(names, mask, strict=True) if legal)
        return words
