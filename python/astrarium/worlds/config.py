"""World settings: frozen, complete, and refused with advice when they are wrong."""

from __future__ import annotations

import types
import typing
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple, TypeVar

import pydantic
from annotated_types import Ge, Gt, Le, Lt
from pydantic.fields import FieldInfo

from astrarium.errors import ConfigError, did_you_mean

KeyPath = tuple[str | int, ...]
"""The keys and list indices that lead to a setting."""


class WorldConfig(pydantic.BaseModel):
    """Settings of a world, fixed for the life of a batch. Each world has its own subclass."""

    model_config = pydantic.ConfigDict(frozen=True, extra="forbid")


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
        return model.model_validate(dict(given or {}))
    except pydantic.ValidationError as error:
        problems = "\n".join(problem.words for problem in problems_of(model, error, given))
        raise ConfigError(_prefix(where) + problems) from None
    except (TypeError, ValueError) as error:
        raise ConfigError(
            f"{_prefix(where)}config is a {type(given).__name__}; "
            f"give a {model.__name__} or a mapping"
        ) from error


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
        return unknown_key(path[:-1], given, _choices(_setting(model, (*path[:-2], "[key]"))))
    key = _key(path, given)
    if error["type"] == "extra_forbidden":
        owner = _plain(_setting(model, path[:-1]).kind)
        return unknown_key(path, given, list(getattr(owner, "model_fields", ())))
    if error["type"] == "missing":
        return f"{key} is missing; give it a value{_allowed(_setting(model, path))}"
    setting = _setting(model, path)
    message = str(error["msg"]).removeprefix("Value error, ")
    if error["type"] == "model_type":
        message = "must be a mapping"  # whoever writes a file knows no dictionaries and instances
    message = f"{message[:1].lower()}{message[1:]}{_allowed(setting)}"
    found = error["input"]
    if isinstance(found, Mapping | pydantic.BaseModel):
        return f"{key}: {message}"  # the whole of it would bury what is wrong
    close = did_you_mean(found, _choices(setting)) if isinstance(found, str) else ""
    return f"{key} is {found!r}: {message}{close}"


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


class _Setting(NamedTuple):
    """What a place in a config takes."""

    kind: Any
    limits: Sequence[Any]


def _setting(model: type[pydantic.BaseModel], path: KeyPath) -> _Setting:
    """What the place at `path` takes; nothing is known where the path leads nowhere."""
    setting = _Setting(model, ())
    for part in path:
        setting = _within(setting.kind, part)
    return setting


def _within(kind: Any, part: str | int) -> _Setting:
    kind = _plain(kind)
    if isinstance(kind, type) and issubclass(kind, pydantic.BaseModel):
        field = kind.model_fields.get(str(part))
        if field is None:
            return _Setting(None, ())
        return _Setting(field.annotation, [*field.metadata, *_limits(field.annotation)])
    arguments = typing.get_args(kind)
    if typing.get_origin(kind) is dict:
        inner = arguments[0] if part == "[key]" else arguments[1]
    elif typing.get_origin(kind) is tuple and isinstance(part, int):
        inner = arguments[0] if ... in arguments else arguments[min(part, len(arguments) - 1)]
    else:
        return _Setting(None, ())
    return _Setting(inner, _limits(inner))


_WRAPPERS: Final = (typing.Annotated, typing.Union, types.UnionType)


def _plain(kind: Any) -> Any:
    """A type without its annotations and without `| None`."""
    while typing.get_origin(kind) in _WRAPPERS:
        kind = typing.get_args(kind)[0]
    return kind


def _limits(kind: Any) -> list[Any]:
    """What the annotations of a type add to it."""
    limits: list[Any] = []
    while typing.get_origin(kind) in _WRAPPERS:
        for limit in getattr(kind, "__metadata__", ()):
            limits += limit.metadata if isinstance(limit, FieldInfo) else [limit]
        kind = typing.get_args(kind)[0]
    return limits


def _choices(setting: _Setting) -> list[str]:
    kind = _plain(setting.kind)
    return list(typing.get_args(kind)) if typing.get_origin(kind) is typing.Literal else []


def _allowed(setting: _Setting) -> str:
    """What a setting takes, in words: its keys, its choices or its bounds."""
    kind = _plain(setting.kind)
    if isinstance(kind, type) and issubclass(kind, pydantic.BaseModel):
        return f" (known keys: {', '.join(kind.model_fields)})"
    if kind is bool:
        return " (allowed: true, false)"
    if choices := _choices(setting):
        return f" (allowed: {', '.join(repr(choice) for choice in choices)})"
    bounds: list[str] = []
    for limit in setting.limits:
        match limit:
            case Ge(ge=bound):
                bounds.append(f"at least {bound}")
            case Gt(gt=bound):
                bounds.append(f"more than {bound}")
            case Le(le=bound):
                bounds.append(f"at most {bound}")
            case Lt(lt=bound):
                bounds.append(f"less than {bound}")
            case _:
                pass
    return f" (allowed: {', '.join(bounds)})" if bounds else ""
