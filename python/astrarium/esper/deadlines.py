"""How long things may take. Whoever keeps the time asks; nothing here reads a clock."""

from __future__ import annotations

from typing import Annotated, Literal

import pydantic
from pydantic import Field

Task = Literal["epoch", "step", "hook", "apply", "finalize", "controller", "rollback"]
"""An epoch trains and validates, step by step; its hook decides, applies and finalizes."""
Positive = Annotated[float, Field(gt=0.0, allow_inf_nan=False)]


class Deadlines(pydantic.BaseModel):
    """Limits in milliseconds, for an epoch of a little host."""

    model_config = pydantic.ConfigDict(frozen=True, extra="forbid")

    epoch_ms: Positive = 250.0
    step_ms: Positive = 120.0
    hook_ms: Positive = 50.0
    apply_ms: Positive = 30.0
    finalize_ms: Positive = 30.0
    controller_ms: Positive = 2_000.0
    rollback_ms: Positive = 250.0
    scale: Positive = 1.0
    """Of all but controller and rollback, which do not grow with what an epoch does."""

    def limit_ms(self, task: Task) -> float:
        """The limit of a task."""
        limit: float = getattr(self, f"{task}_ms")
        return limit if task in ("controller", "rollback") else limit * self.scale

    def missed(self, task: Task, took_ms: float) -> bool:
        """Whether a task took too long."""
        return took_ms > self.limit_ms(task)
