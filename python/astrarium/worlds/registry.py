"""Every world by name: found, not listed.

A world is known when a subpackage of `astrarium.worlds` has it in its `WORLDS`, when an installed
package names such a tuple under the entry point group `astrarium.worlds`, or when a program
registers it. Nothing is looked for before the first question.
"""

from __future__ import annotations

import importlib
import importlib.metadata
import logging
import pkgutil
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final, Literal, NamedTuple, Protocol, get_args

import numpy as np
import numpy.typing as npt
import pydantic

from astrarium.errors import ConfigError, DuplicateWorldError, UnknownWorldError, did_you_mean
from astrarium.worlds import arguments
from astrarium.worlds.capturing import Capturing
from astrarium.worlds.config import WorldConfig, config_with_fields
from astrarium.worlds.frames import FrameState, plain_state
from astrarium.worlds.presentation import Presentation
from astrarium.worlds.vector import Actions, Autoreset, Flags, Floats, Layout, VectorWorld

ENTRY_POINTS: Final = "astrarium.worlds"
"""The entry point group of users' packages; each entry is a tuple of `WorldEntry`."""

Implementation = Literal["native", "reference", "auto"]
"""Which program computes a world: the native core, or a readable reference in Python."""

Bot = Callable[[Floats, Flags], Actions | Floats]
"""From `obs` (n, m, D) and `mask` (n, m, K) to actions (n, m, H); in a world without heads to
controls (n, m, C)."""


def _no_bots() -> dict[str, Bot]:
    return {}


def _no_oracles() -> dict[str, Callable[[VectorWorld], Bot]]:
    return {}


def _no_outcomes() -> dict[str, str]:
    return {}


def _no_ratios() -> dict[str, tuple[str, str]]:
    return {}


@dataclass(frozen=True, slots=True)
class Yardstick:
    """A final figure of an episode by which players are compared."""

    stat: str
    higher_is_better: bool = True
    is_share: bool = False
    """Whether it is 0 or 1 in each episode, so that its mean is a share of them."""
    at_least: str | None = None
    """The bot that a trained policy is expected to equal in it."""


class Onlooker(Protocol):
    """Shown every step of a batch of episodes, it knows figures that no final stat tells."""

    def __call__(
        self, world: VectorWorld, running: npt.NDArray[np.intp], places: npt.NDArray[np.intp]
    ) -> None:
        """Look at a step; see `ladder.Watch`."""
        ...

    def columns(self) -> dict[str, npt.NDArray[Any]]:
        """By figure, more being better: one entry for each episode."""
        ...


@dataclass(frozen=True, slots=True)
class Schooling:
    """How a world's apprentices are brought up; see `train.apprentice`."""

    teacher: str
    """The player that is captured and cloned unless another is named."""
    captured: int = 6
    """Episodes of the teacher."""
    captured_steps: int = 10_000
    """Steps after which such an episode is left."""
    lesson: Mapping[str, Any] = field(default_factory=dict[str, Any])
    """Settings of those episodes that differ from the world everybody is judged in."""
    stage_settings: tuple[str, ...] = ()
    """Settings that a stage may have for itself, dotted; all others are the same in all stages."""
    accuracy_min: float = 0.90
    """Share of held-out decisions in which a clone must choose as its teacher."""
    value_miss_max: float = 0.05
    """Mean squared miss of its values on them, at most."""
    value_explained_min: float = 0.1
    """Part of the variance of returns that its values must explain more than."""


@dataclass(frozen=True, slots=True)
class Names:
    """What the parts of a world are called under some settings."""

    action_names: tuple[tuple[str, ...], ...]
    obs_names: tuple[str, ...]
    agent_names: tuple[str, ...]
    control_names: tuple[str, ...] = ()


class ReadySettings(NamedTuple):
    """Settings that somebody wrote down before, and the seed they were meant for."""

    config: WorldConfig
    seed: int


