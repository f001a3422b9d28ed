"""What is known of one agent beside its observation; worked out for whoever asks, never in a step.

`Seeing` says the same once for all agents of a town; this is about a single one, now.
"""

from __future__ import annotations

from typing import Any, Literal, TypedDict

from astrarium.errors import AstrariumError, did_you_mean
from astrarium.worlds.native import NativeVectorWorld
from astrarium.worlds.townlet.config import TownletConfig
from astrarium.worlds.townlet.config.ground import STAGES
from astrarium.worlds.townlet.names import (
    SLOT_PARTS,
    SOCIAL_SLOTS,
    SOCIAL_TOTALS,
    TRAITS,
    WINDOW_FEATURES,
)
from astrarium.worlds.townlet.seeing import Seeing
from astrarium.worlds.vector import Floats

RelationSource = Literal["relationships", "rivalry_fallback", "empty", "disabled"]


class NobodyThereError(AstrariumError, LookupError):
    """No agent of the town has this name or sits there."""


class Personality(TypedDict):
    """Who somebody is."""

    profile: str
    traits: dict[str, float]
    """From -1 to 1."""


class SocialContext(TypedDict):
    """What the social part of the observation holds."""

    configured_slots: int
    """Others there is room for."""
    slot_dim: int
    """Floats of each."""
    filled_slots: int
    relation_source: RelationSource
    """`disabled` where ties are not shown, `empty` without any, `rivalry_fallback` where rivalry is
    all there is to show, else `relationships`."""
    aggregates: dict[str, float]
    has_data: bool


class AgentMetadata(TypedDict):
    """One agent, as plain values."""

    embedding_slot: int
    local_summary: dict[str, float]
    """The surroundings, as the observation sums them up."""
    personality: Personality
    social_context: SocialContext


def agent_metadata(world: NativeVectorWorld, town: int, agent: str | int) -> AgentMetadata:
    """What is known of an agent of a town of the batch, by its name there or by its seat.

    It is as of the last step. Raises a `NobodyThereError` for a name or seat without anybody.
    """
    told = _resident(world, town, agent)
    config = world.config
    assert isinstance(config, TownletConfig)
    seeing = Seeing.of(config)
    features = world.obs[town, told["seat"], seeing.map_size :]
    traits: dict[str, float] = dict(zip(TRAITS, told["traits"], strict=True))
    return {
        "embedding_slot": told["slot"],
        "local_summary": _picked(seeing, features, WINDOW_FEATURES),
        "personality": {"profile": told["profile"], "traits": traits},
        "social_context": _social(config, seeing, features),
    }


def _resident(world: NativeVectorWorld, town: int, agent: str | int) -> dict[str, Any]:
    """The agent as the town's portrait shows it."""
    agents: dict[str, dict[str, Any]] = (world.portrait(town) or {"agents": {}})["agents"]
    for name, told in agents.items():
        if agent in (name, told["seat"]):
            return told
    if isinstance(agent, int):
        taken = ", ".join(str(told["seat"]) for told in agents.values())
        raise NobodyThereError(f"nobody sits in seat {agent} of town {town} (taken: {taken})")
    raise NobodyThereError(
        f"nobody in town {town} is called {agent!r}{did_you_mean(agent, agents)} "
        f"(there are {', '.join(agents)})"
    )


def _picked(seeing: Seeing, features: Floats, names: tuple[str, ...]) -> dict[str, float]:
    return {name: float(features[seeing.feature_index[name]]) for name in names}


def _social(config: TownletConfig, seeing: Seeing, features: Floats) -> SocialContext:
    first = seeing.feature_index["social_slot0_d0"]
    slots = features[first : first + SOCIAL_SLOTS * SLOT_PARTS].reshape(SOCIAL_SLOTS, SLOT_PARTS)
    filled = int(slots.any(axis=1).sum())
    source: RelationSource = "relationships"
    if STAGES.index(config.features.stages.relationships) < STAGES.index("B"):
        source = "disabled"
    elif not filled:
        source = "empty"
    elif not slots[:, -3:-1].any():
        source = "rivalry_fallback"
    totals = _picked(seeing, features, SOCIAL_TOTALS)
    return {
        "configured_slots": SOCIAL_SLOTS,
        "slot_dim": SLOT_PARTS,
        "filled_slots": filled,
        "relation_source": source,
        "aggregates": {name.removeprefix("social_"): value for name, value in totals.items()},
        "has_data": filled > 0,
    }
