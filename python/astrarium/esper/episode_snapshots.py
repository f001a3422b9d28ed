"""An episode as bytes, between two of its epochs, and back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import msgspec

from astrarium.errors import SnapshotError
from astrarium.esper.attribution import Attribution
from astrarium.esper.contracts import happenings
from astrarium.esper.contracts.heads import Op
from astrarium.esper.contracts.rewards import DripState, SeedInfo
from astrarium.esper.episode import EpisodeRules, HostEpisode
from astrarium.esper.governor import VitalSigns
from astrarium.esper.launching import Launcher
from astrarium.esper.phases import TaskData, Validated
from astrarium.esper.rewards.hindsight import Boost
from astrarium.esper.signals import TrainingSignals
from astrarium.esper.snapshots import Remembered, anchor, recall, remember, restore, snapshot


@dataclass(frozen=True, slots=True)
class _Document:
    seed: int
    epoch: int
    spent_macs: float
    signals: TrainingSignals
    vitals: VitalSigns
    loss: float
    attribution: Attribution
    last_op: Op | None
    last_success: bool
    baseline: float | None
    infos: dict[str, SeedInfo]
    credits: dict[str, float]
    drips: tuple[DripState, ...]
    boosts: dict[str, Boost]
    total: float
    held_back: tuple[dict[str, Any], ...]
    network: bytes


def pack(episode: HostEpisode) -> bytes:
    """Everything the future of an episode depends on."""
    return _encoded(episode, snapshot(episode.network))


def _encoded(episode: HostEpisode, network: bytes) -> bytes:
    validated, ledger = episode.validated, episode.ledger
    assert validated is not None, "no epoch has been trained yet"
    document = _Document(
        seed=episode.seed,
        epoch=episode.epoch,
        spent_macs=episode.spent_macs,
        signals=episode.signals,
        vitals=episode.vitals,
        loss=validated.loss,
        attribution=validated.attribution,
        last_op=episode.last_op,
        last_success=episode.last_success,
        baseline=ledger.baseline,
        infos=ledger.infos,
        credits=ledger.credits,
        drips=ledger.drips,
        boosts=ledger.boosts,
        total=ledger.total,
        held_back=tuple(happenings.encode(one) for one in episode.news.held_back),
        network=network,
    )
    return msgspec.msgpack.encode(document)


def unpack(
    content: bytes, data: TaskData, rules: EpisodeRules, launcher: Launcher | None = None
) -> HostEpisode:
    """The episode that was packed, on the same task with the same rules."""
    document = _decoded(content)
    episode = HostEpisode(data, rules, document.seed, launcher)
    restore(episode.network, document.network)
    _settle(episode, document)
    return episode


def unpack_into(episode: HostEpisode, content: bytes) -> None:
    """Put an episode back where it was packed."""
    document = _decoded(content)
    restore(episode.network, document.network)
    _settle(episode, document)


@dataclass(frozen=True, slots=True)
class Keepsake:
    """A packed episode whose weights were only copied."""

    content: bytes
    network: Remembered

    @property
    def size_bytes(self) -> int:
        """What it takes of the memory."""
        return len(self.content) + self.network.size_bytes


def keep(episode: HostEpisode) -> Keepsake:
    """What `pack` holds, ready to be brought back at once."""
    return Keepsake(_encoded(episode, b""), remember(episode.network))


def bring_back(episode: HostEpisode, kept: Keepsake) -> None:
    """Put an episode back where it was kept."""
    document = _decoded(kept.content)
    recall(episode.network, kept.network)
    _settle(episode, document)


def _decoded(content: bytes) -> _Document:
    try:
        return msgspec.msgpack.decode(content, type=_Document)
    except msgspec.MsgspecError as error:
        raise SnapshotError(f"these bytes are no snapshot of an episode: {error}") from error


def _settle(episode: HostEpisode, document: _Document) -> None:
    episode.epoch, episode.spent_macs = document.epoch, document.spent_macs
    episode.signals, episode.vitals = document.signals, document.vitals
    episode.validated = Validated(document.loss, document.attribution)
    episode.last_op, episode.last_success = document.last_op, document.last_success
    ledger = episode.ledger
    ledger.baseline, ledger.infos, ledger.credits = (
        document.baseline,
        document.infos,
        document.credits,
    )
    ledger.drips, ledger.boosts, ledger.total = document.drips, document.boosts, document.total
    episode.news.held_back = [happenings.decode(one) for one in document.held_back]
    # It was taken at the end of the last good epoch, and nothing has moved since.
    episode.anchor = anchor(episode.network)
