"""What a failed epoch returns to: the last epochs in memory; behind them, a file."""

from __future__ import annotations

from collections import OrderedDict
from pathlib import Path
from typing import Final, Literal

from astrarium import atomic
from astrarium.errors import SnapshotError
from astrarium.esper.batch_snapshots import SEAL_BYTES, seal_of
from astrarium.esper.episode import HostEpisode
from astrarium.esper.episode_snapshots import Keepsake, bring_back, keep, pack, unpack_into

FAST_BYTES: Final = 32 * 2**20
FULL_EVERY: Final = 10
"""Epochs from one file to the next."""

Tier = Literal["fast", "full"]


class Snapshots:
    """The good epochs of one host. The fast tier forgets what was used longest ago."""

    def __init__(self, file: Path, fast_bytes: int = FAST_BYTES) -> None:
        self.file = file
        self.fast_bytes = fast_bytes
        self.fast: OrderedDict[int, Keepsake] = OrderedDict()
        self.full_epoch: int | None = None
        """Of the file."""

    @property
    def newest(self) -> int | None:
        """The last epoch there is to return to."""
        return max(
            (*self.fast, *(() if self.full_epoch is None else (self.full_epoch,))), default=None
        )

    def take(self, episode: HostEpisode) -> None:
        """Remember an epoch that went well."""
        kept = keep(episode)
        if kept.size_bytes <= self.fast_bytes:
            self.fast[episode.epoch] = kept
            while sum(one.size_bytes for one in self.fast.values()) > self.fast_bytes:
                self.fast.popitem(last=False)
        if self.full_epoch is None or episode.epoch - self.full_epoch >= FULL_EVERY:
            body = pack(episode)
            atomic.write_bytes(self.file, seal_of(body) + body)
            self.full_epoch = episode.epoch

    def forget(self, epoch: int) -> None:
        """Not to be returned to: what came after it failed too."""
        self.fast.pop(epoch, None)

    def load(self, episode: HostEpisode) -> Tier:
        """Return to the newest epoch that can be read."""
        for epoch in sorted(self.fast, reverse=True):
            try:
                bring_back(episode, self.fast[epoch])
            except SnapshotError:
                del self.fast[epoch]
            else:
                self.fast.move_to_end(epoch)
                return "fast"
        self._load_file(episode)
        return "full"

    def _load_file(self, episode: HostEpisode) -> None:
        if self.full_epoch is None:
            raise SnapshotError("no epoch has gone well yet, so there is none to return to")
        try:
            content = self.file.read_bytes()
        except OSError as error:
            raise SnapshotError(f"cannot read {self.file}: {error.strerror or error}") from error
        seal, body = content[:SEAL_BYTES], content[SEAL_BYTES:]
        if seal != seal_of(body):
            raise SnapshotError(f"{self.file} is damaged; begin the host anew")
        unpack_into(episode, body)
