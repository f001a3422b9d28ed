"""A town as a PettingZoo environment in which people are told apart and maps are maps."""

from __future__ import annotations

from functools import cached_property
from typing import Any, Final

import numpy as np

from astrarium.adapters import infos, making, spaces
from astrarium.adapters.errors import UnknownAgentError, explain_missing, refuses_closed
from astrarium.adapters.pettingzoo import Newcomers, WorldParallelEnv
from astrarium.worlds.native import NativeVectorWorld
from astrarium.worlds.townlet.config import TownletConfig
from astrarium.worlds.townlet.metadata import AgentMetadata, agent_metadata
from astrarium.worlds.townlet.panels import GUARDRAIL, breakdown
from astrarium.worlds.townlet.seeing import Seeing

try:
    from gymnasium.spaces import Box, Dict, Space
except ModuleNotFoundError as error:
    explain_missing(error, "zoo", "gymnasium")

__all__ = ["TownletParallelEnv"]

EXITS: Final = (
    "faint",
    "eviction",
    "unemployment",
    "neglect",
    "age_out",
    "killed",
    "exposure",
)
"""Events that end an agent's stay; the last one only where people feel the cold."""


class TownletParallelEnv(WorldParallelEnv):
    """One town; `possible_agents` are 256 citizens, and a successor takes the next unused name.

    An observation is a dict of `map` (channel, row, column), `features` and `action_mask`; without
    a window there is no map. The info of an agent has `reward_terms`, `events` and `stats` by name,
    as dicts that are there after a step. It adds to that of `WorldParallelEnv` its `town_id`
    (such as `resident_03#1`), its embedding `slot`, its `ctx_reset_flag`, and after a step its
    `reward_breakdown` and, if it left, its `exit_reason`. `metadata` has what `Seeing` tells.
    """

    def __init__(
        self,
        *,
        newcomers: Newcomers = "agents",
        render_mode: str | None = None,
        config: making.Config = None,
        **config_fields: Any,
    ) -> None:
        super().__init__(
            "townlet-v1",
            newcomers=newcomers,
            render_mode=render_mode,
            config=config,
            **config_fields,
        )
        self.metadata |= self._seeing.metadata()
        self._persons: dict[str, tuple[str, int]] = {}

    @refuses_closed
    def agent_metadata(self, agent: str) -> AgentMetadata:
        """What is known of somebody in play beside the observation.

        It costs a look at the whole town, so it is no part of the infos.
        """
        if self._known(agent) not in self.agents:
            raise UnknownAgentError(f"{agent} is not in play (who is: {', '.join(self.agents)})")
        ((_, seat),) = self._seating.slots([agent])
        return agent_metadata(self._town, 0, seat)

    @property
    def _town(self) -> NativeVectorWorld:
        assert isinstance(self.world, NativeVectorWorld)
        return self.world

    @property
    def _config(self) -> TownletConfig:
        config = self._town.config
        assert isinstance(config, TownletConfig)
        return config

    @cached_property
    def _seeing(self) -> Seeing:
        return Seeing.of(self._config)

    def _observation_space(self) -> Space[Any]:
        seeing, layout = self._seeing, self.world.layout
        parts: dict[str, Space[Any]] = {}
        for name, shape in (("map", seeing.map_shape), ("features", (len(seeing.feature_names),))):
            if np.prod(shape):
                parts[name] = Box(layout.obs_low, layout.obs_high, shape, np.float32)
        return Dict({**parts, "action_mask": spaces.mask_space(layout)})

    def _observation(self, slot: int) -> Any:
        world, seeing = self.world, self._seeing
        row = world.obs[0, slot].copy()
        seen: dict[str, Any] = {"features": row[seeing.map_size :]}
        if seeing.map_size:
            seen["map"] = row[: seeing.map_size].reshape(seeing.map_shape)
        return {**seen, "action_mask": world.mask[0, slot].astype(np.int8)}

    def _told(self, names: list[str], *, stepped: bool) -> dict[str, dict[str, Any]]:
        if not stepped:
            self._persons.clear()
        if any(name not in self._persons for name in names):
            self._meet(names)
        return super()._told(names, stepped=stepped)

    def _meet(self, names: list[str]) -> None:
        """Learn who the new ones are."""
        portrait = self._town.portrait(0)
        assert portrait is not None
        present = {
            agent["seat"]: (name, agent["slot"]) for name, agent in portrait["agents"].items()
        }
        for name, slot in self._seating.slots(names):
            self._persons.setdefault(name, present.get(slot, ("", 0)))

    def _info(self, name: str, slot: int, *, stepped: bool) -> dict[str, Any]:
        info = infos.info_of(self.world, 0, slot, stepped=stepped)
        town_id, embedding = self._persons[name]
        at = self._seeing.feature_index["ctx_reset_flag"] + self._seeing.map_size
        info |= {
            "town_id": town_id,
            "slot": embedding,
            "ctx_reset_flag": bool(self.world.obs[0, slot, at]),
        }
        if stepped:
            guardrail = info["events"][GUARDRAIL]
            info["reward_breakdown"] = breakdown(info["reward_terms"], guardrail=guardrail)
            left = [reason for reason in EXITS if info["events"].get(reason)]
            if left and self.world.terminated[0, slot]:
                info["exit_reason"] = left[0]
        return info
