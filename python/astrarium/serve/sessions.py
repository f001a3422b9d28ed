"""Worlds played by hand: one world a session, its orders remembered, its steps undone on request.

A session keeps the orders given, not the frames: an episode depends on its seed and orders only,
so saving plays it once more and records that.
"""

from __future__ import annotations

import contextlib
import secrets
import threading
import time
from collections import Counter, deque
from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path, PurePath
from typing import Any, Final, cast

import msgspec
import numpy as np
from pydantic import BaseModel

from astrarium import worlds
from astrarium.errors import ActionError
from astrarium.runs import documents
from astrarium.runs.moments import utc_now, written
from astrarium.serve.problems import Problem
from astrarium.serve.saving import Episode, Saved, Saves, write_run
from astrarium.serve.settings import Settings
from astrarium.worlds import WorldConfig, WorldEntry, parse_config
from astrarium.worlds.frames import TICKS, Camera, short_decimals
from astrarium.worlds.vector import Actions, Layout

SEED_MAX: Final = 2**53 - 1
"""The greatest whole number that every browser reads exactly."""
CHOICES_MAX: Final = 128
"""More than this nobody can choose from."""
WAITING_MAX: Final = 4
"""Requests to one session at once, the one that is answered among them."""
UNDO_MAX: Final = 256
UNDO_BYTES_MAX: Final = 4 << 20
_RANDOM_SEEDS: Final = 2**31
_PATIENCE_SECONDS: Final = 5.0
_BUSY: Final = "this session is busy with another request; try again"


@dataclass(frozen=True, slots=True)
class _Moment:
    """What an undo goes back to."""

    snapshot: bytes
    frame: bytes | None
    return_total: float
    ticks: int


def is_playable(entry: WorldEntry, layout: Layout) -> bool:
    """Return whether a world can be played by hand.

    One agent, nothing to steer, a human-sized choice, and a description of every further head.
    """
    return (
        layout.agents == 1
        and not layout.controls
        and len(layout.heads) in (1, len(entry.presentation.heads))
        and 0 < layout.num_choices <= CHOICES_MAX
    )


def refuse_unplayable(entry: WorldEntry, layout: Layout) -> None:
    """Raise a `Problem` for a world that cannot be played by hand."""
    if not is_playable(entry, layout):
        raise Problem(
            422,
            f"{entry.id} cannot be played by hand: it has {layout.agents} agents, "
            f"{len(layout.heads)} heads, {layout.num_choices} choices and {layout.controls} "
            "controls; `/api/v1/worlds` lists the playable worlds",
        )


@cache
def default_layout(entry_id: str) -> Layout:
    """Return the layout of a world under its default settings."""
    entry = worlds.get(entry_id)
    if entry.layout is not None:
        return entry.layout
    world = entry.make(entry.config(), 1, 1, "disabled")
    layout = world.layout
    world.close()
    return layout


def refuse_paths(value: Any, where: str = "") -> None:
    """Raise a `Problem` where settings name a file: a client must not choose what is opened."""
    if isinstance(value, PurePath):
        raise Problem(422, f"{where} is a path; settings of a play session cannot name files")
    if isinstance(value, BaseModel):
        value = dict(value)
    if isinstance(value, Mapping):
        for name, inner in cast("Mapping[Any, Any]", value).items():
            refuse_paths(inner, f"{where}.{name}" if where else str(name))
    elif isinstance(value, list | tuple | set | frozenset):
        for number, inner in enumerate(cast("Sequence[Any]", value)):
            refuse_paths(inner, f"{where}.{number}")


