"""Everything a training run is told, in one frozen tree.

From a preset, a file and the command line, each winning over the one before; saved whole with the
run. Unknown keys are refused with the nearest known one.
"""

from __future__ import annotations

import itertools
import json
import re
import tomllib
from collections.abc import Mapping
from importlib import resources
from pathlib import Path
from typing import Annotated, Any, Final, Literal

import pydantic
from pydantic import Field

from astrarium import worlds
from astrarium.errors import ConfigError, did_you_mean
from astrarium.runs import seals
from astrarium.worlds.config import parse_config
from astrarium.worlds.registry import Implementation

Positive = Annotated[int, Field(ge=1, lt=1 << 62)]
Width = Annotated[int, Field(ge=1, le=1 << 14)]
"""Units side by side; more would not fit into memory."""
LAYERS_MAX: Final = 16
WEIGHTS_MAX: Final = 1 << 26
"""Of the layers between observation and heads; with their optimiser they take 1 GiB."""
Fraction = Annotated[float, Field(ge=0.0, le=1.0)]
Weight = Annotated[float, Field(ge=0.0, allow_inf_nan=False)]
Thresholds = tuple[Weight, ...]

FILE_BYTES_MAX: Final = 4 << 20
"""Of a file of settings."""
METER: Final = "meter"
"""What a checkpoint calls the state of the windows; no policy may be called so."""
_GROUP_NAME: Final = re.compile(r"[A-Za-z0-9_-]{1,64}")


class Section(pydantic.BaseModel):
    """A branch of the tree."""

    model_config = pydantic.ConfigDict(frozen=True, extra="forbid")


class WorldSection(Section):
    """What is learned."""

    id: str = "prospector-v2"
    """Id of the world; see `astrarium worlds`."""
    settings: dict[str, Any] = {}
    """The world's own settings, where they differ from its defaults."""

    @pydantic.field_validator("settings")
    @classmethod
    def _files_read(cls, given: dict[str, Any], info: pydantic.ValidationInfo) -> dict[str, Any]:
        """What a run keeps is what its files held."""
        if any(isinstance(value, Path) for value in given.values()):
            return worlds.get(info.data["id"]).config.files_read(given)
        return given

    worlds: Annotated[int, Field(ge=1, le=1 << 20)] = 1024
    """Worlds stepped side by side."""
    implementation: Implementation = "auto"
    """Which program computes it: `native`; `reference`, the readable Python one of `prospector-v1`,
    equal to the bit and far slower; or `auto` for the native one."""


def _slots(given: Any) -> Any:
    """`"0,1"` as `["0", "1"]`; anything else as it is."""
    return given.strip("[]() ").split(",") if isinstance(given, str) and given else given


class PolicySection(Section):
    """The network."""

    hidden: tuple[Width, ...] = (128, 128)
    """Sizes of the hidden layers; policy and value share them."""
    activation: Literal["relu", "tanh"] = "relu"
    memory: Literal["none", "lstm", "gru"] = "none"
    """A recurrent layer after the hidden ones."""
    memory_size: Width = 128
    controls: Literal["gaussian", "squashed"] = "squashed"
    """Continuous controls: cut off at -1 and 1, or bent into that range by tanh."""
    groups: dict[str, tuple[Annotated[int, Field(ge=0)], ...]] = {}
    """Agent slots of each policy by its name, as in `--policy.groups.left 0,1`; without any, one
    policy is shared by all."""

    @pydantic.field_validator("hidden")
    @classmethod
    def _within_memory(cls, hidden: tuple[int, ...]) -> tuple[int, ...]:
        weights = sum(one * two for one, two in itertools.pairwise(hidden))
        if len(hidden) > LAYERS_MAX or weights > WEIGHTS_MAX:
            raise ValueError(
                f"{len(hidden)} layers with {weights:,} weights between them are too many; take at "
                f"most {LAYERS_MAX} layers and {WEIGHTS_MAX:,} weights, such as [128, 128]"
            )
        return hidden

    @pydantic.field_validator("groups", mode="before")
    @classmethod
    def _slots_in_words(cls, given: Any) -> Any:
        """A command line has text where a file has lists."""
        if not isinstance(given, Mapping):
            return given
        return {name: _slots(slots) for name, slots in given.items()}  # pyright: ignore[reportUnknownVariableType,reportUnknownArgumentType]

    @pydantic.field_validator("groups")
    @classmethod
    def _each_of_somebody(cls, given: dict[str, tuple[int, ...]]) -> dict[str, tuple[int, ...]]:
        for name, slots in given.items():
            if not _GROUP_NAME.fullmatch(name) or name == METER:
                raise ValueError(
                    f"{name!r} cannot name a policy; take letters, digits, - and _, "
                    f"at most 64, and not {METER!r}"
                )
            if not slots:
                raise ValueError(f"the policy {name!r} plays nobody; give it slots or leave it out")
        return given


