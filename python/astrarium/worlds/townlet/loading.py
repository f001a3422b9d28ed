"""Towns by name or from a file: `load("default")`, `load(Path("my_town.yaml"))`."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

import pydantic

from astrarium.errors import ConfigError, did_you_mean
from astrarium.worlds.config import KeyPath, problems_of, unknown_key
from astrarium.worlds.townlet.config import TownletConfig, shipped
from astrarium.worlds.townlet.config.watching import Snapshots, Stability, Watching
from astrarium.worlds.townlet.reloading import Change, changes_between, config_id

if TYPE_CHECKING:
    from astrarium.worlds.townlet.sources import Source, SourceFile

LABEL: Final = re.compile(r"[a-z0-9][a-z0-9_-]{0,39}")
SEED_MAX: Final = 2**64 - 1
BESIDE: Final = ("include", "label", "seed", *Watching.model_fields)
"""Keys of a town's file that are no settings of the town."""
TOWN_FILES: Final = (".yaml", ".yml")
M = TypeVar("M", bound=pydantic.BaseModel)


@dataclass(frozen=True, slots=True)
class LoadedTown:
    """A town's configuration as its files give it."""

    label: str
    """A short name, the first part of the id."""
    seed: int
    config: TownletConfig
    stability: Stability
    """When it is said to be in trouble; no rule of the town asks for it."""
    snapshot: Snapshots
    """Where and how often it is saved, and what may be resumed."""
    files: tuple[SourceFile, ...]
    """Every file that was read, and its SHA-256."""

    @property
    def config_id(self) -> str:
        """Which settings a snapshot of it needs."""
        return config_id(self.config, label=self.label, seed=self.seed)

    def changes(self, new: LoadedTown) -> tuple[Change, ...]:
        """Everything that differs in `new`, with what stands beside the rules."""
        return changes_between(self._document(), new._document())

    def _document(self) -> dict[str, Any]:
        return {
            "label": self.label,
            "seed": self.seed,
            **self.config.model_dump(),
            "stability": self.stability.model_dump(),
            "snapshot": self.snapshot.model_dump(),
        }


def shipped_towns() -> tuple[str, ...]:
    """The names of the towns that come with the package, sorted."""
    return tuple(sorted(file.stem for file in shipped.FOLDER.glob("*.yaml")))


def named(town: str) -> LoadedTown:
    """The town that somebody types: a shipped one by its name, or a YAML file by its path.

    Raises a `ConfigError` as `load` does.
    """
    path = Path(town)
    if path.suffix in TOWN_FILES or path.is_file():
        return load(path)
    _check_shipped(town, "for a file of yours give its path, which ends in .yaml")
    return load(town)


def load(source: str | Path) -> LoadedTown:
    """A shipped town by its name, or the town of a file.

    Raises a `ConfigError` for an unknown name, and a `SourceError`, which is one too, for files
    that cannot be used.
    """
    # The YAML library is not loaded before somebody needs a town.
    from astrarium.worlds.townlet.sources import read

    if isinstance(source, str):
        _check_shipped(source, "for a file of yours give a pathlib.Path")
        source = shipped.FOLDER / f"{source}.yaml"
    return _town(source, read(source))


def _check_shipped(name: str, otherwise: str) -> None:
    known = shipped_towns()
    if name not in known:
        raise ConfigError(
            f"no town is called {name!r}{did_you_mean(name, known)} "
            f"(known: {', '.join(known)}; {otherwise})"
        )


def _town(path: Path, source: Source) -> LoadedTown:
    """The town that `source` describes, or everything that is wrong with it."""
    from astrarium.worlds.townlet.sources import Complaint, SourceError

    given = dict(source.document)
    label, seed = given.pop("label", path.stem), given.pop("seed", None)
    watching = {key: given.pop(key) for key in Watching.model_fields if key in given}
    wrong = _heading_problems(label, seed) + _strangers(given)
    config = _model(TownletConfig, given, wrong)
    watched = _model(Watching, watching, wrong)
    if config is None or watched is None or wrong:
        complaints = (Complaint(source.place_of(where), where, words) for where, words in wrong)
        raise SourceError(tuple(complaints))
    return LoadedTown(label, seed, config, watched.stability, watched.snapshot, source.files)


def _strangers(given: dict[str, Any]) -> list[tuple[KeyPath, str]]:
    """Take out the keys that no file of a town has, and say which there are."""
    known = [*BESIDE, *TownletConfig.model_fields]
    unknown = [key for key in given if key not in TownletConfig.model_fields]
    wrong: list[tuple[KeyPath, str]] = [
        ((key,), unknown_key((key,), given, known)) for key in unknown
    ]
    for key in unknown:
        del given[key]
    return wrong


def _model(model: type[M], given: dict[str, Any], wrong: list[tuple[KeyPath, str]]) -> M | None:
    """`given` as a `model`; None if that cannot be, with the reasons added to `wrong`."""
    try:
        return model.model_validate(given)
    except pydantic.ValidationError as error:
        wrong += [(one.path, one.words) for one in problems_of(model, error, given)]
        return None


def _heading_problems(label: Any, seed: Any) -> list[tuple[KeyPath, str]]:
    """What is wrong with the two keys that are no settings of the town."""
    wrong: list[tuple[KeyPath, str]] = []
    if not isinstance(label, str) or not LABEL.fullmatch(label):
        words = "allowed: up to 40 small letters, digits, _ and -, none of the signs first"
        wrong.append((("label",), f"label is {label!r} ({words})"))
    if seed is None:
        wrong.append((("seed",), "seed is missing; give an integer, so that the town can be rerun"))
    elif isinstance(seed, bool) or not isinstance(seed, int) or not 0 <= seed <= SEED_MAX:
        wrong.append((("seed",), f"seed is {seed!r} (allowed: an integer from 0 to {SEED_MAX})"))
    return wrong