class PlaySession:
    """One person's world. Every call holds its lock."""

    def __init__(self, client: str, entry: WorldEntry, config: WorldConfig, seed: int) -> None:
        self.session_id = secrets.token_urlsafe(16)
        self.client = client
        self.entry = entry
        self.config = config
        self.seed = seed
        self.created_at = self.updated_at = written(utc_now())
        self.touched = time.monotonic()
        self.ticks = 0
        self.return_total = 0.0
        self._lock = threading.Lock()
        self._line = threading.Semaphore(WAITING_MAX)
        self._world = entry.make(config, 1, 1, "disabled")
        self._camera = Camera(entry, self._world)
        self._orders: list[Actions] = []
        self._undo: deque[_Moment] = deque(maxlen=UNDO_MAX)
        self._frame: bytes | None = None
        self._beginning: dict[str, Any] | None = None
        self._info: Mapping[str, Any] = {}
        self._reward = 0.0
        self._over = self._terminated = self._truncated = False
        self._saved: tuple[bytes, Saved] | None = None
        """The orders that were saved last, and where."""
        try:
            refuse_unplayable(entry, self._world.layout)
            self._begin(seed)
        except BaseException:
            self._world.close()
            raise

    @property
    def steps(self) -> int:
        """Orders given so far."""
        return len(self._orders)

    @property
    def over(self) -> bool:
        """Whether the episode has come to its end."""
        return self._over

    @contextlib.contextmanager
    def held(self) -> Generator[None]:
        """Nobody else moves this world meanwhile."""
        # Each request that waits takes a thread that other clients need.
        if not self._line.acquire(blocking=False):
            raise Problem(409, _BUSY)
        try:
            if not self._lock.acquire(timeout=_PATIENCE_SECONDS):
                raise Problem(409, _BUSY)
            try:
                self.touched = time.monotonic()
                yield
            finally:
                self._lock.release()
        finally:
            self._line.release()

    def reset(self, seed: int | None) -> None:
        """Begin another episode: of `seed`, or of the next one."""
        self._begin((self.seed + 1) % (SEED_MAX + 1) if seed is None else seed)
        self.updated_at = written(utc_now())

    def step(self, action: int | list[list[int]], steps_max: int) -> None:
        """Give the orders of one step."""
        if self._over:
            raise Problem(409, "the episode is over; reset the session, or undo the last step")
        if self.steps >= steps_max:
            raise Problem(409, f"a session has at most {steps_max} steps; save it and begin anew")
        orders = self._checked(action)
        moment = _Moment(self._world.snapshot(), self._frame, self.return_total, self.ticks)
        self._world.actions[0] = orders
        self._world.step()
        self._orders.append(orders)
        self._remember(moment)
        frame = self._camera.frame()
        # What really was, the player sees when nothing depends on it any more.
        if (self._world.alive[0] != 0).any():
            frame["render_state"] = self._known(frame["render_state"])
        self.return_total += float(np.sum(frame["reward"], dtype=np.float64))
        self._show(frame)

    def undo(self) -> None:
        """Take the last step back."""
        if not self._undo:
            raise Problem(409, "there is nothing to undo")
        moment = self._undo.pop()
        self._world.restore(moment.snapshot)
        self._orders.pop()
        frame = None if moment.frame is None else msgspec.json.decode(moment.frame)
        self._camera.back_to(frame)
        self.return_total, self.ticks = moment.return_total, moment.ticks
        if frame is None:
            self._show_beginning()
        else:
            self._show(frame)

    def view(self) -> bytes:
        """The session as it is sent."""
        world, layout = self._world, self._world.layout
        obs = world.obs[0].tolist()
        return documents.encode(
            {
                "session_id": self.session_id,
                "world": self.entry.id,
                "seed": self.seed,
                "settings": self.config.model_dump(mode="json"),
                "steps": self.steps,
                "ticks": self.ticks,
                "obs": obs[0] if layout.agents == 1 else obs,
                "reward": self._reward,
                "return_total": self.return_total,
                "terminated": self._terminated,
                "truncated": self._truncated,
                "over": self._over,
                "info": self._info,
                "legal": self._legal(),
                "beginning": self._beginning if self._frame is None else None,
                "frame": None if self._frame is None else msgspec.Raw(self._frame),
                "can_undo": bool(self._undo),
                "created_at": self.created_at,
                "updated_at": self.updated_at,
            }
        )

    def outcome(self) -> dict[str, Any]:
        """What the episode came to so far."""
        # The length of the last step is no figure of the episode.
        stats = {
            name: value
            for name, value in self._info.items()
            if type(value) is float and name != TICKS
        }
        return {
            "return_total": self.return_total,
            "steps": self.steps,
            "ticks": self.ticks,
            "stats": stats,
        }

    def save(self, root: Path, saves: Saves) -> Saved:
        """Write the episode so far as a run of its own; the same episode only once."""
        if not self._orders:
            raise Problem(409, "nothing was played yet; take a step first")
        played = b"".join(orders.tobytes() for orders in self._orders)
        if self._saved is not None and self._saved[0] == played:
            return self._saved[1]
        episode = Episode(
            self.entry,
            self.config,
            self.seed,
            [(orders, self._world.controls[0]) for orders in self._orders],
            self.return_total,
            self.ticks,
            self.outcome()["stats"],
            self._terminated,
            self._truncated,
        )
        run_id = saves.take(self.client)
        try:
            saved = write_run(episode, root, run_id)
        finally:
            saves.done(run_id)
        self._saved = (played, saved)
        return saved

    def close(self) -> None:
        """Let go of the world."""
        with self._lock:
            self._world.close()

    def _begin(self, seed: int) -> None:
        self._world.reset_with_seeds([seed])
        self._camera.back_to(None)
        self._orders.clear()
        self._undo.clear()
        self._saved = None
        self.seed, self.ticks, self.return_total = seed, 0, 0.0
        self._show_beginning()

    def _known(self, state: dict[str, Any]) -> dict[str, Any]:
        """As much of the state as the player may know, with what the player sees."""
        view = self.entry.player_view
        if view is None:
            return state
        name = self.entry.under(self.config).agent_names[0]
        return {**view(state, name), "observation": short_decimals(self._world.obs[0, 0])}

    def _show_beginning(self) -> None:
        self._frame, self._reward, self.ticks = None, 0.0, 0
        state = self._camera.beginning()
        self._beginning = None if state is None else self._known(state)
        self._over = self._terminated = self._truncated = False
        stats = self._world.stats[0].tolist()
        self._info = dict(zip(self._world.layout.stats, stats, strict=True))
        self.updated_at = written(utc_now())

    def _show(self, frame: dict[str, Any]) -> None:
        """Take over what a frame tells: the world's own arrays forget it after an undo."""
        self._frame = documents.encode({**frame, "policy": None})
        self._reward = float(np.sum(frame["reward"], dtype=np.float64))
        self.ticks = frame["t"]
        terminated, truncated = (
            np.atleast_1d(frame["terminated"]),
            np.atleast_1d(frame["truncated"]),
        )
        gone = (self._world.alive[0] == 0) | terminated | truncated
        self._over = bool(gone.all())
        self._terminated = self._over and bool(terminated.any())
        self._truncated = self._over and bool(truncated.any())
        info = cast("dict[str, Any]", frame["info"])
        self._info = {name: value for name, value in info.items() if not isinstance(value, list)}
        self.updated_at = written(utc_now())

    def _remember(self, moment: _Moment) -> None:
        self._undo.append(moment)
        held = sum(len(one.snapshot) + len(one.frame or b"") for one in self._undo)
        while held > UNDO_BYTES_MAX and len(self._undo) > 1:
            oldest = self._undo.popleft()
            held -= len(oldest.snapshot) + len(oldest.frame or b"")

    def _legal(self) -> list[list[bool]]:
        mask, first = (self._world.mask[0, 0] != 0).tolist(), 0
        by_head: list[list[bool]] = []
        for count in self._world.layout.heads:
            by_head.append(mask[first : first + count])
            first += count
        return by_head

    def _checked(self, action: int | list[list[int]]) -> Actions:
        """Orders that exist, legal or not; what an illegal one does is the world's rule."""
        layout = self._world.layout
        given = [[action]] if isinstance(action, int) else action
        shape = (layout.agents, len(layout.heads))
        if len(given) != shape[0] or any(len(row) != shape[1] for row in given):
            wanted = "a number" if shape == (1, 1) else f"{shape[0]} rows of {shape[1]} numbers"
            raise ActionError(f"action of {self.entry.id} is {wanted}: agents by heads")
        for row in given:
            for choice, count in zip(row, layout.heads, strict=True):
                if not 0 <= choice < count:
                    raise ActionError(f"action {choice} does not exist; choose 0 to {count - 1}")
        return np.asarray(given, np.int32)