class PPOSection(Section):
    """The algorithm."""

    rollout_steps: Positive = 128
    """Steps of every world between two updates."""
    epochs: Positive = 4
    """Passes over a rollout."""
    minibatches: Positive = 4
    learning_rate: Annotated[float, Field(gt=0.0, allow_inf_nan=False)] = 3e-4
    final_learning_rate: Weight = 0.0
    """Reached in a straight line at the end of the run."""
    gamma: Fraction = 0.99
    gae_lambda: Fraction = 0.95
    clip: Annotated[float, Field(gt=0.0, le=1.0)] = 0.2
    value_clip: Annotated[float, Field(gt=0.0)] | None = None
    value_coef: Weight = 0.5
    entropy_coef: Weight = 0.01
    final_entropy_coef: Weight = 0.0
    """Reached in a straight line at the end of the run."""
    max_grad_norm: Annotated[float, Field(gt=0.0)] = 0.5
    target_kl: Annotated[float, Field(gt=0.0)] | None = None
    """Stop the epochs of an update once the policy has moved this far."""
    limits_end: bool = False
    """Whether an episode that ran out of time has ended like any other: for worlds that settle then
    who won, and where values guessed beyond the limit would feed on themselves."""
    normalise_advantages: bool = True
    normalise_observations: bool = False
    normalise_rewards: bool = True
    adam_beta2: Annotated[float, Field(gt=0.0, lt=1.0)] = 0.999
    adam_epsilon: Annotated[float, Field(gt=0.0)] = 1e-5


class RunSection(Section):
    """How long, how watched, on what."""

    root: Path = Path("runs")
    """Folder of the run folders."""
    id: str | None = None
    """Name of the run; made of the time and the commit unless told."""
    init_from: Path | None = None
    """A run, or one of its checkpoints, whose policy this run begins with."""
    seed: Annotated[int, Field(ge=0, lt=1 << 63)] = 0
    total_env_steps: Positive = 6_000_000
    """Ticks of all worlds together after which the run is complete."""
    window_env_steps: Positive = 1_000_000
    """Ticks of a window: one row of metrics."""
    checkpoint_every_windows: Positive = 1
    eval_episodes: Annotated[int, Field(ge=0, le=100_000)] = 8
    """Episodes played with each checkpoint; the best becomes a replay. 0 for none."""
    eval_steps_max: Positive = 4096
    eval_greedy: bool = True
    """Take the likeliest action in evaluation instead of drawing one."""
    eval_seed_offset: Annotated[int, Field(ge=0, lt=1 << 62)] = 100_000
    milestones_profit: Thresholds = (100.0, 500.0, 1000.0)
    milestones_return: Thresholds = (10.0, 25.0, 50.0)
    milestones_survival: Thresholds = (1.0,)
    flush_partial_window: bool = True
    """Write the last, incomplete window too."""
    threads: Annotated[int, Field(ge=1, le=256)] | None = None
    """Threads for worlds and network; every core unless told. Results do not depend on it."""
    device: Literal["auto", "cpu", "cuda"] = "auto"
    deterministic: bool = True
    """Only kernels that repeat to the bit; on a CPU there are no others."""

    @pydantic.field_validator("id")
    @classmethod
    def _not_taken(cls, given: str | None) -> str | None:
        if given == "latest":
            raise ValueError("'latest' always means the newest run; choose another name")
        return given

    @pydantic.field_validator("milestones_profit", "milestones_return", "milestones_survival")
    @classmethod
    def _sorted_once(cls, given: Thresholds) -> Thresholds:
        return tuple(sorted(set(given)))


