"""How long things may take. Whoever keeps the time asks; nothing here reads a clock."""

from __future__ import annotations

from typing import Annotated, Literal

import pydantic
from pydantic import Field

Task = Literal["epoch", "hook", "controller", "rollback"]
Positive = Annotated[float, Field(gt=0.0, allow_inf_nan=False)]


class Deadlines(pydantic.BaseModel):
    """Limits in milliseconds, for a micro-epoch of the service trainer."""

    model_config = pydantic.ConfigDict(frozen=True, extra="forbid")

    epoch_ms: Positive = 250.0
    hook_ms: Positive = 50.0
    controller_ms: Positive = 2_000.0
    rollback_ms: Positive = 250.0
    scale: Positive = 1.0
    """Of epoch and hook, which grow with what a preset does in an epoch."""

    def limit_ms(self, task: Task) -> float:
        """The limit of a task."""
        limits: dict[Task, float] = {
            "epoch": self.epoch_ms * self.scale,
            "hook": self.hook_ms * self.scale,
            "controller": self.controller_ms,
            "rollback": self.rollback_ms,
        }
        return limits[task]

    def missed(self, task: Task, took_ms: float) -> bool:
        """Whether a task took too long."""
        return took_ms > self.limit_ms(task)
