"""Native worlds of Astrarium."""

from collections.abc import Mapping, Sequence
from typing import Literal, final

import numpy as np
import numpy.typing as npt

__all__ = [
    "THREADS_MAX",
    "WORLDS_MAX",
    "Arena",
    "Arrays",
    "Batch",
    "FieldVolume",
    "Layout",
    "MorphoSpace",
    "PolicyNetwork",
    "PolicySamples",
    "Shape",
    "adam_step",
    "choose_actions",
    "episode_seed",
    "set_log_level",
    "simulate_batch",
    "snapshot_header",
    "tidebreak_abouts",
    "tidebreak_classes",
    "tidebreak_diff",
    "tidebreak_explain",
    "tidebreak_fleets",
    "tidebreak_fought",
    "tidebreak_package",
    "tidebreak_package_hash",
    "tidebreak_replay_package",
    "tidebreak_scenarios",
    "tidebreak_settled",
    "tidebreak_table_hashes",
    "tidebreak_verify",
    "tidebreak_wholes",
    "world_ids",
]

_Floats = npt.NDArray[np.float32]
_Flags = npt.NDArray[np.uint8]
_Seeds = npt.NDArray[np.uint64]
_Indices = npt.NDArray[np.uint32]

@final
class Arrays:
    """One NumPy array per array of the batch; `actions` and `controls` may be written."""

    @property
    def obs(self) -> _Floats: ...
    @property
    def final_obs(self) -> _Floats: ...
    @property
    def mask(self) -> _Flags: ...
    @property
    def alive(self) -> _Flags: ...
    @property
    def actions(self) -> npt.NDArray[np.int32]: ...
    @property
    def controls(self) -> _Floats: ...
    @property
    def reward(self) -> _Floats: ...
    @property
    def terms(self) -> _Floats: ...
    @property
    def terminated(self) -> _Flags: ...
    @property
    def truncated(self) -> _Flags: ...
    @property
    def events(self) -> npt.NDArray[np.uint32]: ...
    @property
    def stats(self) -> _Floats: ...
    @property
    def episode_seed(self) -> npt.NDArray[np.uint64]: ...
    @property
    def episode(self) -> npt.NDArray[np.uint64]: ...

@final
class Layout:
    """Sizes and names of a batch's arrays."""

    @property
    def agents(self) -> int: ...
    @property
    def obs_dim(self) -> int: ...
    @property
    def obs_range(self) -> tuple[float, float]: ...
    @property
    def heads(self) -> tuple[int, ...]: ...
    @property
    def controls(self) -> int: ...
    @property
    def terms(self) -> tuple[str, ...]: ...
    @property
    def stats(self) -> tuple[str, ...]: ...
    @property
    def events(self) -> tuple[str, ...]: ...
    @property
    def hidden(self) -> int: ...

@final
class Batch:
    """n worlds of one kind and all their arrays."""

    def __new__(
        cls,
        world_id: str,
        config_json: str,
        num_worlds: int,
        threads: int,
        autoreset: Literal["same_step", "next_step", "disabled"],
    ) -> Batch: ...
    @property
    def arrays(self) -> Arrays: ...
    @property
    def layout(self) -> Layout: ...
    @property
    def world_id(self) -> str: ...
    @property
    def num_worlds(self) -> int: ...
    @property
    def threads(self) -> int: ...
    def reset(self, /, seed: int) -> None: ...
    def reset_with_seeds(self, /, seeds: _Seeds) -> None: ...
    def reset_worlds(self, /, indices: _Indices, seeds: _Seeds | None) -> None: ...
    def step(self, /) -> None: ...
    def step_into(self, /, obs: _Floats, mask: _Flags) -> None: ...
    def digests(self, /) -> _Seeds: ...
    def reveal(self, /) -> _Floats: ...
    def snapshot(self, /) -> bytes: ...
    def restore(self, /, snapshot: bytes) -> None: ...
    def watch(self, index: int, on: bool) -> None: ...
    def happenings(self, index: int) -> str: ...
    def portrait(self, index: int) -> str: ...
    @property
    def blocks(self) -> tuple[str, ...]: ...
    def block(self, index: int, name: str) -> str: ...
    def command(self, index: int, json: str) -> int: ...
    def fork(self, /, indices: _Indices, threads: int) -> Batch: ...

@final
class PolicySamples:
    """What a rollout remembered, flat over its steps: made once, used for every minibatch."""

    def __new__(
        cls,
        heads: Sequence[int],
        mask: _Flags,
        actions: npt.NDArray[np.int32],
        log_prob: _Floats,
        value: _Floats,
        advantage: _Floats,
        returns: _Floats,
    ) -> PolicySamples: ...