class Sessions:
    """All sessions of this server, bounded in number and in age."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._held: dict[str, PlaySession] = {}
        self._lock = threading.Lock()
        self._beginning: Counter[str] = Counter()
        """Places of sessions that are being made, by client."""

    def __len__(self) -> int:
        return len(self._held)

    def create(
        self, client: str, world: str, seed: int | None, settings: Mapping[str, Any]
    ) -> PlaySession:
        """A new session at the beginning of an episode."""
        self.expire()
        entry = worlds.get(world)
        refuse_unplayable(entry, default_layout(entry.id))
        config = parse_config(entry.config, settings, where=entry.id)
        refuse_paths(config)
        chosen = secrets.randbelow(_RANDOM_SEEDS) if seed is None else seed
        self._take_place(client)
        try:
            session = PlaySession(client, entry, config, chosen)
        except BaseException:
            with self._lock:
                self._beginning[client] -= 1
            raise
        with self._lock:
            self._beginning[client] -= 1
            self._held[session.session_id] = session
        return session

    def find(self, session_id: str) -> PlaySession:
        """A session by its id."""
        session = self._held.get(session_id)
        if session is None:
            raise Problem(404, "there is no such session; it may have expired")
        return session

    def delete(self, session_id: str) -> PlaySession:
        """End a session."""
        with self._lock:
            session = self._held.pop(session_id, None)
        if session is None:
            raise Problem(404, "there is no such session; it may have expired")
        return session

    def expire(self) -> None:
        """End the sessions nobody has touched for long."""
        oldest = time.monotonic() - self._settings.session_idle_seconds
        with self._lock:
            idle = [one for one in self._held.values() if one.touched < oldest]
            for session in idle:
                del self._held[session.session_id]
        for session in idle:
            session.close()

    def close(self) -> None:
        """End all of them."""
        with self._lock:
            left, self._held = list(self._held.values()), {}
        for session in left:
            session.close()

    def _take_place(self, client: str) -> None:
        """Count and take a place under one lock, so that no race exceeds the limits."""
        with self._lock:
            own = sum(1 for one in self._held.values() if one.client == client)
            own += self._beginning[client]
            if own >= self._settings.sessions_per_client:
                raise Problem(429, f"you have {own} sessions open; delete one first")
            if len(self._held) + self._beginning.total() >= self._settings.sessions_max:
                raise Problem(429, "every place for sessions is taken; try again later")
            self._beginning = +self._beginning  # without clients that have none
            self._beginning[client] += 1
