"""What a setting takes, read off its type and told in words of the person who wrote the file."""

from __future__ import annotations

import types
import typing
from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

import pydantic
from annotated_types import Ge, Gt, Le, Lt, MaxLen, MinLen
from pydantic.fields import FieldInfo

KeyPath = tuple[str | int, ...]
"""The keys and list indices that lead to a setting."""

_WRAPPERS: Final = (typing.Annotated, typing.Union, types.UnionType)
_KINDS: Final[Mapping[Any, tuple[str, str]]] = {
    int: ("a whole number", "whole numbers"),
    float: ("a number", "numbers"),
    str: ("a text", "texts"),
    bool: ("true or false", "true or false"),
}
"""One of a kind, and several."""


class Setting(NamedTuple):
    """What a place in a config takes."""

    kind: Any
    limits: Sequence[Any]


def setting_at(model: type[pydantic.BaseModel], path: KeyPath) -> Setting:
    """What the place at `path` takes; nothing is known where the path leads nowhere."""
    setting = Setting(model, ())
    for part in path:
        setting = _within(setting.kind, part)
    return setting


def plain(kind: Any) -> Any:
    """A type without its annotations and without `| None`."""
    while typing.get_origin(kind) in _WRAPPERS:
        kind = typing.get_args(kind)[0]
    return kind


def choices(setting: Setting) -> list[str]:
    """The words a setting takes, where it takes only some."""
    kind = plain(setting.kind)
    return list(typing.get_args(kind)) if typing.get_origin(kind) is typing.Literal else []


def keys_of(setting: Setting) -> tuple[str, ...]:
    """The keys of a setting, where it takes only some."""
    kind = plain(setting.kind)
    if isinstance(kind, type) and issubclass(kind, pydantic.BaseModel):
        return tuple(kind.model_fields)
    return ()


def allowed(setting: Setting, *, said: bool = True) -> str:
    """What a setting takes, in words: its keys, its choices, its bounds or its entries.

    Unless it was `said` that a number or a text belongs there, that is told too.
    """
    if keys := keys_of(setting):
        return f" (known keys: {', '.join(keys)})"
    kind = plain(setting.kind)
    if kind is bool:
        return " (allowed: true, false)"
    if words := choices(setting):
        return f" (allowed: {', '.join(repr(word) for word in words)})"
    bounds = _bounds(setting.limits)
    if typing.get_origin(kind) in (tuple, list, dict):
        parts = [_one(setting)]
    elif said or kind not in _KINDS:
        parts = bounds
    else:
        parts = [_KINDS[kind][0], *bounds]
    return f" (allowed: {', '.join(parts)})" if parts else ""


def _one(setting: Setting) -> str:
    """Something of that kind."""
    kind, arguments = plain(setting.kind), typing.get_args(plain(setting.kind))
    match typing.get_origin(kind):
        case origin if origin in (tuple, list):
            return f"a list of {_entries(arguments, setting.limits)}"
        case origin if origin is dict:
            count = _count(setting.limits)
            sizes = f" with {count} entries" if count else ""
            return f"a mapping{sizes} from {_several(arguments[0])} to {_several(arguments[1])}"
        case _:
            if keys := keys_of(setting):
                return f"a mapping with the keys {', '.join(keys)}"
            if words := choices(setting):
                return " or ".join(repr(word) for word in words)
            return ", ".join([_KINDS.get(kind, ("a value", ""))[0], *_bounds(setting.limits)])


def _entries(arguments: Sequence[Any], limits: Sequence[Any]) -> str:
    """What a list holds: a number of like ones, or one after another."""
    if ... in arguments or len(arguments) == 1:
        return " ".join(filter(None, [_count(limits), _several(arguments[0])]))
    if all(argument == arguments[0] for argument in arguments):
        return f"{len(arguments)} {_several(arguments[0])}"
    inner = (_one(_of_type(argument)) for argument in arguments)
    return f"{len(arguments)}: {'; '.join(inner)}"


def _several(argument: Any) -> str:
    """Some of that kind, and what is asked of each."""
    setting = _of_type(argument)
    kind, bounds = plain(argument), _bounds(setting.limits)
    if keys := keys_of(setting):
        return f"mappings with the keys {', '.join(keys)}"
    if words := choices(setting):
        return f"the words {', '.join(repr(word) for word in words)}"
    if typing.get_origin(kind) in (tuple, list, dict):
        return _one(setting).replace("a list", "lists", 1).replace("a mapping", "mappings", 1)
    name = _KINDS.get(kind, ("", "values"))[1]
    return f"{name}, each {', '.join(bounds)}" if bounds else name


def _of_type(kind: Any) -> Setting:
    return Setting(kind, _limits(kind))


def _within(kind: Any, part: str | int) -> Setting:
    kind = plain(kind)
    if isinstance(kind, type) and issubclass(kind, pydantic.BaseModel):
        field = kind.model_fields.get(str(part))
        if field is None:
            return Setting(None, ())
        return Setting(field.annotation, [*field.metadata, *_limits(field.annotation)])
    arguments = typing.get_args(kind)
    if typing.get_origin(kind) is dict:
        inner = arguments[0] if part == "[key]" else arguments[1]
    elif typing.get_origin(kind) in (tuple, list) and isinstance(part, int):
        inner = arguments[0] if ... in arguments else arguments[min(part, len(arguments) - 1)]
    else:
        return Setting(None, ())
    return _of_type(inner)


def _limits(kind: Any) -> list[Any]:
    """What the annotations of a type add to it."""
    limits: list[Any] = []
    while typing.get_origin(kind) in _WRAPPERS:
        for limit in getattr(kind, "__metadata__", ()):
            limits += limit.metadata if isinstance(limit, FieldInfo) else [limit]
        kind = typing.get_args(kind)[0]
    return limits


def _bounds(limits: Sequence[Any]) -> list[str]:
    bounds: list[str] = []
    for limit in limits:
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
    return bounds


def _count(limits: Sequence[Any]) -> str:
    """How many there may be, in words; nothing where any number may."""
    least = max((one.min_length for one in limits if isinstance(one, MinLen)), default=0)
    most = min((one.max_length for one in limits if isinstance(one, MaxLen)), default=None)
    if most is None:
        return f"at least {least}" if least else ""
    return f"{least} to {most}" if least else f"at most {most}"