class SinksSection(Section):
    """Who follows the log, besides the log itself."""

    tensorboard: bool = False
    wandb: Literal["disabled", "offline", "online"] = "disabled"
    """Weights & Biases; the key comes from the environment (WANDB_API_KEY)."""
    wandb_project: str = "astrarium"
    parquet: bool = False
    ppo_log: bool = False
    """A line of NDJSON for every update, in `sinks/ppo.ndjson` of the run."""
    ppo_log_version: Literal["1.0", "1.1"] = "1.1"
    ppo_log_entries_max: Positive = 10_000
    """Lines of a file before the log goes on in the next one."""


class AnnealStage(Section):
    """What a cycle of an anneal does; a cycle is one update of the run."""

    cycle: Annotated[int, Field(ge=0)]
    mode: Literal["bc", "ppo"]
    """`bc`: only clone the teacher in this cycle. `ppo`: from this cycle on, learn as follows."""
    epochs: Positive
    bc_weight: Weight = 0.0
    """Of the imitation in every minibatch of `ppo`, beside a weight of 1 for what is learned."""


class AnnealSection(Section):
    """From a teacher to a policy of its own: who is in control, and what is learned when."""

    captures: Path | None = None
    """A folder of captures to clone; see `astrarium captures`."""
    teacher: str | None = None
    """A bot that gives some of the orders at first."""
    teacher_share: Fraction = 0.8
    """Of the orders in the first cycle; falls in a straight line."""
    teacher_cycles: Positive = 10
    """Cycles until it has no share left."""
    accuracy_min: Fraction = 0.9
    """Of a clone, on held-out trajectories; one below is undone and ends the run."""
    baseline: Path | None = None
    """A PPO log to compare losses and queues with."""
    schedule: tuple[AnnealStage, ...] = ()

    @pydantic.model_validator(mode="after")
    def _possible(self) -> AnnealSection:
        cycles = [stage.cycle for stage in self.schedule]
        if cycles != sorted(set(cycles)):
            raise ValueError(f"cycles of the schedule are {cycles}; give each once, in order")
        cloning = any(stage.mode == "bc" or stage.bc_weight > 0 for stage in self.schedule)
        if cloning and self.captures is None:
            raise ValueError("the schedule imitates, but there are no captures; name their folder")
        return self


class LeagueSection(Section):
    """Self-play against earlier checkpoints of the same run."""

    share: Fraction = 0.0
    """Of the worlds, in which one of them plays the other side; 0 for no league."""
    size: Positive = 8
    """The latest so many are met."""


class TrainConfig(Section):
    """A whole training run."""

    algorithm: Literal["ppo", "random"] = "ppo"
    """`random` learns nothing: uniform legal actions, for the windows and replays of a baseline."""
    world: WorldSection = WorldSection()
    policy: PolicySection = PolicySection()
    ppo: PPOSection = PPOSection()
    run: RunSection = RunSection()
    sinks: SinksSection = SinksSection()
    anneal: AnnealSection = AnnealSection()
    league: LeagueSection = LeagueSection()

    @pydantic.model_validator(mode="after")
    def _random_learns_nothing(self) -> TrainConfig:
        if self.algorithm != "random":
            return self
        asked = {
            "run.init_from": self.run.init_from is not None,
            "anneal.schedule": bool(self.anneal.schedule),
            "anneal.teacher": self.anneal.teacher is not None,
            "league.share": self.league.share > 0,
        }
        wrong = [name for name, given in asked.items() if given]
        if wrong:
            raise ValueError(
                f"algorithm 'random' has no policy, so it takes no {', '.join(wrong)}; "
                "leave that out, or train with algorithm 'ppo'"
            )
        return self


