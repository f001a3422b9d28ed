"""A batch of hosts as bytes, sealed: what was damaged on the way is refused whole."""

from __future__ import annotations

import hashlib
from typing import Any, Final

import msgspec

from astrarium.errors import SnapshotError
from astrarium.esper.rounds import RoundsSoFar

SEAL_BYTES: Final = 16
"""Bytes in front that say whether the others are as they were written."""


class BatchDocument(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Everything the future of a batch depends on."""

    world_id: str
    config: dict[str, Any]
    run_seed: list[int]
    lane: list[int]
    """The index of the world that each host's seeds are drawn for."""
    episode: list[int]
    over: list[bool]
    hosts: list[bytes]
    rounds: RoundsSoFar

    def of(self, chosen: list[int]) -> BatchDocument:
        """The same for some of the hosts, in that order."""
        return BatchDocument(
            self.world_id,
            self.config,
            [self.run_seed[at] for at in chosen],
            [self.lane[at] for at in chosen],
            [self.episode[at] for at in chosen],
            [self.over[at] for at in chosen],
            [self.hosts[at] for at in chosen],
            self.rounds,
        )


def sealed(batch: BatchDocument) -> bytes:
    """The bytes of a batch."""
    body = msgspec.msgpack.encode(batch)
    return seal_of(body) + body


def opened(snapshot: bytes, world_id: str) -> BatchDocument:
    """The batch that was sealed."""
    seal, body = snapshot[:SEAL_BYTES], snapshot[SEAL_BYTES:]
    if seal != seal_of(body):
        raise SnapshotError(
            f"these {len(snapshot)} bytes are no snapshot of {world_id}, or a damaged one; "
            "give all that snapshot() returned"
        )
    try:
        return msgspec.msgpack.decode(body, type=BatchDocument)
    except msgspec.MsgspecError as error:
        raise SnapshotError(f"this snapshot is not of a batch of {world_id}: {error}") from error


def require_same(name: str, theirs: object, ours: object) -> None:
    """Refuse a snapshot of something else."""
    if theirs != ours:
        raise SnapshotError(
            f"the snapshot is of another {name}: {theirs!r}, and this batch has {ours!r}"
        )


def seal_of(body: bytes) -> bytes:
    """What shows later whether bytes are still the same."""
    return hashlib.blake2b(body, digest_size=SEAL_BYTES).digest()
