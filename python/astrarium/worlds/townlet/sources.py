"""A town's files as one document: includes merged, the manifest of objects read in.

`include` at the top of a file lists other files, or patterns such as `perturbations/*.yaml`; they
are merged in that order and the file's own keys win. `affordances.affordances_file` names a list of
entries: those of `type: object` are objects, those with `include` are further lists, the others
affordances. Paths start from the file that names them and stay in the folder of the first one.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, NoReturn, cast

from astrarium.errors import ConfigError
from astrarium.worlds.config import KeyPath
from astrarium.worlds.townlet.documents import FaultError, parse

FILES_MAX: Final = 64
NESTING_MAX: Final = 8


@dataclass(frozen=True, slots=True)
class Place:
    """Where something was written."""

    file: str
    """Relative to the folder of the first file."""
    line: int | None

    def __str__(self) -> str:
        return self.file if self.line is None else f"{self.file}:{self.line}"


@dataclass(frozen=True, slots=True)
class Complaint:
    """One thing wrong with a town's files."""

    place: Place
    path: KeyPath
    """Of the setting in the merged document; empty where it is about the file."""
    words: str

    def __str__(self) -> str:
        return f"{self.place}: {self.words}"


class SourceError(ConfigError):
    """A town's files cannot be used; `complaints` says what is wrong where."""

    def __init__(self, complaints: tuple[Complaint, ...]) -> None:
        super().__init__("\n".join(map(str, complaints)))
        self.complaints = complaints


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A file that was read, and what it held then."""

    file: str
    sha256: str


@dataclass(slots=True)
class Source:
    """The merged document and where its parts come from."""

    document: dict[str, Any]
    places: dict[KeyPath, Place]
    files: tuple[SourceFile, ...] = ()

    def place_of(self, path: KeyPath) -> Place:
        """Where the setting at `path`, or the nearest thing around it, was written."""
        while path not in self.places and path:
            path = path[:-1]
        return self.places[path]


def read(path: Path) -> Source:
    """Read a town's file with all it includes. Raises a `SourceError`."""
    reading = _Reading(path.absolute().parent.resolve())
    source = reading.document(reading.root / path.name)
    source.files = tuple(reading.files.values())
    return source