_PRESETS: Final = resources.files("astrarium.train") / "presets"


def preset_names() -> tuple[str, ...]:
    """Every preset that ships; a world's own is called as the world."""
    names = (file.name for file in _PRESETS.iterdir())
    return tuple(sorted(name.removesuffix(".toml") for name in names if name.endswith(".toml")))


def preset(name: str) -> dict[str, Any]:
    """The settings of a preset."""
    known = preset_names()
    if name not in known:
        raise ConfigError(
            f"no preset is called {name!r}{did_you_mean(name, known)} (known: {', '.join(known)})"
        )
    return tomllib.loads((_PRESETS / f"{name}.toml").read_text("utf-8"))


def read_file(path: Path) -> dict[str, Any]:
    """The settings in a TOML file, or in the `config.json` of a run."""
    kind, loads = ("JSON", _unsealed) if path.suffix == ".json" else ("TOML", tomllib.loads)
    try:
        with path.open("rb") as file:
            content = file.read(FILE_BYTES_MAX + 1)
        if len(content) > FILE_BYTES_MAX:
            raise ConfigError(f"the config {path} has more than {FILE_BYTES_MAX} bytes; shorten it")
        settings = loads(content.decode("utf-8"))
    except OSError as error:
        raise ConfigError(f"cannot read the config {path}: {error.strerror}") from error
    except RecursionError as error:
        raise ConfigError(
            f"the config {path} nests tables or lists too deep; settings go two tables deep, as "
            "in [ppo] gamma = 0.99"
        ) from error
    except seals.SealError as error:
        raise ConfigError(
            f"the config {path} is not as its run wrote it: {error}; restore it from a copy or, if "
            'it was edited on purpose, delete its last member "seal"'
        ) from error
    except ConfigError:
        raise
    except ValueError as error:
        raise ConfigError(f"the config {path} is not {kind}: {error}") from error
    if not isinstance(settings, dict):
        raise ConfigError(f"the config {path} is no table of settings; see docs/training.md")
    return settings  # pyright: ignore[reportUnknownVariableType]


def _unsealed(text: str) -> Any:
    """The JSON of a file, which may be the sealed config.json of a run."""
    content = text.encode()
    plain, has_seal = seals.strip_document(content)
    if not has_seal and isinstance(found := json.loads(content), dict) and "seal" in found:
        raise seals.SealError("its seal is not where it was written")
    return json.loads(seals.open_document(content) if has_seal else plain)


def layered(*layers: Mapping[str, Any]) -> TrainConfig:
    """One config of several settings; later layers win key by key."""
    return parse_config(TrainConfig, merged(*layers))


def merged(*layers: Mapping[str, Any]) -> dict[str, Any]:
    """Several settings as one; later layers win key by key.

    A layer that names another world leaves the settings of the one before behind.
    """
    whole: dict[str, Any] = {}
    for layer in layers:
        before = _world_id(whole)
        if before is not None and _world_id(layer) not in (None, before):
            whole["world"].pop("settings", None)
        _merge(whole, layer)
    return whole


def _world_id(layer: Mapping[str, Any]) -> Any:
    world = layer.get("world")
    return world.get("id") if isinstance(world, Mapping) else None  # pyright: ignore[reportUnknownMemberType,reportUnknownVariableType]


def _merge(into: dict[str, Any], layer: Mapping[str, Any]) -> None:
    for key, value in layer.items():
        if isinstance(value, Mapping):
            # Always into a table of our own: a layer is the caller's.
            if not isinstance(into.get(key), dict):
                into[key] = {}
            _merge(into[key], value)  # pyright: ignore[reportUnknownArgumentType]
        else:
            into[key] = value