@dataclass(frozen=True, slots=True)
class WorldEntry:
    """What there is to know about a world before making one."""

    id: str
    """The name with its version, such as `lanterns-v1`."""
    title: str
    summary: str
    config: type[WorldConfig]
    make: Callable[[Any, int, int, Autoreset], VectorWorld]
    """From a config of that type, the number of worlds, threads and the autoreset mode."""
    action_names: tuple[tuple[str, ...], ...]
    """A name for each choice of each head."""
    obs_names: tuple[str, ...]
    """A name for each float of an observation."""
    agent_names: tuple[str, ...]
    """A name for each agent slot."""
    reference: Callable[[Any, int, int, Autoreset], VectorWorld] | None = None
    """As `make`, for a second implementation that equals it to the bit, where there is one."""
    person_names: tuple[str, ...] = ()
    """Where slots change hands within an episode: a name for every person that may come, in order.
    Nobody takes over another's; who comes after the last one cuts the episode short."""
    control_names: tuple[str, ...] = ()
    """A name for each continuous control."""
    bots: Mapping[str, Bot] = field(default_factory=_no_bots)
    """Scripted players, for comparison."""
    oracles: Mapping[str, Callable[[VectorWorld], Bot]] = field(default_factory=_no_oracles)
    """Players made for the episodes a batch is in, such as those that keep a memory."""
    sees_hidden: frozenset[str] = frozenset()
    """The players among them that see the hidden state: ceilings."""
    outcomes: Mapping[str, str] = field(default_factory=_no_outcomes)
    """Names of a training window's figures, and the stats whose final values they are means of."""
    counts: tuple[str, ...] = ()
    """Stats that count what happened in the episode so far and only grow; the others are levels."""
    ratios: Mapping[str, tuple[str, str]] = field(default_factory=_no_ratios)
    """Stats that are one count by another, both of the episode so far: by name, which by which."""
    day_steps: Callable[[Any], int] | None = None
    """Steps of a day under some settings, where the hour says what there is to earn."""
    yardsticks: tuple[Yardstick, ...] = ()
    """What players are compared by, besides their returns."""
    onlooker: Callable[[Any, Layout, int], Onlooker] | None = None
    """Made for a config, a layout and a number of episodes, where final stats do not tell all that
    players are to be judged by."""
    schooling: Schooling | None = None
    """Where apprentices are brought up in it without anybody being told how."""
    duels: Mapping[str, float] = field(default_factory=dict[str, float])
    """In worlds of two sides, whose settings say which is played (`side`) and against whom
    (`opponent`): the share of games that a trained policy is to win against some opponents."""
    frame_state: FrameState = plain_state
    """What a viewer is shown of one world after a step."""
    peaceful_endings: tuple[str, ...] = ()
    """Events of an agent that left of its own will; viewers draw other endings as losses."""
    player_view: Callable[[Mapping[str, Any], str], dict[str, Any]] | None = None
    """From the state that a frame shows to what of it the agent of a name may know, where worlds
    are drawn from the inside and not everybody knows everything."""
    presentation: Presentation = field(default_factory=Presentation)
    """How it introduces itself to people."""
    layout: Layout | None = None
    """Of its batches, whatever their config, where making one just to ask would be slow or could
    fail for want of data."""
    portable: bool = True
    """Whether every machine computes the same bits, so that transcripts can be committed."""
    capturing: Capturing = field(default_factory=Capturing)
    """What captures of its teachers are to show."""
    names_under: Callable[[Any], Names] | None = None
    """The names under some settings, where those above only hold for the default ones."""
    ready_settings: Callable[[str], ReadySettings] | None = None
    """Where the world comes with settings by name, or reads files of a kind of its own: what is
    meant by a name or a path. Raises a `ConfigError` that tells the names there are."""

    @property
    def is_reference(self) -> bool:
        """Whether `make` is that of the reference."""
        return self.make is self.reference

    def implemented(self, implementation: Implementation) -> WorldEntry:
        """Return this world with `make` for the implementation asked for; `auto` is native."""
        if implementation not in get_args(Implementation):
            raise ConfigError(
                f"implementation is {implementation!r} "
                f"(allowed: {', '.join(get_args(Implementation))})"
            )
        if implementation != "reference":
            return self
        if self.reference is None:
            raise ConfigError(
                f"implementation is 'reference', but {self.id} has only a native one; choose "
                "'native' or 'auto', or prospector-v1, which has both"
            )
        return replace(self, make=self.reference)

    def under(self, config: WorldConfig) -> WorldEntry:
        """This world with the names that its parts have under these settings."""
        if self.names_under is None:
            return self
        names = self.names_under(config)
        return replace(
            self,
            action_names=names.action_names,
            obs_names=names.obs_names,
            agent_names=names.agent_names,
            control_names=names.control_names,
        )


