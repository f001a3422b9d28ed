"""Replays played again: the same world, seed and actions must give every frame as recorded."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final, cast

import msgspec
import numpy as np

from astrarium import __version__, worlds
from astrarium.errors import ConfigError, EpisodeOverError
from astrarium.runs import documents, replays
from astrarium.runs.errors import ReplayError
from astrarium.runs.replay_index import ReplayEntry
from astrarium.runs.replays import Replay, ReplayFile
from astrarium.worlds import VectorWorld, WorldConfig, WorldEntry, parse_config
from astrarium.worlds.frames import Camera

COMPARED: Final = (
    *(
        "schema_version",
        "frame_index",
        "t",
        "dt",
        "reward",
        "terms",
        "terminated",
        "truncated",
        "events",
    ),
    *("render_state", "info", "digest"),
)
"""Fields of a frame that follow from the actions, in the order in which they are looked at."""
_OPTIONAL: Final = "info"

_STEPS: Final = "steps (of the replay index)"

Progress = Callable[[int, int | None], None]
"""Called after every frame: how many were compared, and of how many where the index says so."""


class OtherBuildError(ReplayError):
    """A replay that another version of Astrarium recorded."""


@dataclass(frozen=True, slots=True)
class Difference:
    """The first thing that is not as recorded."""

    frame: int
    field: str
    """Where in the frame, such as `terms.sell` or `render_state.observation[17]`."""
    recorded: Any
    simulated: Any

    def words(self) -> str:
        """In one line."""
        return (
            f"frame {self.frame}, {self.field}: "
            f"recorded {_shown(self.recorded)}, simulated {_shown(self.simulated)}"
        )


@dataclass(frozen=True, slots=True)
class Verdict:
    """What became of a replay that was played again."""

    frames: int
    """Frames that were compared, a differing one included."""
    difference: Difference | None
    ended: bool
    """Whether the episode came to its end; one that was given up on did not."""
    recorded_by: str
    """Version and commit that recorded it."""

    @property
    def holds(self) -> bool:
        """Whether every frame is as recorded."""
        return self.difference is None


def config_hash(config: WorldConfig) -> str:
    """A short name for all settings of a world, defaults included."""
    settings = msgspec.json.encode(config.model_dump(mode="json"), order="sorted")
    return hashlib.blake2b(settings, digest_size=8).hexdigest()


def verify(
    replay: Replay | ReplayFile,
    entry: ReplayEntry | None = None,
    *,
    any_build: bool = False,
    progress: Progress | None = None,
) -> Verdict:
    """Play a replay again and compare every frame; with its index `entry`, that too.

    Raises `OtherBuildError` for a replay of another version, unless `any_build`, and a
    `ReplayError` where it cannot be played at all.
    """
    header = replay.header
    build = header["build"]
    recorded_by = f"{build['version']} (commit {build['commit']})"
    if build["version"] != __version__ and not any_build:
        raise OtherBuildError(
            f"this replay was recorded by version {recorded_by}, this is {__version__}: verify it "
            "with that version, or compare nevertheless with any_build (--any-build)"
        )
    known, world = _world_of(header)
    camera = Camera(known, world, by_changes=True)
    total = len(replay.frames) if isinstance(replay, Replay) else None
    total = total if entry is None else entry.steps
    compared, earned, difference, ended = 0, 0.0, None, False
    for frame in replay.frames if isinstance(replay, Replay) else replay.frames():
        if entry is not None and compared == entry.steps:
            difference = Difference(compared, _STEPS, entry.steps, compared + 1)
            break
        try:
            _order(world, frame)
            world.step()
        except EpisodeOverError:
            difference = Difference(compared, "frame", "one more step", "the episode was over")
        else:
            difference = _compare(known, frame, camera.frame())
            gone = (world.alive == 0) | (world.terminated != 0) | (world.truncated != 0)
            ended = bool(gone.all())
        compared += 1
        earned += _reward_of(frame)
        if progress is not None:
            progress(compared, total)
        if difference is not None:
            break
    world.close()
    if difference is None and entry is not None:
        difference = _compare_entry(replay, entry, compared, earned)
    return Verdict(compared, difference, ended, recorded_by)


def _world_of(header: Mapping[str, Any]) -> tuple[WorldEntry, VectorWorld]:
    """The world a replay is of, at the beginning of its episode."""
    known = worlds.get(header["world"]).implemented(header.get("implementation", "native"))
    where = f"the replay's world_config for {known.id}"
    try:
        config = parse_config(known.config, header["world_config"], where=where)
    except ConfigError as error:
        raise ReplayError(
            f"{error}; the world's settings have changed since, verify it with the version that "
            "recorded it"
        ) from error
    if config_hash(config) != header["config_hash"]:
        raise ReplayError(
            f"{where} has hash {config_hash(config)}, the header says {header['config_hash']}: the "
            "settings were changed, or have other defaults since; verify it with the version that "
            "recorded it, or record the episode again"
        )
    known = known.under(config)
    for field, there in (
        ("action_names", [list(names) for names in known.action_names]),
        ("obs_names", list(known.obs_names)),
        ("agents", list(known.agent_names)),
    ):
        if header[field] != there:
            raise ReplayError(
                f"the replay's {field} are not those of {known.id} in this build; verify it with "
                "the version that recorded it"
            )
    world = known.make(config, 1, 1, "disabled")
    world.reset_with_seeds([header["seed"]])
    return known, world


def _order(world: VectorWorld, frame: Mapping[str, Any]) -> None:
    """Give the world the recorded orders."""
    index = frame["frame_index"]
    for name, target in (("action", world.actions), ("controls", world.controls)):
        given = frame.get(name)
        if target.size == 0:
            continue
        if given is None:
            raise ReplayError(f"frame {index} has no {name}, which {world.world_id} takes")
        try:
            orders = np.asarray(given, target.dtype)
        except (TypeError, ValueError, OverflowError) as error:
            raise ReplayError(
                f"frame {index}: {name} is {given!r}, which is no order: {error}"
            ) from None
        wanted = target.shape[1:]
        if orders.shape != wanted and not (orders.ndim == 0 and target.size == 1):
            raise ReplayError(
                f"frame {index}: {name} has shape {orders.shape}, {world.world_id} takes {wanted}; "
                "the replay is not of this world"
            )
        target[0] = orders


def _compare(
    known: WorldEntry, recorded: Mapping[str, Any], simulated: Mapping[str, Any]
) -> Difference | None:
    for field in COMPARED:
        if field == _OPTIONAL and field not in recorded:
            continue
        found = _first_difference(recorded.get(field), simulated[field], field, known)
        if found is not None:
            return Difference(simulated["frame_index"], *found)
    return None


def _first_difference(
    recorded: Any, simulated: Any, path: str, known: WorldEntry
) -> tuple[str, Any, Any] | None:
    """The path of the first value that differs, and both values."""
    if recorded == simulated:
        return None
    whole = (path, recorded, simulated)
    pairs: list[tuple[str, Any, Any]] = []
    if isinstance(recorded, dict) and isinstance(simulated, dict):
        ours, theirs = cast("dict[str, Any]", simulated), cast("dict[str, Any]", recorded)
        pairs = [(f"{path}.{key}", theirs.get(key), ours.get(key)) for key in {**ours, **theirs}]
    elif isinstance(recorded, list) and isinstance(simulated, list):
        there, here = cast("list[Any]", recorded), cast("list[Any]", simulated)
        if len(there) == len(here):
            both = zip(there, here, strict=True)
            pairs = [(_place(path, at, known), *two) for at, two in enumerate(both)]
    for inner, one, other in pairs:
        found = _first_difference(one, other, inner, known)
        if found is not None:
            return found
    return whole


def _place(path: str, at: int, known: WorldEntry) -> str:
    """An entry of a list; one of an observation with its name."""
    innermost = path.startswith("render_state.observation") and (
        len(known.agent_names) == 1 or path.endswith("]")
    )
    name = f" ({known.obs_names[at]})" if innermost and at < len(known.obs_names) else ""
    return f"{path}[{at}]{name}"


def _compare_entry(
    replay: Replay | ReplayFile, entry: ReplayEntry, frames: int, total: float
) -> Difference | None:
    """What the index says of an episode, against its frames.

    Frames lost at the end show here, and so does a change of what no world can tell: the policy's
    own words, since a replay's id is made of everything the file holds.
    """
    last = frames - 1
    if entry.steps != frames:
        return Difference(last, _STEPS, entry.steps, frames)
    if entry.return_total != total:
        return Difference(last, "return_total (of the replay index)", entry.return_total, total)
    if isinstance(replay, ReplayFile):
        found = replay.replay_id(entry.window_id)
    else:
        found = replays.new_replay_id(entry.window_id, replays.encode(replay))
    if found != entry.replay_id:
        return Difference(last, "id, made of all that is recorded", entry.replay_id, found)
    return None


def return_of(frames: Iterable[Mapping[str, Any]]) -> float:
    """The sum of all rewards, agents together, added as they were while it was played."""
    total = 0.0
    for frame in frames:
        total += _reward_of(frame)
    return total


def _reward_of(frame: Mapping[str, Any]) -> float:
    return float(np.sum(frame["reward"], dtype=np.float64))


def _shown(value: Any) -> str:
    text = documents.encode(value).decode()
    return text if len(text) <= 80 else f"{text[:77]}..."
