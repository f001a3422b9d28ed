"""`economy`, `jobs`, `employment`, `queue_fairness`, `conflict`, `relationships`: life together."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from astrarium.worlds.townlet.config.node import Count, Figure, Flag, Node, Position, Share

Price = Annotated[float, Field(strict=True, allow_inf_nan=False, ge=0, le=10)]
Money = Annotated[float, Field(strict=True, allow_inf_nan=False, ge=0, le=100)]
Amount = Annotated[int, Field(strict=True, ge=0, le=1000)]
Boost = Annotated[float, Field(strict=True, allow_inf_nan=False, ge=0, le=5)]
Grace = Annotated[int, Field(strict=True, ge=0, le=120)]
Window = Annotated[int, Field(strict=True, ge=0, le=600)]
Penalty = Annotated[float, Field(strict=True, allow_inf_nan=False, ge=0, le=5)]


class Economy(Node):
    """`economy`: money and stock."""

    meal_cost: Price = 0.4
    ingredients_cost: Price = 0.15
    shower_cost: Price = 0.2
    cook_energy_cost: Share = 0.05
    """Energy cooking takes."""
    cook_hygiene_cost: Share = 0.02
    """Hygiene cooking takes."""
    rent_per_day: Money = 1.5
    """Due at the last tick of each day."""
    wage_income: Share = 0.02
    """Wage per tick of a job that names none."""
    stove_stock_replenish: Count = Field(default=2, ge=0, le=100)
    """Ingredients added to each stove ..."""
    stove_stock_interval: Count = Field(default=200, ge=1, le=10_000)
    """... every so many ticks ..."""
    stove_stock_max: Amount = 20
    """... up to this."""
    fridge_restock: Amount = 20
    """Meals of a fridge after the daily delivery."""
    shelf_restock: Amount = 30
    """Food on a shelf after the daily delivery."""
    restock_tod: Count = Field(default=60, ge=0, le=9_999)
    """Tick of the day of those deliveries."""
    stipend_per_day: Money = 0.0
    """Given to everyone at the first tick of a day."""


class Job(Node):
    """A job: a half-open window of the day, every day."""

    start_tick: Count = Field(ge=0, le=9_999)
    """First tick of the shift, in ticks of the day."""
    end_tick: Count = Field(ge=1, le=10_000)
    """First tick after it."""
    wage_rate: Share | None = None
    """Pay per tick; `economy.wage_income` if absent."""
    lateness_penalty: Penalty
    """Once per late shift."""
    location: Position
    radius: Count = Field(default=2, ge=0, le=127)
    """How near counts as there, diagonals being one."""
    capacity: Count = Field(default=4, ge=1, le=256)
    """Most holders."""
    grace_ticks: Grace | None = None
    """Overrides `employment.grace_ticks`; so do the next four."""
    absent_cutoff: Window | None = None
    absence_slack: Window | None = None
    late_tick_penalty: Share | None = None
    absence_penalty: Penalty | None = None


class Employment(Node):
    """`employment`: shifts, penalties, exits."""

    enforce_job_loop: Flag = True
    """Whether lateness and absence have consequences."""
    grace_ticks: Grace = 5
    """Ticks after the start that still count as on time."""
    absent_cutoff: Window = 30
    """Ticks after the start by which one must have come."""
    absence_slack: Window = 20
    """Ticks one may be away in a row."""
    late_tick_penalty: Share = 0.005
    """Per late tick off site."""
    absence_penalty: Penalty = 0.2
    """Once per absent shift."""
    max_absent_shifts: Count = Field(default=3, ge=0, le=20)
    """Absent shifts in seven days that lead to an exit."""
    attendance_window: Count = Field(default=3, ge=1, le=14)
    """Shifts the attendance is a mean of."""
    daily_exit_cap: Count = Field(default=2, ge=0, le=50)
    """Exits from the queue per day, 0 for no cap."""
    exit_queue_limit: Count = Field(default=8, ge=0, le=100)
    """Length of the exit queue that raises an alert."""
    exit_review_window: Count = Field(default=1000, ge=1, le=100_000)
    """Ticks after which a queued exit happens anyway."""


class QueueFairness(Node):
    """`queue_fairness`: queues and reservations."""

    cooldown_ticks: Window = 60
    """After a successful use, same agent and object."""
    ghost_step_after: Count = Field(default=3, ge=0, le=100)
    """Blocked attempts before the deadlock breaker, 0 for never."""
    age_priority_weight: Share = 0.1
    """Weight of waiting time."""
    reservation_timeout_ticks: Count = Field(default=40, ge=1, le=1000)
    """From grant to start."""
    queue_timeout_ticks: Count = Field(default=120, ge=1, le=5000)
    """Wait before leaving to plan anew."""
    queue_nodes: Count = Field(default=4, ge=0, le=16)
    """So many may wait close by: while more do, all keep further away."""
    blocker_cooldown_ticks: Window = 60
    """For holding without using."""


class Rivalry(Node):
    """`conflict.rivalry`."""

    increment_per_conflict: Share = 0.4
    """Rivalry of a conflict of intensity 1."""
    decay_per_tick: Share = 0.0002
    min_value: Share = 0.0
    max_value: Share = 1.0
    avoid_threshold: Share = 0.5
    """From here on the other is avoided."""
    eviction_threshold: Share = 0.05
    """A tie whose magnitudes are all at most this is dropped."""
    max_edges: Count = Field(default=6, ge=1, le=6)
    """Ties an agent holds."""
    ghost_step_boost: Boost = 1.5
    """Intensity of a ghost step."""
    handover_boost: Boost = 0.4
    """Intensity of other friction."""
    queue_length_boost: Boost = 0.25
    """Intensity per further waiter."""


class Conflict(Node):
    """`conflict`."""

    rivalry: Rivalry = Rivalry()


class Relationships(Node):
    """`relationships`: the ledger and chats."""

    decay_per_hour: Share = 0.001
    """Trust and familiarity lost in an hour of 42 ticks."""
    entry_threshold: Figure = Field(default=0.2, ge=0, le=2)
    """Change needed to enter a full ledger."""
    chat_cooldown_ticks: Count = Field(default=30, ge=0, le=1000)
    """Ticks between chats of one speaker."""
    chat_success: Share = 0.7
    """Chance of success between strangers."""