_log: Final = logging.getLogger(__name__)
_lock: Final = threading.RLock()
_known: Final[dict[str, WorldEntry]] = {}
_state: Final = {"discovered": False}
"""Whether `_known` is whole; discovery that fails leaves it empty, to fail again when asked."""


def register(entry: WorldEntry) -> None:
    """Make a world known to this process."""
    with _lock:
        _discover()
        _add(_known, entry, "register()")


def ids() -> tuple[str, ...]:
    """The ids of all known worlds, sorted."""
    with _lock:
        _discover()
        return tuple(sorted(_known))


def get(world_id: str) -> WorldEntry:
    """The entry of a world. Raises `UnknownWorldError` with the nearest name there is."""
    with _lock:
        _discover()
        entry = _known.get(world_id)
    if entry is None:
        known = ids()
        raise UnknownWorldError(
            f"no world is called {world_id!r}{did_you_mean(str(world_id), known)} "
            f"(known: {', '.join(known)})"
        )
    return entry


def make_vec(
    world_id: str,
    num_worlds: int = 1,
    *,
    threads: int = 1,
    seed: int | None = 0,
    autoreset: Autoreset = "same_step",
    config: Mapping[str, Any] | pydantic.BaseModel | None = None,
    implementation: Implementation = "auto",
    **config_fields: Any,
) -> VectorWorld:
    """A batch of `num_worlds` worlds, at the beginning of episode 0 of run `seed`.

    Settings come from `config`, a mapping or the world's own config type, and from
    `config_fields`, which win. A `seed` of None leaves the batch as it was made: run 0. An
    `implementation` of `reference` steps the Python reference where the world has one.
    """
    # Asking what worlds there are must not load the extension; making one needs it anyway.
    from astrarium._native import THREADS_MAX, WORLDS_MAX

    entry = get(world_id).implemented(implementation)
    settings = config_with_fields(entry.config, config, config_fields, where=world_id)
    world = entry.make(
        settings,
        arguments.count("num_worlds", num_worlds, WORLDS_MAX),
        arguments.count("threads", threads, THREADS_MAX),
        arguments.autoreset(autoreset),
    )
    if seed is not None:
        world.reset(seed)
    return world


def _discover() -> None:
    if _state["discovered"]:
        return
    package = importlib.import_module("astrarium.worlds")
    found: dict[str, WorldEntry] = {}
    for module in pkgutil.iter_modules(package.__path__):
        if module.ispkg:
            name = f"{package.__name__}.{module.name}"
            for entry in getattr(importlib.import_module(name), "WORLDS", ()):
                _add(found, entry, name)
    for point in importlib.metadata.entry_points(group=ENTRY_POINTS):
        # Somebody else's broken package must not take every other world with it.
        try:
            for entry in point.load():
                _add(found, entry, f"entry point {point.name}")
        except Exception:
            _log.exception("entry point %r of group %r did not load", point.value, ENTRY_POINTS)
    _known.update(found)
    _state["discovered"] = True


def _add(known: dict[str, WorldEntry], entry: WorldEntry, source: str) -> None:
    if entry.id in known:
        raise DuplicateWorldError(
            f"{source}: a world called {entry.id!r} is already known; give it another id or version"
        )
    known[entry.id] = entry
