"""What a town's file says about watching over it: `stability` and `snapshot`.

`stability` tells when a town is said to be in trouble; a negative limit switches an alert off.
`snapshot` tells where it is saved, how often, and what may be resumed.
"""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BeforeValidator, Field

from astrarium.worlds.townlet.config.node import Figure, Flag, Node, Share

Window = Annotated[int, Field(strict=True, ge=1, le=100_000)]
Limit = Annotated[int, Field(strict=True, ge=-1, le=100_000)]
Intensity = Annotated[float, Field(strict=True, allow_inf_nan=False, gt=0, le=1_000_000)]
Samples = Annotated[int, Field(strict=True, ge=1, le=1_000_000)]
Folder = Annotated[str, Field(min_length=1, max_length=500)]


def _off_is_none(given: Any) -> Any:
    return None if given == "off" else given


Cadence = Annotated[
    Annotated[int, Field(strict=True, ge=100, le=1_000_000_000)] | None,
    BeforeValidator(_off_is_none),
]


class Starvation(Node):
    """`stability.starvation`."""

    hunger_max: Share = 0.05
    """Hunger at or below this ..."""
    duration_ticks: Window = 30
    """... for so many ticks in a row is an incident, once."""
    incidents_max: Limit = 0
    """More than these ..."""
    window_ticks: Window = 1000
    """... in so many ticks raise the alert."""


class RewardVariance(Node):
    """`stability.reward_variance`."""

    variance_max: Figure = Field(default=0.25, ge=-1, le=100)
    samples_min: Samples = 20
    """Rewards of one agent in one tick each."""
    window_ticks: Window = 1000


class OptionThrash(Node):
    """`stability.option_thrash`."""

    rate_max: Figure = Field(default=0.25, ge=-1, le=1)
    """Options dropped unfinished, of all decisions."""
    samples_min: Samples = 10
    window_ticks: Window = 600


class Stability(Node):
    """`stability`."""

    lateness_threshold: Limit = 3
    """Agents that may be late or absent on one day."""
    starvation: Starvation = Starvation()
    reward_variance: RewardVariance = RewardVariance()
    option_thrash: OptionThrash = OptionThrash()
    affordance_fail_threshold: Limit = 5
    """Failures allowed in one tick."""
    conflict_intensity_mean: Intensity | None = None
    """What quarrels in queues come to in a day, or in an episode if that is shorter, where all is
    as it should be; the figure is then told in colour."""


class Storage(Node):
    """`snapshot.storage`."""

    root: Folder = "snapshots"
    """The folder of a town's snapshots; relative to where the program runs."""


class Autosaves(Node):
    """`snapshot.autosave`."""

    cadence_ticks: Cadence = None
    """Ticks from one to the next; `off` for none."""
    retain: Annotated[int, Field(strict=True, ge=1, le=1000)] = 3
    """So many of the last are kept."""


class Guardrails(Node):
    """`snapshot.guardrails`."""

    require_exact_config: Flag = True
    """Refuse a snapshot with another `config_id`; otherwise it is resumed as the town it was."""
    allow_downgrade: Flag = False
    """Read what a newer version wrote, as far as this one knows it."""
    allowed_paths: tuple[Folder, ...] = ()
    """Folders besides `storage.root` in which snapshots may lie."""


class Migrations(Node):
    """`snapshot.migrations`."""

    auto_apply: Flag = False
    """Carry snapshots of another `config_id` over where registered steps lead to this one."""


class Snapshots(Node):
    """`snapshot`."""

    storage: Storage = Storage()
    autosave: Autosaves = Autosaves()
    guardrails: Guardrails = Guardrails()
    migrations: Migrations = Migrations()
    capture_on_failure: Flag = False
    """Keep the town as it was before a tick that failed."""


class Watching(Node):
    """The part of a town's file that is about watching it; no rule of the town asks for it."""

    stability: Stability = Stability()
    snapshot: Snapshots = Snapshots()
