"""`astrarium captures`: what teachers did, kept to be imitated."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Final

import cyclopts
from rich.console import Console
from rich.markup import escape

from astrarium import atomic, worlds
from astrarium.cli.json_output import Json, print_json
from astrarium.cli.train import Settings, chosen_config, given_settings, plain_error
from astrarium.train import captures as files
from astrarium.train.teaching import Lesson, capture, teacher_called
from astrarium.worlds import arguments

app: Final = cyclopts.App(
    name="captures",
    help="Captures of teachers: record, check, clone.",
    error_formatter=plain_error,
)

REFUSED: Final = 1
"""Exit status where tags are missing, or a clone is not good enough."""

Tags = Annotated[tuple[str, ...], cyclopts.Parameter(consume_multiple=True, negative_iterable=())]


@app.command
def record(
    world: str,
    teacher: str,
    directory: Path,
    /,
    *,
    episodes: int = 32,
    seed: int = 200_000,
    steps_max: int = 4096,
    tag: Tags = (),
    hard_share: float = 0.25,
    json: Json = False,
    settings: Settings = None,
) -> int:
    """Let a scripted player play, and keep every trajectory.

    Parameters
    ----------
    world
        Id of the world; see `astrarium worlds`.
    teacher
        One of its players; see `astrarium play`.
    directory
        The folder to make.
    seed
        Of the first episode.
    steps_max
        Steps after which an episode is left.
    tag
        What these episodes cover, besides the events that happen in them.
    hard_share
        Part of the episodes that is played in hard times, in worlds that know such.
    """
    entry = worlds.get(world)
    atomic.check_folder(directory)
    config = chosen_config(world, None, None, {} if settings is None else given_settings(settings))
    own = worlds.parse_config(entry.config, config.world.settings, where=entry.id)
    lesson = Lesson(
        episodes=arguments.count("episodes", episodes),
        seed=seed,
        steps_max=arguments.count("steps_max", steps_max),
        tags=tag,
        hard_share=hard_share,
    )
    found = capture(entry, teacher, teacher_called(entry, teacher), lesson, own)
    manifest = files.write(directory, found)
    return _say(_brief(directory, manifest), json)


@app.command
def check(directory: Path, /, *, require: Tags = (), json: Json = False) -> int:
    """Check every file of a set against its manifest; exit with 1 where a tag is missing.

    Parameters
    ----------
    directory
        A folder of captures.
    require
        Tags that some capture must have, besides those its world requires.
    """
    manifest = files.read_manifest(directory)
    files.check_varied(files.read(directory, manifest))
    missing = manifest.missing({*require, *worlds.get(manifest.world).capturing.required})
    _say({**_brief(directory, manifest), "missing_tags": missing}, json)
    return REFUSED if missing else 0


@app.command
def clone(
    directory: Path,
    policy: Path,
    /,
    *,
    config: Path | None = None,
    epochs: int = 10,
    json: Json = False,
    settings: Settings = None,
) -> int:
    """Make a policy that does what the captures show; exit with 1 where it does not well enough.

    Parameters
    ----------
    directory
        A folder of captures.
    policy
        The folder to make; `astrarium train --init-from` begins with it.
    config
        A TOML file of settings, or the config.json of a run.
    """
    manifest = files.read_manifest(directory)
    given = {} if settings is None else given_settings(settings)
    chosen = chosen_config(manifest.world, None, config, given)
    # Here, after everything that could be refused without loading torch.
    from astrarium.train.cloning import clone as cloned
    from astrarium.train.imitation import Study

    found = cloned(directory, policy, chosen, Study(epochs=arguments.count("epochs", epochs)))
    _say({"policy": str(policy), **found.facts()}, json)
    return 0 if found.passed else REFUSED


def _brief(directory: Path, manifest: files.Manifest) -> dict[str, Any]:
    return {
        "captures": str(directory),
        "world": manifest.world,
        "variant": manifest.variant,
        "config_ids": manifest.config_ids,
        "trajectories": len(manifest.captures),
        "decisions": sum(one.timesteps for one in manifest.captures),
        "tags": sorted({tag for one in manifest.captures for tag in one.tags}),
    }


def _say(told: dict[str, Any], json: bool) -> int:
    if json:
        return print_json(told)
    console = Console(highlight=False)
    for name, value in told.items():
        words = ", ".join(value) if isinstance(value, list) else value  # pyright: ignore[reportUnknownArgumentType,reportUnknownVariableType]
        console.print(f"[dim]{name:22}[/] {escape(str(words))}", soft_wrap=True)  # pyright: ignore[reportUnknownArgumentType]
    return 0
