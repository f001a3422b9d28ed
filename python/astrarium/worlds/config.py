"""World settings: frozen, complete, and refused with advice when they are wrong."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar, NamedTuple, TypeVar

import pydantic

from astrarium.errors import ConfigError, UnknownSettingError, did_you_mean
from astrarium.worlds.allowed import KeyPath as KeyPath
from astrarium.worlds.allowed import allowed, choices, plain, setting_at


class WorldConfig(pydantic.BaseModel):
    """Settings of a world, fixed for the life of a batch. Each world has its own subclass."""

    model_config = pydantic.ConfigDict(frozen=True, extra="forbid")

    file_settings: ClassVar[tuple[str, ...]] = ()
    """Settings that may be given as a `pathlib.Path`: what the file holds takes its place."""

    @classmethod
    def files_read(cls, given: Mapping[str, Any]) -> dict[str, Any]:
        """Return settings with the content of files in place of their paths.

        Raises a `ConfigError` that names the file and what is wrong in it.
        """
        for key, value in given.items():
            if isinstance(value, Path):
                words = ", ".join(cls.file_settings) or "none here"
                raise ConfigError(f"{key} is a path; settings that may be given as one: {words}")
        return dict(given)


class Problem(NamedTuple):
    """One thing wrong with a config: where, and in words that begin with the key."""

    path: KeyPath
    words: str


class UnfitError(ValueError):
    """For validators: settings that are each allowed, but do not go together."""

    def __init__(self, problems: Sequence[tuple[KeyPath, str]]) -> None:
        super().__init__("; ".join(words for _, words in problems))
        self.problems = tuple(problems)


C = TypeVar("C", bound=pydantic.BaseModel)


def parse_config(
    model: type[C], given: Mapping[str, Any] | pydantic.BaseModel | None, *, where: str = ""
) -> C:
    """`given` as a `model`. Raises a `ConfigError` that names each bad key and its remedy.

    `where` says in the message whose config it is, such as a world's id.
    """
    if isinstance(given, model):
        return given
    if isinstance(given, pydantic.BaseModel):
        raise ConfigError(
            f"{_prefix(where)}config is a {type(given).__name__}; "
            f"give a {model.__name__} or a mapping"
        )
    try:
        settings = dict(given or {})
        if issubclass(model, WorldConfig):
            settings = model.files_read(settings)
        return model.model_validate(settings)
    except ConfigError as error:
        raise ConfigError(f"{_prefix(where)}{error}") from error
    except pydantic.ValidationError as error:
        problems = "\n".join(problem.words for problem in problems_of(model, error, given))
        raise ConfigError(_prefix(where) + problems) from None
    except (TypeError, ValueError) as error:
        raise ConfigError(
            f"{_prefix(where)}config is a {type(given).__name__}; "
            f"give a {model.__name__} or a mapping"
        ) from error


def config_with_fields(
    model: type[C],
    given: Mapping[str, Any] | pydantic.BaseModel | None,
    fields: Mapping[str, Any],
    *,
    where: str = "",
) -> C:
    """Return `given` as a `model`, with the keyword arguments `fields` in place of its own.

    Raises an `UnknownSettingError` for a keyword that no setting is called by.
    """
    config = parse_config(model, given, where=where)
    if not fields:
        return config
    known = list(model.model_fields)
    for name in fields:
        if name not in known:
            # Other libraries look for Python's words.
            raise UnknownSettingError(
                f"{_prefix(where)}unexpected keyword argument {name!r}{did_you_mean(name, known)} "
                f"(known keys: {', '.join(known) or 'none'})"
            )
    return parse_config(model, {**config.model_dump(), **fields}, where=where)


def problems_of(
    model: type[pydantic.BaseModel], error: pydantic.ValidationError, given: Any
) -> Iterator[Problem]:
    """What `error` found wrong with `given`, in words of the person who wrote it."""
    for one in error.errors():
        cause = one.get("ctx", {}).get("error")
        if isinstance(cause, UnfitError):
            for inner, words in cause.problems:
                path = (*one["loc"], *inner)
                yield Problem(path, f"{_key(path, given)}: {words}")
        else:
            yield Problem(one["loc"], _words(model, dict(one), given))


def _prefix(where: str) -> str:
    return f"{where}: " if where else ""


def _words(model: type[pydantic.BaseModel], error: dict[str, Any], given: Any) -> str:
    path: KeyPath = error["loc"]
    if path and path[-1] == "[key]":
        return unknown_key(path[:-1], given, choices(setting_at(model, (*path[:-2], "[key]"))))
    key = _key(path, given)
    if error["type"] == "extra_forbidden":
        owner = plain(setting_at(model, path[:-1]).kind)
        return unknown_key(path, given, list(getattr(owner, "model_fields", ())))
    setting = setting_at(model, path)
    if error["type"] == "missing":
        return f"{key} is missing; give it a value{allowed(setting, said=False)}"
    message = _message(error)
    message = f"{message[:1].lower()}{message[1:]}{allowed(setting)}"
    found = error["input"]
    if isinstance(found, Mapping | pydantic.BaseModel):
        return f"{key}: {message}"  # the whole of it would bury what is wrong
    close = did_you_mean(found, choices(setting)) if isinstance(found, str) else ""
    return f"{key} is {found!r}: {message}{close}"


def _message(error: Mapping[str, Any]) -> str:
    """What is wrong, to somebody who writes files: no instances, tuples and dictionaries."""
    asked = error.get("ctx", {})
    match error["type"]:
        case "model_type" | "dict_type":
            return "must be a mapping"
        case "tuple_type" | "list_type":
            return "must be a list"
        case "too_long":
            return f"must have at most {asked['max_length']} entries"
        case "too_short":
            least = asked["min_length"]
            return f"must have at least {least} {'entry' if least == 1 else 'entries'}"
        case _:
            return str(error["msg"]).removeprefix("Value error, ")


def unknown_key(path: KeyPath, given: Any, known: Sequence[str]) -> str:
    """What is said of a key that is none of those known at its place."""
    keys = ", ".join(known) or "none"
    close = did_you_mean(str(path[-1]), known)
    return f"unknown key {_key(path, given)!r}{close} (known keys: {keys})"


def _key(path: KeyPath, given: Any) -> str:
    """The path as people write it; an entry of a list goes by its id where it has one."""
    parts: list[str] = []
    for part in path:
        given = _item(given, part)
        name = _item(given, "id") if isinstance(part, int) else None
        parts.append(name if isinstance(name, str) else str(part))
    return ".".join(parts)


def _item(node: Any, part: str | int) -> Any:
    try:
        return node[part]
    except (KeyError, IndexError, TypeError):
        return None