_Scale = tuple[_Floats, _Floats, float]
"""Of observations: mean, factor, and the largest size of the result."""

@final
class PolicyNetwork:
    """A network of plain layers with threads of its own; its parameters stay with the caller."""

    def __new__(
        cls, heads: Sequence[int], sizes: Sequence[int], activation: str, threads: int
    ) -> PolicyNetwork: ...
    def act(
        self,
        /,
        parameters: _Floats,
        obs: _Floats,
        scale: _Scale | None,
        mask: _Flags,
        uniform: _Floats,
        actions: npt.NDArray[np.int32],
        log_prob: _Floats,
        value: _Floats,
    ) -> None: ...
    def value(
        self, /, parameters: _Floats, obs: _Floats, scale: _Scale | None, value: _Floats
    ) -> None: ...
    def gradient(
        self,
        /,
        parameters: _Floats,
        obs: _Floats,
        scale: _Scale | None,
        samples: PolicySamples,
        rows: npt.NDArray[np.int64],
        objective: Sequence[float],
        out: _Floats,
    ) -> list[float]: ...

_Point = tuple[float, float]
_Change = tuple[str, str, float] | tuple[str, str, float, float]

@final
class Shape:
    """Where on the plane: made by `disc`, `box` or `capsule`; metres and radians."""

    @staticmethod
    def disc(centre: _Point, radius: float) -> Shape: ...
    @staticmethod
    def box(centre: _Point, half: _Point, heading: float = 0.0) -> Shape: ...
    @staticmethod
    def capsule(start: _Point, end: _Point, radius: float) -> Shape: ...

@final
class FieldVolume:
    """What a shape holds; `value` is by the field's own aggregate."""

    @property
    def value(self) -> float: ...
    @property
    def mean(self) -> float: ...
    @property
    def variance(self) -> float: ...
    @property
    def min(self) -> float: ...
    @property
    def max(self) -> float: ...
    @property
    def count(self) -> int: ...

@final
class MorphoSpace:
    """Fields over a plane of square cells in layers."""

    def __new__(
        cls,
        width: float,
        height: float,
        cell: float,
        layers: int = 3,
        fields: Mapping[str, Mapping[str, float | Sequence[float]]] | None = None,
        *,
        origin: _Point | None = None,
        sea_state: float = 0.0,
        daylight: float = 1.0,
        edges: str = "zero_flux",
    ) -> MorphoSpace: ...
    @property
    def cells(self) -> tuple[int, int]: ...
    @property
    def layers(self) -> int: ...
    @property
    def active_tiles(self) -> int: ...
    @property
    def stored_tiles(self) -> int: ...
    @property
    def memory_bytes(self) -> int: ...
    def reset(self) -> None: ...
    def load(self, field: str, values: _Floats, layer: int = 0) -> None: ...
    def stamp(
        self,
        shape: Shape,
        mods: Sequence[_Change],
        falloff: str = "none",
        layers: Sequence[int] | None = None,
    ) -> None: ...
    def explosion(
        self, pos: _Point, radius: float, intensity: float, layers: Sequence[int] | None = None
    ) -> None: ...
    def fire(
        self, pos: _Point, radius: float, intensity: float, layers: Sequence[int] | None = None
    ) -> None: ...
    def ping(
        self, pos: _Point, radius: float, strength: float, layers: Sequence[int] | None = None
    ) -> None: ...
    def wake(self, pos: _Point, source_db: float, layers: Sequence[int] | None = None) -> None: ...
    def jam(
        self, pos: _Point, radius: float, strength: float, layers: Sequence[int] | None = None
    ) -> None: ...
    def step(self, dt: float = 1.0) -> None: ...
    def point(self, field: str, pos: _Point, layer: int = 0, bilinear: bool = False) -> float: ...
    def ray(
        self, field: str, start: _Point, end: _Point, layer: int = 0
    ) -> tuple[float, float]: ...
    def volume(self, field: str, shape: Shape, layer: int = 0, level: int = 0) -> FieldVolume: ...
    def foveated(self, pos: _Point, heading: float, out: _Floats) -> None: ...
    def plane(self, field: str, layer: int = 0) -> _Floats: ...
    def state_hash(self) -> int: ...

WORLDS_MAX: int
THREADS_MAX: int

def adam_step(
    parameters: _Floats,
    mean: _Floats,
    square: _Floats,
    gradient: _Floats,
    number: int,
    rate: float,
    betas: tuple[float, float],
    epsilon: float,
    norm_max: float,
) -> float:
    """A step of Adam; the gradient's length before it was shortened."""

