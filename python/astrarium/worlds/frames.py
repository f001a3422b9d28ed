"""One step of one world as plain data: what replays hold and viewers draw.

A frame is taken from a batch of one world whose autoreset is disabled, so that the last frame of an
episode still shows that episode. Whoever plays the same actions again gets equal frames.

A world with a portrait would fill a replay with what stays as it is. Where all frames are kept in
order, most of them therefore tell `render_state` and `info` by what changed since the one before.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Final, Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

from astrarium.errors import CountError
from astrarium.worlds.patches import changes, patched
from astrarium.worlds.vector import Floats, VectorWorld

if TYPE_CHECKING:
    from astrarium.worlds.registry import WorldEntry

SCHEMA_VERSION: Final = 1
TICKS: Final = "dt"
"""The stat that says how many ticks the last step took, in worlds where that differs."""
INVALID: Final = "invalid_action"
"""The event of an action without effect, in worlds that report it."""

FrameState = Callable[[Floats, Mapping[str, float]], dict[str, Any]]
"""From what the agents of one world see (m, D) and its stats to what a viewer is shown."""

PATCHED: Final = ("render_state", "info")
"""What a frame with `since` tells by a patch."""
WHOLE_EVERY: Final = 100
"""Frames from one that stands for itself to the next: where a reader in the middle can begin."""

_DECIMALS: Final = range(5, 12)
_NOUGHT: Final = 1e-12


def plain_state(obs: Floats, stats: Mapping[str, float]) -> dict[str, Any]:
    """What every world can show: the observation, a list for each agent where there are several."""
    del stats  # a world that shows some of them has a function of its own
    rows = short_decimals(obs)
    return {"observation": rows[0] if len(rows) == 1 else rows}


def short_decimals(values: Floats) -> Any:
    """Single precision floats as few decimals that round to exactly them, in nested lists.

    Written out as doubles they would be twice as long and tell nothing more.
    """
    exact = values.astype(np.float64)
    short = exact.copy()
    wanting = np.ones(values.shape, np.bool_)
    for decimals in _DECIMALS:
        rounded = np.round(exact, decimals)
        fits = wanting & (rounded.astype(np.float32) == values)
        short[fits] = rounded[fits]
        wanting &= ~fits
        if not wanting.any():
            break
    return short.tolist()


@runtime_checkable
class Portrayed(Protocol):
    """A batch whose worlds can be drawn from the inside, and tell what happens in them."""

    def watch(self, index: int) -> None:
        """Keep what happens in that world from now on."""
        ...

    def happenings(self, index: int) -> list[dict[str, Any]]:
        """What happened in the last step."""
        ...

    def portrait(self, index: int) -> dict[str, Any] | None:
        """The world as it stands; None where its kind has no such view."""
        ...


def whole_frames(frames: Iterable[Mapping[str, Any]]) -> Iterator[dict[str, Any]]:
    """Frames in order, as they would be if every one of them stood for itself."""
    last: Mapping[str, Any] = {}
    for frame in frames:
        told = dict(frame)
        if told.pop("since", None) is not None:
            told |= {field: patched(last[field], told[field]) for field in PATCHED}
        last = told
        yield told


class Camera:
    """Takes the frames of one episode, step by step.

    With `by_changes`, frames of a world with a portrait tell what changed since the one before; for
    those who keep all of them.
    """

    def __init__(self, entry: WorldEntry, world: VectorWorld, *, by_changes: bool = False) -> None:
        if world.num_worlds != 1 or world.autoreset != "disabled":
            raise CountError(
                f"frames are taken of 1 world with autoreset 'disabled', not of {world.num_worlds} "
                f"with {world.autoreset!r}; make such a batch and play the episode in it"
            )
        self._entry = entry.under(world.config)
        self._world = world
        self._alone = world.layout.agents == 1
        self._sitter = world if isinstance(world, Portrayed) and world.portrait(0) else None
        if self._sitter is not None:
            self._sitter.watch(0)
        self._by_changes = by_changes and self._sitter is not None
        self._last: dict[str, Any] = {}
        """What was patched last, whole."""
        self._index = 0
        self._ticks = 0

    def frame(self) -> dict[str, Any]:
        """The step that was just taken; to be called once after each."""
        world, layout = self._world, self._world.layout
        stats = dict(zip(layout.stats, world.stats[0].tolist(), strict=True))
        dt = max(1, int(stats.get(TICKS, 1)))
        self._ticks += dt
        events = self._events()
        frame: dict[str, Any] = {
            "schema_version": SCHEMA_VERSION,
            "frame_index": self._index,
            "t": self._ticks,
            "dt": dt,
            "action": self._action(),
            "reward": self._each(world.reward[0]),
            "terminated": self._each(world.terminated[0] != 0),
            "truncated": self._each(world.truncated[0] != 0),
            "render_state": self._state(stats),
            "events": events,
            "info": self._info(stats),
            "digest": f"{int(world.digests()[0]):016x}",
            "terms": self._terms(),
        }
        if layout.controls:
            frame["controls"] = short_decimals(world.controls[0])
        if self._by_changes:
            self._thin(frame)
        self._index += 1
        return frame

    def _thin(self, frame: dict[str, Any]) -> None:
        """Leave out of a frame what the one before has told."""
        whole = {field: frame[field] for field in PATCHED}
        if self._last and self._index % WHOLE_EVERY:
            frame |= {field: changes(self._last[field], whole[field]) for field in PATCHED}
            frame["since"] = self._index - 1
        self._last = whole

    def _state(self, stats: Mapping[str, float]) -> dict[str, Any]:
        sitter = self._sitter
        if sitter is None:
            return self._entry.frame_state(self._world.obs[0], stats)
        told = {**(sitter.portrait(0) or {}), "events": sitter.happenings(0)}
        # Once more each time: a world that was restored in between no longer keeps anything.
        sitter.watch(0)
        return told

    def beginning(self) -> dict[str, Any] | None:
        """The state before the first step, where the world is drawn from the inside."""
        return None if self._sitter is None else self._state({})

    def back_to(self, frame: Mapping[str, Any] | None) -> None:
        """Go on after `frame`, or from the beginning: the world was set back to that moment."""
        self._index = 0 if frame is None else frame["frame_index"] + 1
        self._ticks = 0 if frame is None else frame["t"]
        self._last = {}
        if self._sitter is not None:
            # A world that was restored is not watched any longer.
            self._sitter.watch(0)

    def _each(self, values: npt.NDArray[Any]) -> Any:
        """A value of the only agent, or a list over agents."""
        return values[0].item() if self._alone else values.tolist()

    def _action(self) -> Any:
        orders = self._world.actions[0]
        return int(orders[0, 0]) if orders.size == 1 else orders.tolist()

    def _terms(self) -> Any:
        names, values = self._world.layout.terms, self._world.terms[0]
        if self._sitter is None:
            rows = [dict(zip(names, row, strict=True)) for row in values.tolist()]
        else:
            # Many agents with many terms, most of them nought but for the rounding of sums.
            rows = [
                {
                    name: value
                    for name, value in zip(names, row, strict=True)
                    if abs(value) > _NOUGHT
                }
                for row in short_decimals(values)
            ]
        return rows[0] if self._alone else rows

    def _info(self, stats: dict[str, float]) -> dict[str, Any]:
        """The stats, who is in play where there are several, and whether an order was void."""
        world = self._world
        info: dict[str, Any] = dict(stats)
        if self._sitter is not None:
            # Money and means as they are written: 0.4, not the nearest single precision number.
            info = dict(zip(stats, short_decimals(world.stats[0]), strict=True))
        if not self._alone:
            info["alive"] = (world.alive[0] != 0).tolist()
        if INVALID in world.layout.events:
            info[INVALID] = self._each(self._fired(INVALID))
        return info

    def _fired(self, event: str) -> npt.NDArray[np.bool_]:
        """Which agents an event happened to."""
        bit = np.uint32(self._world.layout.events.index(event))
        return (self._world.events[0] >> bit & np.uint32(1)) != 0

    def _events(self) -> list[str]:
        """Names in the world's order, then the endings; `agent:name` where there are several."""
        world, layout = self._world, self._world.layout
        fired = {name: self._fired(name) for name in layout.events}
        left = np.zeros(layout.agents, np.bool_)
        for name in self._entry.peaceful_endings:
            left |= fired[name]
        # Viewers draw `terminated` as an explosion; who left in peace did not explode.
        fired["terminated"] = (world.terminated[0] != 0) & ~left
        fired["truncated"] = world.truncated[0] != 0
        if self._alone:
            return [name for name, agents in fired.items() if agents[0]]
        return [
            f"{agent}:{name}"
            for name, agents in fired.items()
            for agent, happened in zip(self._entry.agent_names, agents, strict=True)
            if happened
        ]
