"""`astrarium train`: learn to play a world, and go on where a run stopped."""

from __future__ import annotations

import json as jsons
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import cyclopts
import pydantic
from rich.markup import escape

from astrarium import worlds
from astrarium.cli.finding import RESUMABLE, TRAINED, find_run
from astrarium.cli.interrupting import INTERRUPTED, Interrupts, say_at_once
from astrarium.cli.parting import broken_words, cut_words
from astrarium.cli.watching import Watcher, watcher
from astrarium.errors import ConfigError
from astrarium.runs.checkpoints import MANIFEST
from astrarium.runs.names import CONFIG
from astrarium.train.config import RunSection, TrainConfig, layered, preset_names, read_file
from astrarium.train.config import preset as preset_settings
from astrarium.train.contenders import world_of
from astrarium.train.errors import NonFiniteError
from astrarium.worlds import WorldEntry

if TYPE_CHECKING:
    from astrarium.train.training import Outcome

_DEFAULT_ROOT: Final = RunSection().root
Stop = Callable[[], bool]
_Flag = Annotated[bool, cyclopts.Parameter(negative=())]
Root = Annotated[
    Path | None, cyclopts.Parameter(help=f"Folder of the run folders. [default: {_DEFAULT_ROOT}]")
]


class _RunOptions(RunSection):
    """The settings of a run, without its folder: every command calls that `--root`."""

    root: Annotated[Path, cyclopts.Parameter(parse=False)] = _DEFAULT_ROOT


class _Options(TrainConfig):
    """The settings as options of the command line."""

    # The model is frozen, which pyright does not see.
    run: _RunOptions = _RunOptions()  # pyright: ignore[reportIncompatibleVariableOverride]


Settings = Annotated[
    _Options | None,
    cyclopts.Parameter(name="*", consume_multiple=True, negative_iterable=()),
]
"""Every setting as a dotted option; only those given win over preset and file."""


def plain_error(error: cyclopts.CycloptsError) -> str:
    """What is wrong with a command line; of settings, each with its name."""
    cause = error.__cause__
    words = str(error)
    if isinstance(cause, pydantic.ValidationError):
        words = "\n".join(_setting_words(dict(one)) for one in cause.errors())
    return f"[bold red]error:[/] {escape(words)}"


def _setting_words(error: Mapping[str, Any]) -> str:
    message = str(error["msg"])
    name = ".".join(map(str, error["loc"]))
    return f"{name} is {error['input']!r}: {message[:1].lower()}{message[1:]}"


app: Final = cyclopts.App(
    name="train",
    error_formatter=plain_error,
    help_epilogue=(
        "`astrarium train tidebreak-v1` and `astrarium train townlet-v1` show what is learned in "
        "about five minutes on two cores.\n\n"
        "Ctrl-C ends a training after its window, ready to be resumed; twice, at once."
    ),
)


@app.default
def train(
    world: str | None = None,
    /,
    *,
    preset: str | None = None,
    config: Path | None = None,
    resume: str | None = None,
    init_from: str | None = None,
    root: Root = None,
    scenario: str | None = None,
    tables: Path | None = None,
    allow_config_change: _Flag = False,
    quiet: _Flag = False,
    json: _Flag = False,
    settings: Settings = None,
) -> int:
    """Train a policy. Settings come from a preset, a file and the options below; the last wins.

    Defaults shown are those below the presets; a run's config.json has every setting it used.

    Parameters
    ----------
    world
        Id of the world; see `astrarium worlds`.
    preset
        Settings that ship; those named as the world unless told.
    config
        A TOML file of settings, or the config.json of a run.
    resume
        Go on with this run instead: its id, its path, or `latest`.
    init_from
        Begin with the policy of this run (its id, its path, or `latest`) or checkpoint.
    scenario
        What is played: a shipped scenario by its name, or a file of your own (Tidebreak: a scenario
        in TOML; Townlet: a town in YAML). The run keeps what the file holds.
    tables
        A folder of tables of your own for Tidebreak, such as hulls.toml; the run keeps their texts.
    allow_config_change
        Resume although the run's config.json was changed; the metadata records both hashes.
    quiet
        Say nothing but the run folder, at the end.
    json
        One JSON object for every window, and one at the end.
    """
    if quiet and json:
        raise ConfigError("--quiet and --json exclude each other; give one of them")
    given = in_root({} if settings is None else given_settings(settings), root)
    if resume is not None:
        if any(one is not None for one in (world, preset, config, init_from, scenario, tables)):
            raise ConfigError(
                "--resume goes on with the world and config of the run; leave out others"
            )
        changed = allow_config_change
        return _resume(resume, given, changed=changed, quiet=quiet, json=json)
    if allow_config_change:
        raise ConfigError("--allow-config-change belongs to --resume; leave it out")
    if init_from is not None:
        place = _policy_place(init_from, given.get("run", {}).get("root", _DEFAULT_ROOT))
        given["run"] = {**given.get("run", {}), "init_from": place}
    chosen = chosen_config(world, preset, config, given)
    if scenario is not None or tables is not None:
        files = own_files(worlds.get(chosen.world.id), scenario, tables)
        chosen = layered(chosen.model_dump(), {"world": {"settings": files}})
    seen = watcher(worlds.get(chosen.world.id).outcomes, quiet=quiet, json=json)
    return _said(seen, carry_out(chosen, seen))


