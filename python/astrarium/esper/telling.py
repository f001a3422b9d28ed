"""What a step tells of one host, written into its rows of a batch's arrays."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Final

import numpy as np
import numpy.typing as npt

from astrarium.esper import orders
from astrarium.esper.contracts.actions import ActionOutcome
from astrarium.esper.contracts.heads import Op
from astrarium.esper.contracts.rewards import TERMS, RewardResult
from astrarium.esper.contracts.stages import Stage
from astrarium.esper.entry import EVENTS, OBS_LIMIT, STATS
from astrarium.esper.observation import ObservationInputs, observe, width
from astrarium.worlds.vector import Flags, Floats

if TYPE_CHECKING:
    from astrarium.esper.episode import HostEpisode

_DONE: Final = {
    Op.GERMINATE: "germinated",
    Op.ADVANCE: "advanced",
    Op.FOSSILIZE: "fossilized",
    Op.PRUNE: "pruned",
    Op.SET_ALPHA_TARGET: "retargeted",
}


def write_sight(host: HostEpisode, row: Floats, legal: Flags, horizon: int | None = None) -> None:
    """What a controller sees of a host, and what it may do.

    Epochs are shown as shares of `horizon`, which is the longest episode unless told.
    """
    slots = len(host.network.slot_ids)
    figures = width(slots)
    blueprints = _observe(host, row[:figures], horizon or host.rules.max_epochs)
    budget = host.budget()
    if budget is not None and host.rules.budget_macs:
        # Where compute is what runs out, it is what the clock shows.
        row[0] = 1.0 - budget.left_macs / host.rules.budget_macs
    kinds = row[figures:].reshape(slots, -1)
    kinds[:] = 0.0
    # An empty slot has a kind of its own, the first.
    kinds[np.arange(slots), blueprints + 1] = 1.0
    np.clip(row, -OBS_LIMIT, OBS_LIMIT, out=row)
    orders.write_mask(host.masks(), legal)


def observation_hash(host: HostEpisode) -> str:
    """What a controller sees of a host, in a few letters."""
    row = np.zeros(width(len(host.network.slot_ids)), np.float32)
    blueprints = _observe(host, row, host.rules.max_epochs)
    return hashlib.blake2b(row.tobytes() + blueprints.tobytes(), digest_size=8).hexdigest()


def _observe(host: HostEpisode, row: Floats, horizon: int) -> npt.NDArray[np.int64]:
    """Write the figures of a host; what its slots hold."""
    blueprints = np.zeros(len(host.network.slot_ids), np.int64)
    observe(
        ObservationInputs(
            signals=host.signals,
            epoch=host.epoch,
            max_epochs=horizon,
            reports=host.reports(),
            last_op=host.last_op,
            last_success=host.last_success,
            gamma=host.rules.gamma,
        ),
        row,
        blueprints,
    )
    return blueprints


def write_stats(host: HostEpisode, row: Floats) -> None:
    """The figures of an episode so far."""
    found, network = host.attribution, host.network
    figures = {
        "accuracy": found.accuracy,
        "committed_accuracy": found.committed_accuracy,
        "loss": host.signals.val_loss,
        "parameter_ratio": network.total_params / network.host_params,
        "fossils": sum(state.stage is Stage.FOSSILIZED for state in network.states()),
        "epochs": host.epoch,
        "macs_spent": host.spent_macs / host.data.epoch_macs(network.host_macs, 1),
    }
    row[:] = [figures[name] for name in STATS]


def write_terms(earned: RewardResult, row: Floats) -> np.float32:
    """A reward by its terms; their sum, as the row holds them."""
    row[:] = [getattr(earned.components, name) for name in TERMS]
    total = np.float32(0.0)
    for term in row:
        total += term
    return total


def events_of(outcome: ActionOutcome, *, illegal: bool, rolled_back: bool) -> int:
    """What happened, as bits."""
    told: list[str] = []
    if illegal:
        told.append("invalid_action")
    elif not outcome.action_success:
        told.append("refused")
    elif outcome.effective_op in _DONE:
        told.append(_DONE[outcome.effective_op])
    if rolled_back:
        told.append("rolled_back")
    return sum(1 << EVENTS.index(name) for name in told)
