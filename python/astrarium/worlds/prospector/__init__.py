"""Prospector: one ship mines and trades in an asteroid belt.

`prospector-v1` is frozen to the bit; `prospector-v2` is the repaired game on the same interface.
"""

from __future__ import annotations

from functools import partial
from typing import Final

import pydantic

from astrarium.worlds.config import WorldConfig
from astrarium.worlds.native import NativeVectorWorld
from astrarium.worlds.prospector.layout import ACTION_NAMES, OBSERVATION_NAMES
from astrarium.worlds.prospector.players import V1_PLAYERS, V2_PLAYERS, planner_for
from astrarium.worlds.prospector.presentation import V1_PRESENTATION, V2_PRESENTATION
from astrarium.worlds.prospector.viewing import (
    OUTCOMES,
    PEACEFUL_ENDINGS,
    V1_YARDSTICKS,
    YARDSTICKS,
    frame_state,
)
from astrarium.worlds.registry import WorldEntry
from astrarium.worlds.vector import Autoreset, VectorWorld


class ProspectorV1Config(WorldConfig):
    """Settings of Prospector version 1."""

    time_max: float = pydantic.Field(default=20_000.0, ge=1, le=10_000_000)
    """Ticks until the episode is cut off."""
    invalid_action_penalty: float = pydantic.Field(default=0.01, gt=0, le=1000)
    """Reward an impossible action costs."""


class ProspectorV2Config(ProspectorV1Config):
    """Settings of Prospector version 2."""

    time_max: float = pydantic.Field(default=2_000.0, ge=1, le=10_000_000)
    """Ticks until the episode is cut off."""
    invalid_action_penalty: float = pydantic.Field(default=0.001, gt=0, le=1000)
    """Reward an impossible action costs: a nudge, since the mask says what is possible."""


def _make_reference(
    config: ProspectorV1Config, num_worlds: int, threads: int, autoreset: Autoreset
) -> VectorWorld:
    """Make a batch of the Python reference, which is imported only here."""
    from astrarium.worlds.prospector.reference_batch import ReferenceBatch

    return ReferenceBatch(config, num_worlds, threads, autoreset)


WORLDS: Final = (
    WorldEntry(
        id="prospector-v1",
        title="Prospector v1",
        summary="One ship mines and trades in an asteroid belt; frozen to the bit.",
        config=ProspectorV1Config,
        make=partial(NativeVectorWorld.make, "prospector-v1"),
        reference=_make_reference,
        action_names=(ACTION_NAMES,),
        obs_names=OBSERVATION_NAMES,
        agent_names=("ship",),
        bots=V1_PLAYERS,
        outcomes=OUTCOMES,
        yardsticks=V1_YARDSTICKS,
        frame_state=frame_state,
        peaceful_endings=PEACEFUL_ENDINGS,
        presentation=V1_PRESENTATION,
    ),
    WorldEntry(
        id="prospector-v2",
        title="Prospector v2",
        summary="One ship mines and trades in an asteroid belt; the repaired game.",
        config=ProspectorV2Config,
        make=partial(NativeVectorWorld.make, "prospector-v2"),
        action_names=(ACTION_NAMES,),
        obs_names=OBSERVATION_NAMES,
        agent_names=("ship",),
        bots=V2_PLAYERS,
        oracles={"planner": planner_for},
        sees_hidden=frozenset({"planner"}),
        outcomes=OUTCOMES,
        yardsticks=YARDSTICKS,
        frame_state=frame_state,
        peaceful_endings=PEACEFUL_ENDINGS,
        presentation=V2_PRESENTATION,
    ),
)