def choose_actions(
    heads: Sequence[int],
    outputs: _Floats,
    mask: _Flags,
    uniform: _Floats | None,
    actions: npt.NDArray[np.int32],
    log_prob: _Floats,
    value: _Floats,
) -> None:
    """Rows choose their actions: by uniform numbers, or the likeliest without them."""

def world_ids() -> list[str]: ...
def episode_seed(run_seed: int, world: int, episode: int) -> int: ...
def snapshot_header(snapshot: bytes) -> tuple[str, int, int, int]:
    """World id, state version, digest of the config, number of worlds."""

def set_log_level(level: Literal["trace", "debug", "info", "warning", "error"] | None) -> None: ...
def tidebreak_abouts() -> list[tuple[str, str]]:
    """Names of the shipped scenarios and what each is about."""

def tidebreak_classes() -> dict[str, str]:
    """A whole ship of every class as JSON, by the name of its class."""

def tidebreak_fought(package: bytes, doctrines: dict[str, str]) -> tuple[bytes, bytes]:
    """The result of a battle under doctrines as JSON, and its replay."""

def tidebreak_settled(package: bytes) -> bytes:
    """A package in canonical order, as JSON."""

def tidebreak_wholes(
    package: bytes,
) -> list[tuple[list[float], float, float, float, list[int]]]:
    """What shares of each ship are shares of: speeds, turn rate, hit points, fuel, rounds."""

def tidebreak_package_hash(package: bytes) -> int: ...
def tidebreak_table_hashes() -> dict[str, str]: ...
def tidebreak_verify(replay: bytes) -> tuple[int, int]:
    """Ticks and last hash of a replay that holds."""

def tidebreak_diff(left: bytes, right: bytes) -> tuple[int, str, str, str, str, str] | None:
    """Tick, table, entity, column and both values of the first difference."""

def tidebreak_explain(replay: bytes, event: int | None = None) -> str:
    """The events of a replay, or those that led to one of them, as JSON."""

def tidebreak_replay_package(replay: bytes) -> bytes: ...

@final
class Arena:
    """One battle."""

    def __new__(cls, package_json: bytes, trace: int = 0, debug: bool = False) -> Arena: ...
    @property
    def ships(self) -> list[tuple[str, str]]:
        """Ship ids by row, each with the id of its team."""

    @property
    def teams(self) -> list[str]:
        """Team ids by row, those without ships too."""

    def reset(self, seed: int | None = None) -> None:
        """Begin anew: with the package's own seed, or another."""

    def status(self) -> tuple[int, int, int]:
        """Seconds since the start, how it ended, and the row of the winner's team."""

    def step(self, orders: npt.NDArray[np.int16] | None = None) -> None:
        """One second, with eleven columns for every ship."""

    def observe(self, ship: int, out: _Floats) -> None:
        """What a ship sees, into `out`."""

    def mask(self, ship: int, out: _Flags) -> None:
        """What a ship may do, into `out`."""

    def simulate(self, controllers: dict[str, str]) -> bytes:
        """Fight to the end under doctrines, by team id; the result as JSON."""

    def result(self) -> bytes:
        """The result as JSON; while the battle goes on to debuggers only."""

    def state_hash(self) -> int:
        """XXH64 over the whole state."""

    def snapshot(self) -> bytes:
        """The whole state as bytes."""

    def restore(self, snapshot: bytes) -> None:
        """Go on from a snapshot of a battle of this package."""

    def replay(self) -> bytes:
        """Package, orders and hashes of what was fought since the start."""

    def events(self) -> bytes:
        """Kept events that were not taken yet, 46 little-endian bytes each; to debuggers only."""

    def overflow(self) -> int:
        """Kept events that were lost to newer ones before anybody took them."""

    def explain(self, event: int) -> bytes:
        """The events that led to one, the root first, as `events` gives them; to debuggers only."""

    def debug_truth(self) -> str:
        """Everything as it really is, as JSON."""

    def fields(self) -> MorphoSpace:
        """A copy of the fields as they are now."""

def simulate_batch(
    packages: Sequence[bytes], doctrines: Sequence[dict[str, str]], threads: int
) -> list[bytes]:
    """Fight every package to its end under doctrines; results as JSON, in order."""

def tidebreak_fleets(
    scenario: str, text: str | None = None, tables: Mapping[str, str] = ...
) -> tuple[int, int]:
    """How many ships each side of a scenario has: a shipped one, or that of `text`."""

def tidebreak_package(scenario: str, seed: int, text: str | None = None) -> bytes:
    """The package a scenario draws with a seed, as JSON."""

def tidebreak_scenarios() -> list[str]:
    """Names of the scenarios that come with this build."""
