"""A batch of one-agent worlds as one Gymnasium vector environment."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, cast

import numpy as np
import numpy.typing as npt

from astrarium.adapters import drawing, making
from astrarium.adapters.errors import explain_missing, refuses_closed
from astrarium.errors import ConfigError, EpisodeOverError, SeedError, did_you_mean
from astrarium.worlds import Autoreset, VectorWorld, arguments
from astrarium.worlds.vector import Floats, Words

try:
    from gymnasium.vector import AutoresetMode, VectorEnv
    from gymnasium.vector.utils import batch_space
except ModuleNotFoundError as error:
    explain_missing(error, "gym", "gymnasium")

from astrarium.adapters import spaces
from astrarium.adapters.infos import BatchInfos, Bools
from astrarium.adapters.resets import require_reset

_MODES: Final[dict[AutoresetMode, Autoreset]] = {
    AutoresetMode.NEXT_STEP: "next_step",
    AutoresetMode.SAME_STEP: "same_step",
    AutoresetMode.DISABLED: "disabled",
}

Seeds = int | Sequence[int | None] | npt.NDArray[np.integer[Any]] | None


class WorldVectorEnv(VectorEnv[Floats, Any, npt.NDArray[Any]]):
    """n worlds on one native batch, with any of Gymnasium's three autoreset modes.

    `reset(seed=s)` with a number begins run `s`: world i gets the seed derived from (s, i), so
    neighbouring runs share nothing. A list gives each world exactly its seed, or its next episode
    where the list holds None. Without a seed every world goes on to its next episode; the first
    such reset draws a run from `np_random`.

    `info` holds `action_mask` (n, K), `episode_seed`, and after a step `reward_terms`, `events`
    and `stats`, each a dict of arrays; `_x` beside `x` says which worlds have it. With same-step
    autoreset what the ended episodes produced is under `final_obs` and `final_info`, as in
    Gymnasium's `SyncVectorEnv`; the mask of a state that is over is not kept.

    For speed: with `copy=False` observations and action masks are read-only views that the next
    step overwrites; with `figures=False` terms, events and stats are told of ended episodes only
    (`env.world` has them always).
    """

    world: VectorWorld

    def __init__(
        self,
        world_id: str,
        num_envs: int = 1,
        *,
        threads: int = 1,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        copy: bool = True,
        figures: bool = True,
        render_mode: str | None = None,
        config: making.Config = None,
        **config_fields: Any,
    ) -> None:
        self.autoreset_mode: Final = _mode(autoreset_mode)
        self.render_mode = making.render_mode(render_mode)
        self.world = making.make_world(
            world_id, num_envs, _MODES[self.autoreset_mode], config, config_fields, threads
        )
        making.require_one_agent(self.world, "WorldVectorEnv")
        world, layout, n = self.world, self.world.layout, self.world.num_worlds
        self.num_envs = n
        self.copy = copy
        self.figures = figures
        self.metadata = {
            "render_modes": [*making.RENDER_MODES],
            "render_fps": 10,
            "autoreset_mode": self.autoreset_mode,
        }
        self.single_observation_space = seen = spaces.observation_space(layout)
        self.single_action_space = orders = spaces.action_space(layout)
        self.observation_space = batch_space(seen, n)
        self.action_space = batch_space(orders, n)
        # Arrays of a batch keep their address, so these views stay right.
        self._obs: Final = world.obs.reshape(n, layout.obs_dim)
        self._mask: Final = world.mask.reshape(n, layout.num_choices).view(np.int8)
        self._reward: Final = world.reward.reshape(n)
        self._terminated: Final = world.terminated.reshape(n).view(np.bool_)
        self._truncated: Final = world.truncated.reshape(n).view(np.bool_)
        self._infos: Final = BatchInfos(world)
        self._every: Final[Bools] = np.ones(n, np.bool_)
        self._every.flags.writeable = False
        self._ended: Bools = np.zeros(n, np.bool_)
        self._seeds: Words = world.episode_seed.copy()
        self._was_reset = False

    @refuses_closed
    def reset(  # pyright: ignore[reportIncompatibleMethodOverride] (lists of seeds, as SyncVectorEnv)
        self, *, seed: Seeds = None, options: dict[str, Any] | None = None
    ) -> tuple[Floats, dict[str, Any]]:
        """Begin episodes: everywhere, or where `options["reset_mask"]` is True."""
        chosen = self._chosen(options)
        if isinstance(seed, Sequence | np.ndarray):
            self._reset_to(seed, chosen)
        elif seed is not None:
            run = arguments.seed(seed)
            if chosen is not None:
                raise SeedError("one seed is a run of all worlds; with a reset_mask give a list")
            super().reset(seed=run)
            self.world.reset(run)
        elif chosen is not None:
            self.world.reset_worlds(np.flatnonzero(chosen))
        elif self._was_reset:
            self.world.reset()
        else:
            self.world.reset(int(self.np_random.integers(2**63)))
        self._was_reset = True
        self._ended = self._ended & ~(self._every if chosen is None else chosen)
        return self._seen(), self._standing()

    @refuses_closed
    def step(self, actions: Any) -> tuple[Floats, Floats, Bools, Bools, dict[str, Any]]:
        """Advance every world by one decision."""
        world, before, idle = self.world, self._seeds, self._ended
        require_reset(self._was_reset, world)
        try:
            world.step(*spaces.orders_of(world.layout, actions))
        except EpisodeOverError:
            raise EpisodeOverError(
                f"world {idle.argmax()} has ended and autoreset is disabled; begin its "
                "next episode with env.reset(options={'reset_mask': terminated | truncated})"
            ) from None
        terminated, truncated = self._terminated.copy(), self._truncated.copy()
        self._ended = ended = terminated | truncated
        infos = self._standing()
        if self.autoreset_mode is AutoresetMode.SAME_STEP:
            fresh, at = ended, np.flatnonzero(ended)
            if at.size:
                infos.update(self._final(ended, at, before))
        else:
            # A world that ended in the step before used this one to begin again.
            fresh, at = idle, np.flatnonzero(idle)
        if self.figures and at.size < self.num_envs:
            infos.update(self._infos.named(self._infos.of_all(at), ~fresh))
        return self._seen(), self._reward.copy(), terminated, truncated, infos

    def render(self) -> tuple[Any, ...] | None:  # pyright: ignore[reportIncompatibleMethodOverride]
        """Return each world as a picture in `rgb_array`, as text in `ansi`, else nothing."""
        if self.render_mode is None:
            return None
        count = range(self.num_envs)
        return tuple(drawing.drawn(self.render_mode, self.world, index, [0]) for index in count)

    def close_extras(self, **kwargs: Any) -> None:
        """Let go of the batch."""
        # Gymnasium closes on garbage collection too, even when the constructor refused.
        if hasattr(self, "world"):
            self.world.close()

    def _seen(self) -> Floats:
        return self._obs.copy() if self.copy else self._obs

    def _standing(self) -> dict[str, Any]:
        """The info every world has now, stepped or not."""
        self._seeds = self.world.episode_seed.copy()
        infos: dict[str, Any] = {"episode_seed": self._seeds, "_episode_seed": self._every}
        if self.world.layout.heads:
            infos["action_mask"] = self._mask.copy() if self.copy else self._mask
            infos["_action_mask"] = self._every
        return infos

    def _final(self, ended: Bools, at: npt.NDArray[np.intp], seeds: Words) -> dict[str, Any]:
        """What the episodes that ended in worlds `at` left, in Gymnasium's form."""
        # An array of arrays; NumPy fills a new one with None, which stands where no episode ended.
        rows = np.empty(self.num_envs, np.object_)
        for index, row in zip(at.tolist(), self.world.final_obs[at, 0], strict=True):
            rows[index] = row
        info = {
            "episode_seed": np.where(ended, seeds, np.uint64(0)),
            "_episode_seed": ended,
            **self._infos.named(self._infos.of_some(at), ended),
        }
        return {"final_obs": rows, "_final_obs": ended, "final_info": info, "_final_info": ended}

    def _chosen(self, options: dict[str, Any] | None) -> Bools | None:
        """The worlds to reset, None for all.

        The mask stays in `options`: `RecordEpisodeStatistics` looks for it there afterwards.
        """
        if not options:
            return None
        for key in options.keys() - {"reset_mask"}:
            hint = did_you_mean(str(key), ["reset_mask"])
            raise ConfigError(f"unknown reset option {key!r}{hint} (known: reset_mask)")
        mask = cast("Bools", options["reset_mask"])
        fits = type(mask) is np.ndarray and mask.shape == (self.num_envs,)
        if not fits or mask.dtype != np.bool_:
            raise ConfigError(
                f"options['reset_mask'] must be a bool array of shape ({self.num_envs},)"
            )
        if not mask.any():
            raise ConfigError("options['reset_mask'] chooses no world; set at least one to True")
        return mask

    def _reset_to(
        self, seeds: Sequence[int | None] | npt.NDArray[np.integer[Any]], chosen: Bools | None
    ) -> None:
        if len(seeds) != self.num_envs:
            raise SeedError(f"{len(seeds)} seeds for {self.num_envs} worlds; give one per world")
        at = range(self.num_envs) if chosen is None else np.flatnonzero(chosen).tolist()
        given = {
            index: arguments.seed(seeds[index], f"seed[{index}]")
            for index in at
            if seeds[index] is not None
        }
        if rest := [index for index in at if index not in given]:
            self.world.reset_worlds(rest)
        if given:
            self.world.reset_worlds(list(given), list(given.values()))


def _mode(given: AutoresetMode | str) -> AutoresetMode:
    try:
        return AutoresetMode(given)
    except ValueError:
        names = ", ".join(repr(mode.value) for mode in AutoresetMode)
        raise ConfigError(
            f"autoreset_mode is {given!r} (allowed: an AutoresetMode, or {names})"
        ) from None
