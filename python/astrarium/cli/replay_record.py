"""`astrarium replay record`: an episode of a scripted player, to be watched."""

from __future__ import annotations

import secrets
import tomllib
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final, cast

import cyclopts
import msgspec
from rich.console import Console
from rich.markup import escape

from astrarium import machine, worlds
from astrarium.errors import ConfigError
from astrarium.runs import RunFacts, RunWriter
from astrarium.runs.moments import utc_now
from astrarium.runs.replay_index import BOT
from astrarium.worlds import WorldConfig, WorldEntry, arguments, ladder, parse_config
from astrarium.worlds.registry import ReadySettings

if TYPE_CHECKING:
    from astrarium.train.recording import Recorded

_RUNS: Final = Path("runs")
_FILES: Final = (".toml", ".json")
"""Of settings, for every world."""
_SEED: Final = 7


def record(
    world: str,
    player: str,
    *,
    seed: int | None = None,
    steps: int = 2_000,
    settings: str | None = None,
    root: Annotated[Path, cyclopts.Parameter(help="Folder of the run folders.")] = _RUNS,
) -> int:
    """Record an episode of one of a world's scripted players as a run of its own.

    Parameters
    ----------
    world
        Id of the world; see `astrarium worlds`.
    player
        Who plays: one of those that `astrarium play` compares.
    seed
        Seed of the episode; unless told, the one that the settings come with, or 7.
    steps
        Steps after which it is given up.
    settings
        A file of settings of the world, TOML or JSON; of a world that comes with settings, also
        the name of some of them, or a file of its own kind. The default ones unless told.
    """
    # Training is not loaded before somebody records.
    from astrarium.train.recording import record as record_episodes

    entry = worlds.get(world)
    config, seed_meant = _ready(entry, settings)
    policy = ladder.policies(entry, [player])[player]
    seed = seed_meant if seed is None else arguments.seed(seed)
    rules = ladder.Rules(1, seed, arguments.count("steps", steps))
    commit = machine.facts().commit
    (kept,) = record_episodes(entry, player, policy, rules, config, commit=commit).kept
    run_id, steps_taken = _write(entry, config, kept, root, rules, player)
    console = Console(highlight=False)
    told = f"{steps_taken:,} steps of {entry.title} by {player}, seed {seed}"
    console.print(f"{told}: [bold]{escape(run_id)}[/]", soft_wrap=True)
    console.print(f"[dim]watch it: astrarium serve --root {escape(str(root))}[/]", soft_wrap=True)
    return 0


def _ready(entry: WorldEntry, settings: str | None) -> ReadySettings:
    """What is meant by `settings`, and a seed to play it with."""
    given: Mapping[str, Any] = {}
    if settings is not None:
        path = Path(settings)
        if entry.ready_settings is not None and path.suffix not in _FILES:
            return entry.ready_settings(settings)
        given = _read(path)
    return ReadySettings(parse_config(entry.config, given, where=entry.id), _SEED)


def _write(
    entry: WorldEntry,
    config: WorldConfig,
    kept: Recorded,
    root: Path,
    rules: ladder.Rules,
    player: str,
) -> tuple[str, int]:
    """File the episode in a run of its own: its id, and the steps of the episode."""
    facts, episode = asdict(machine.facts()), kept.episode
    settings = config.model_dump(mode="json")
    writer = RunWriter.create(
        root,
        {
            "world": {"id": entry.id, "settings": settings, "worlds": 1},
            "run": {"seed": rules.seed},
        },
        RunFacts(
            trainer_backend=BOT,
            target_env_steps=rules.steps_max,
            window_env_steps=rules.steps_max,
            world=entry.id,
            machine=facts,
            commit=facts["commit"],
            info_metric_keys=(),
            kind="bot",
        ),
        f"{BOT}-{player}-{utc_now():%Y%m%dT%H%M%SZ}-{secrets.token_hex(3)}",
    )
    try:
        filed = writer.add_replay(
            kept.replay,
            return_total=float(episode["return_total"]),
            steps=int(episode["steps"]),
            profit=episode.get(entry.outcomes.get("profit_mean", "")),
            survival=episode.get(entry.outcomes.get("survival_rate", "")),
            terminated=bool(episode["terminated"]),
            truncated=bool(episode["truncated"]),
            played_by=BOT,
        )
        writer.finish()
    except BaseException as error:
        writer.fail(error)
        raise
    return writer.run_id, filed.steps


def _read(path: Path) -> Mapping[str, Any]:
    """Settings from a file."""
    try:
        text = path.read_text("utf-8")
        told = msgspec.json.decode(text) if path.suffix == ".json" else tomllib.loads(text)
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError, msgspec.DecodeError) as error:
        raise ConfigError(f"{path} holds no settings: {error}; give a TOML or JSON file") from error
    if not isinstance(told, dict):
        raise ConfigError(f"{path} is no table of settings; give a TOML or JSON file with one")
    return cast("Mapping[str, Any]", told)