def own_files(
    entry: WorldEntry, scenario: str | None, tables: Path | None
) -> dict[str, str | Path]:
    """Return a world's settings for `--scenario` and `--tables`: names, or files to be read."""
    given: dict[str, str | Path] = {}
    if scenario is not None:
        path = Path(scenario)
        given["scenario"] = path if path.suffix or path.is_file() else scenario
    if tables is not None:
        given["tables"] = tables
    for name in given:
        if name not in entry.config.file_settings:
            able = [one for one in worlds.ids() if name in worlds.get(one).config.file_settings]
            raise ConfigError(
                f"--{name} is not for {entry.id}, which takes no files of that kind; "
                f"worlds that do: {', '.join(able)}"
            )
    return given


def _policy_place(given: str, root: Path) -> Path:
    """The folder of a checkpoint, or of the run that is meant."""
    if (Path(given) / MANIFEST).is_file():
        return Path(given).resolve()
    return find_run(given, root, TRAINED).folder.resolve()


def in_root(given: dict[str, Any], root: Path | None) -> dict[str, Any]:
    """Return settings with the folder of runs that was named, if any."""
    return given if root is None else {**given, "run": {**given.get("run", {}), "root": root}}


def given_settings(settings: TrainConfig) -> dict[str, Any]:
    """The settings that were named on the command line."""
    given = settings.model_dump(exclude_unset=True)
    own = given.get("world", {}).get("settings")
    if own is not None:
        given["world"]["settings"] = {key.replace("-", "_"): _value(own[key]) for key in own}
    return given


def _value(given: Any) -> Any:
    """A world's setting: numbers and the like are written as in JSON, anything else is text."""
    try:
        return jsons.loads(given) if isinstance(given, str) else given
    except jsons.JSONDecodeError:
        return given


def chosen_config(
    world: str | None, preset: str | None, file: Path | None, given: Mapping[str, Any]
) -> TrainConfig:
    """The config of these layers: preset, file, command line."""
    from_file = {} if file is None else _checked(file)
    if file is not None and file.suffix == ".json":
        # The config of a run begins another one.
        from_file.get("run", {}).pop("id", None)
    named = {} if world is None else {"world": {"id": worlds.get(world).id}}
    if world is not None and given.get("world", {}).get("id", world) != world:
        raise ConfigError(f"{world} and --world.id {given['world']['id']} differ; give one of them")
    if preset is None:
        world_id = layered(from_file, named, given).world.id
        below = preset_settings(world_id) if world_id in preset_names() else {}
    else:
        below = preset_settings(preset)
    return layered(below, from_file, named, given)


def _checked(file: Path) -> dict[str, Any]:
    settings = read_file(file)
    try:
        layered(settings)
    except ConfigError as error:
        raise ConfigError(f"{file}: {error}") from None
    return settings


def carry_out(config: TrainConfig, seen: Watcher) -> Outcome | None:
    """Train anew, watched; None where it was broken off, which is then said."""

    def go(stop: Stop) -> Outcome:
        # Here, after everything that could be refused without loading torch.
        from astrarium.train.training import start

        return start(config, tell=seen.tell, stop=stop)

    return _watched(seen, go)


def _resume(
    given_run: str, given: Mapping[str, Any], *, changed: bool, quiet: bool, json: bool
) -> int:
    wishes = dict(given.get("run", {}))
    root, threads = wishes.pop("root", _DEFAULT_ROOT), wishes.pop("threads", None)
    others = {**given, "run": wishes}
    named = [f"{section}.{key}" for section, keys in others.items() for key in keys]
    if named:
        raise ConfigError(
            f"a run goes on with the config it was begun with; leave out {', '.join(named)} "
            "(--run.threads may differ, and --root says where to look)"
        )
    run = find_run(given_run, root, RESUMABLE)
    if run.status() == "completed":
        raise ConfigError(
            f"{run.folder} is complete; for a longer one begin anew: astrarium train "
            f"--config {run.folder / CONFIG} --run.total-env-steps ..."
        )
    entry = worlds.get(str(run.metadata()["world"])) if changed else world_of(run)[0]
    seen = watcher(entry.outcomes, quiet=quiet, json=json)

    def go(stop: Stop) -> Outcome:
        from astrarium.train.training import resume

        return resume(
            run.folder,
            tell=seen.tell,
            stop=stop,
            threads=threads,
            allow_config_change=changed,
        )

    return _said(seen, _watched(seen, go))


def _said(seen: Watcher, outcome: Outcome | None) -> int:
    """Say how it ended; the exit status."""
    if outcome is None:
        return INTERRUPTED
    seen.ended(outcome)
    return 0 if outcome.status == "completed" else INTERRUPTED


def _watched(seen: Watcher, go: Callable[[Stop], Outcome]) -> Outcome | None:
    try:
        with Interrupts(seen.heard) as interrupts, seen.watching():
            return go(interrupts.asked)
    except KeyboardInterrupt:
        words = cut_words(seen.folder)
        seen.broke("interrupted", words)
        say_at_once(words)
        return None
    except NonFiniteError as error:
        words = f"{error}{broken_words(seen.folder)}"
        seen.broke("failed", words)
        raise NonFiniteError(words) from error
