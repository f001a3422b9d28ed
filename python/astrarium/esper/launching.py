"""How a host's work is launched: as it is, or on a GPU recorded once and replayed.

Hosts are small, so on a GPU launching a step kernel by kernel takes far longer than computing it.
Work that comes again is therefore recorded as a graph. What differs from one time to the next lies
in memory that the graph reads: weights, amplitudes, and inputs, which are copied into their place.
On a CPU the same work simply runs.
"""

# torch leaves the types of many of its functions open.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false

from __future__ import annotations

import contextlib
import logging
import os
import threading
import time
from collections.abc import Callable, Generator, Hashable
from dataclasses import dataclass, field
from typing import Any, ClassVar, Final

import torch
from torch import Tensor

from astrarium.errors import ConfigError

STREAMS: Final = 32
"""Streams torch has; hosts beyond that take turns on them."""
_RECORDING: Final = threading.Lock()
_LOG: Final = logging.getLogger("astrarium.esper")

Outputs = tuple[Tensor, ...]
Work = Callable[..., Outputs]
_Lane = tuple[torch.cuda.Stream, threading.RLock]
_LANES: Final[dict[tuple[torch.device, int], _Lane]] = {}


@dataclass(frozen=True, slots=True)
class GraphFallback:
    """Nothing more is recorded in this run."""

    name: ClassVar[str] = "tolaria.graph_fallback"
    reason: str


class Graphs:
    """Whether the hosts of a run may record their work; the first failure forbids it to all."""

    def __init__(self, device: torch.device) -> None:
        self.allowed = device.type == "cuda"
        self.fallback: GraphFallback | None = None

    def give_up(self, error: Exception) -> None:
        """From now on, everything runs as it is."""
        self.allowed = False
        self.fallback = GraphFallback(str(error).partition("\n")[0])
        _LOG.warning("%s: %s", GraphFallback.name, self.fallback.reason)


@dataclass(slots=True)
class GraphFigures:
    """What recording cost a host, and how often it paid; times are the CPU's."""

    capture_ms: list[float] = field(default_factory=list[float])
    """Of every recording, in order."""
    replays: int = 0
    replay_ms: float = 0.0
    """Spent on launching recordings."""
    staging_ms: float = 0.0
    """Spent on putting their inputs in place."""


class _Recording:
    """Work as one graph, with a place of its own for what comes in."""

    def __init__(
        self, work: Work, inputs: Outputs, pool: Any, noise: torch.Generator | None
    ) -> None:
        self.inputs = tuple(one.clone() for one in inputs)
        self.graph = torch.cuda.CUDAGraph()
        if noise is not None:
            self.graph.register_generator_state(noise)
        # Other hosts go on meanwhile: only what this thread does may break the recording.
        self.graph.capture_begin(pool=pool, capture_error_mode="thread_local")
        try:
            self.outputs = work(*self.inputs)
        finally:
            self.graph.capture_end()


class Launcher:
    """The work of one host after another on one device."""

    def __init__(self, device: torch.device, graphs: Graphs, number: int = 0) -> None:
        """Launchers of different numbers work at the same time."""
        self.figures = GraphFigures()
        self.noise: torch.Generator | None = None
        """What recorded work draws random numbers from."""
        self._graphs = graphs
        self._lane = None if device.type == "cpu" else _lane(device, number % STREAMS)
        # Recordings of one host share memory, since they never run at the same time.
        self._pool = None if self._lane is None else torch.cuda.graph_pool_handle()
        self._structure: Hashable = None
        self._recorded: dict[Hashable, _Recording] = {}
        self._former: dict[Hashable, _Recording] = {}
        self._warm: set[Hashable] = set()

    @contextlib.contextmanager
    def alone(self) -> Generator[None]:
        """On a stream of its own, after all that was asked for before; done when it is left."""
        if self._lane is None:
            yield
            return
        stream, lock = self._lane
        with lock:
            stream.wait_stream(torch.cuda.current_stream(stream.device))
            with torch.cuda.stream(stream), torch.autograd.set_multithreading_enabled(False):
                yield
            stream.synchronize()

    def adopt(self, structure: Hashable) -> None:
        """Let go of what was recorded unless the network is still built like this."""
        if structure != self._structure:
            self._structure = structure
            self._warm.clear()
            # The memory they share is kept for the next by whoever holds a part of it.
            self._former = self._recorded or self._former
            self._recorded = {}

    def run(self, name: Hashable, work: Work, *inputs: Tensor) -> Outputs:
        """What `work` makes of `inputs`; on a GPU good until the next run.

        It runs as it is at first, so that libraries choose their kernels and take their memory,
        and is recorded when it comes again. All that `work` reads besides `inputs` must follow
        from its name and the structure, or lie in memory that stays where it is.
        """
        if not self._graphs.allowed:
            return work(*inputs)
        name = (name, *(one.shape for one in inputs))
        found = self._recorded.get(name) or self._record(name, work, inputs)
        if found is None:
            return work(*inputs)
        began = time.perf_counter()
        for place, one in zip(found.inputs, inputs, strict=True):
            place.copy_(one)
        staged = time.perf_counter()
        found.graph.replay()
        figures = self.figures
        figures.replays += 1
        figures.staging_ms += 1e3 * (staged - began)
        figures.replay_ms += 1e3 * (time.perf_counter() - staged)
        return found.outputs

    def _record(self, name: Hashable, work: Work, inputs: Outputs) -> _Recording | None:
        # What libraries prepare is in part the thread's own.
        warm = (name, threading.get_ident())
        if warm not in self._warm:
            self._warm.add(warm)
            return None
        began = time.perf_counter()
        try:
            with _RECORDING:
                found = _Recording(work, inputs, self._pool, self.noise)
        except RuntimeError as error:
            self._graphs.give_up(error)
            return None
        self.figures.capture_ms.append(1e3 * (time.perf_counter() - began))
        self._recorded[name] = found
        self._former = {}
        return found


def _lane(device: torch.device, number: int) -> _Lane:
    """A stream, and the right to use it."""
    with _RECORDING:
        if (device, number) not in _LANES:
            _LANES[device, number] = torch.cuda.Stream(device), threading.RLock()
        return _LANES[device, number]


def pick_device(name: str) -> torch.device:
    """The device of that name; `auto` is a GPU where there is one."""
    found = torch.cuda.is_available()
    if name == "cpu" or (name == "auto" and not found):
        return torch.device("cpu")
    if not found:
        raise ConfigError(f"device is {name!r}, but torch sees no GPU; choose 'cpu'")
    # Equal runs should be equal here too, as far as the libraries allow.
    os.environ.setdefault("CUBLAS_WORKSPACE_CONFIG", ":4096:8")
    torch.backends.cudnn.deterministic = True
    return torch.device("cuda" if name == "auto" else name)
