"""What is run once: one arm, one seed, one task, until the budget is spent."""

from __future__ import annotations

from typing import Final

import msgspec

from astrarium.esper.contracts.actions import Blend

SCHEMA: Final = 1


class Trial(msgspec.Struct, frozen=True, order=True, forbid_unknown_fields=True):
    """Which one."""

    task: str
    arm: str
    seed: int
    budget_epochs: int
    """What may be computed, in epochs of the host alone."""
    repeat: int = 0
    """1 where the same is run once more, to see that it comes out the same."""
    policy: str = ""
    """Who decided, where that was learnt."""
    device: str = "cpu"

    def words(self) -> str:
        """As people are told of it."""
        again = ", again" if self.repeat else ""
        return f"{self.task} {self.arm} seed {self.seed}{again}"


class Kept(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A seed that is part of the network that is judged."""

    slot_id: str
    blueprint: str
    blend: Blend


class Deed(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Something a controller did, or was refused."""

    epoch: int
    op: str
    slot_id: str
    blueprint: str
    refusal: str
    val_accuracy: float


class Outcome(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a trial came to. All but the times is the same whenever it is run again."""

    trial: Trial
    test_accuracy: float
    """In per cent, read once, with settled seeds on and blending ones off."""
    test_loss: float
    """In nats, of the same network."""
    kept: tuple[Kept, ...]
    host_params: int
    params: int
    """Of the host and what is kept."""
    epochs: int
    budget_macs: float
    spent_macs: float
    curve_share: tuple[float, ...]
    """How much of the budget was spent after each epoch."""
    curve_accuracy: tuple[float, ...]
    """In per cent, of the validation part, with every seed as it then was."""
    deeds: tuple[Deed, ...]
    rolled_back: str
    """Why the governor ended it early; empty where it ran to the end of the budget."""
    wall_s: float
    commit: str
    schema: int = SCHEMA

    def lasting(self) -> Outcome:
        """Without what differs from one run to the next."""
        return msgspec.structs.replace(
            self, trial=msgspec.structs.replace(self.trial, repeat=0), wall_s=0.0, commit=""
        )

    @property
    def params_ratio(self) -> float:
        """How many times the host's parameters."""
        return self.params / self.host_params
