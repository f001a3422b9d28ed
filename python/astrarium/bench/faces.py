"""The faces a world is measured through, and how to open a loop on each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Literal, get_args

from astrarium import _native, worlds
from astrarium.bench.loops import Loop, PeerLoop, PythonLoop, PythonSingly, draw_actions
from astrarium.bench.peers import Peer, Profile, c_peer, rust_peer
from astrarium.errors import ConfigError, did_you_mean
from astrarium.worlds.vector import Actions

Face = Literal["rust", "c", "python"]
FACES: Final[tuple[Face, ...]] = get_args(Face)

C_WORLD: Final = "prospector-v1"
"""The only world with a C face."""

SINGLY: Final = 0
"""In place of a batch size: one world without a batch around it."""


class UnavailableError(Exception):
    """A face that cannot be measured here, and why."""


@dataclass(frozen=True, slots=True)
class Workload:
    """A world and the actions it is fed."""

    world: str
    actions: str
    last_left_out: int = 0


def workloads(world_id: str) -> tuple[Workload, ...]:
    """What a world is measured under: uniform actions, legal or not."""
    heads = [len(names) for names in worlds.get(world_id).action_names]
    names = " × ".join(f"0..{choices - 1}" for choices in heads)
    uniform = Workload(world_id, f"uniform {names}")
    if world_id != C_WORLD:
        return (uniform,)
    # The last action ends the episode at once; without it episodes last three times as long.
    return (uniform, Workload(world_id, f"uniform 0..{heads[0] - 2}", last_left_out=1))


def chosen_faces(names: Sequence[str]) -> tuple[Face, ...]:
    """The faces called `names`, in their usual order."""
    for name in names:
        if name not in FACES:
            raise ConfigError(
                f"no face is called {name!r}{did_you_mean(name, FACES)} (known: {', '.join(FACES)})"
            )
    return tuple(face for face in FACES if face in names)


@dataclass
class Opener:
    """Builds what the faces need once, then opens loops on them."""

    through: tuple[Face, ...]
    folder: Path
    profile: Profile = "release"
    _peers: dict[Face, Peer] = field(default_factory=dict[Face, Peer])

    def peer(self, face: Face) -> Path:
        """The program of a face, built on first use."""
        if face not in self._peers:
            self._peers[face] = (
                rust_peer(self.profile) if face == "rust" else c_peer(self.folder, self.profile)
            )
        peer = self._peers[face]
        if peer.program is None:
            raise UnavailableError(peer.reason)
        return peer.program

    def draw(self, workload: Workload, num_worlds: int) -> Actions:
        """The actions of one comparison, also left in a file for the other programs."""
        with_layout = worlds.make_vec(workload.world, 1)
        actions = draw_actions(with_layout.layout, max(1, num_worlds), workload.last_left_out)
        with_layout.close()
        actions.astype("<i4").tofile(self._file)
        return actions

    @property
    def _file(self) -> Path:
        return self.folder / "actions.i32"

    def open(
        self, face: Face, world_id: str, num_worlds: int, threads: int, actions: Actions
    ) -> Loop:
        """A loop over the actions drawn last."""
        if face == "python":
            batch = worlds.make_vec(world_id, max(1, num_worlds), threads=threads)
            return (PythonSingly if num_worlds == SINGLY else PythonLoop)(batch, actions)
        if face == "c":
            if world_id != C_WORLD:
                raise UnavailableError(f"only {C_WORLD} has a C face")
            size = ["single"] if num_worlds == SINGLY else ["batch", str(num_worlds)]
            return PeerLoop([self.peer(face), *size, self._file])
        if world_id not in _native.world_ids():
            raise UnavailableError(f"no Rust loop is built for {world_id}")
        config = worlds.get(world_id).config().model_dump_json()
        if num_worlds == SINGLY:
            return PeerLoop([self.peer(face), "single", world_id, config, self._file])
        size = [str(num_worlds), str(threads)]
        return PeerLoop([self.peer(face), "batch", world_id, config, *size, self._file])