@dataclass(slots=True)
class _Reading:
    """One reading of a town: which folder it may see, and what it has seen."""

    root: Path
    files: dict[Path, SourceFile] = field(default_factory=dict[Path, SourceFile])
    open: list[Path] = field(default_factory=list[Path])
    """The files being read, each included by the one before."""

    def document(self, path: Path) -> Source:
        """A file of settings and everything it includes, merged."""
        values, places = self._parsed(path)
        if not isinstance(values, dict):
            self._refuse(path, f"holds {_kind(values)}; a town is a mapping of nodes")
        own = cast("dict[str, Any]", values)
        included: Any = own.pop("include", [])
        patterns = cast("list[Any]", included if isinstance(included, list) else [included])
        merged = Source({}, {(): places[()]})
        for pattern in patterns:
            line = places[("include",)].line
            for inner in self._matching(path, pattern, line):
                part = self.document(inner)
                _merge(merged, part.document, part.places)
        manifest = own.get("affordances")
        if isinstance(manifest, dict) and "affordances_file" in manifest:
            self._read_manifest(path, own, places)
        _merge(merged, own, places)
        self.open.pop()
        return merged

    def _read_manifest(self, path: Path, own: dict[str, Any], places: dict[KeyPath, Place]) -> None:
        node = cast("dict[str, Any]", own["affordances"])
        line = places[("affordances", "affordances_file")].line
        named = node.pop("affordances_file")
        if node:
            words = f"affordances has a file and also {', '.join(node)}; give one or the other"
            self._refuse(path, words, line)
        for inner in self._matching(path, named, line):
            for kind in ("objects", "affordances"):
                node.setdefault(kind, [])
                places[("affordances", kind)] = Place(self._shown(inner), None)
            self._entries(inner, node, places)

    def _entries(self, path: Path, node: dict[str, Any], places: dict[KeyPath, Place]) -> None:
        """Add the entries of one file of the manifest."""
        values, own_places = self._parsed(path)
        if not isinstance(values, list):
            self._refuse(path, f"holds {_kind(values)}; a manifest is a list of entries")
        for index, value in enumerate(cast("list[Any]", values)):
            line = own_places[(index,)].line
            if not isinstance(value, dict):
                self._refuse(
                    path, f"entry {index + 1} is {_kind(value)}; it must be a mapping", line
                )
            entry = cast("dict[str, Any]", value)
            if set(entry) == {"include"}:
                for inner in self._matching(path, entry["include"], line):
                    self._entries(inner, node, places)
                continue
            kind = entry.pop("type", "affordance")
            if kind not in ("object", "affordance"):
                self._refuse(path, f"type is {kind!r} (allowed: 'object', 'affordance')", line)
            listed = node[f"{kind}s"]
            for key, place in own_places.items():
                if key[:1] == (index,):
                    places[("affordances", f"{kind}s", len(listed), *key[1:])] = place
            listed.append(entry)
        self.open.pop()

    def _parsed(self, path: Path) -> tuple[Any, dict[KeyPath, Place]]:
        """A file's values and the places of all of them. It stays open until it is popped."""
        if len(self.open) >= NESTING_MAX:
            self._refuse(self.open[-1], f"is included more than {NESTING_MAX} deep")
        if len(self.files) >= FILES_MAX and path not in self.files:
            self._refuse(path, f"is one file too many; a town has at most {FILES_MAX}")
        try:
            values, lines, data = parse(path)
        except FaultError as fault:
            self._refuse(path, str(fault), fault.line)
        self.open.append(path)
        shown = self._shown(path)
        self.files[path] = SourceFile(shown, hashlib.sha256(data).hexdigest())
        return values, {key: Place(shown, line) for key, line in lines.items()}

    def _matching(self, path: Path, pattern: Any, line: int | None) -> list[Path]:
        """The files that `path` means by `pattern`, in order of their names."""
        if not isinstance(pattern, str) or not pattern:
            self._refuse(
                path, f"includes {pattern!r}; give a path such as perturbations/*.yaml", line
            )
        if "**" in pattern:
            self._refuse(path, f"includes {pattern!r}; name the folder, ** is not taken", line)
        if Path(pattern).is_absolute() or ".." in Path(pattern).parts:
            self._refuse(path, f"includes {pattern!r}, outside the folder of the town", line)
        named = [path.parent / pattern]
        found = sorted(path.parent.glob(pattern)) if "*" in pattern else named
        if not found:
            self._refuse(path, f"includes {pattern!r}, which matches no file", line)
        resolved = [one.resolve() for one in found]
        for one in resolved:
            # A link may lead out as well as a path can.
            if not one.is_relative_to(self.root):
                self._refuse(path, f"includes {pattern!r}, outside the folder of the town", line)
            if one in self.open:
                chain = " -> ".join(self._shown(link) for link in [*self.open, one])
                self._refuse(path, f"includes itself: {chain}", line)
            if not one.is_file():
                self._refuse(path, f"includes {pattern!r}, but {self._shown(one)} is no file", line)
        return resolved

    def _shown(self, path: Path) -> str:
        return str(path.relative_to(self.root)) if path.is_relative_to(self.root) else path.name

    def _refuse(self, path: Path, words: str, line: int | None = None) -> NoReturn:
        raise SourceError((Complaint(Place(self._shown(path), line), (), words),))


def _merge(into: Source, values: Mapping[str, Any], places: Mapping[KeyPath, Place]) -> None:
    """Put `values` over what is there; mappings are merged, anything else is replaced."""
    into.document = _over(into.document, values)
    into.places.update(places)


def _over(below: Any, above: Any) -> Any:
    if not isinstance(below, Mapping) or not isinstance(above, Mapping):
        return above
    lower, upper = cast("Mapping[str, Any]", below), cast("Mapping[str, Any]", above)
    merged = {key: _over(lower[key], upper[key]) if key in upper else lower[key] for key in lower}
    return merged | {key: upper[key] for key in upper if key not in lower}


def _kind(value: Any) -> str:
    match value:
        case None:
            return "nothing"
        case list():
            return "a list"
        case dict():
            return "a mapping"
        case _:
            return repr(value)[:60]
