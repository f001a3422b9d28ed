"""World settings: frozen, complete, and refused with advice when they are wrong."""

from __future__ import annotations

import typing
from collections.abc import Mapping
from typing import Any, TypeVar

import pydantic
from annotated_types import Ge, Gt, Le, Lt
from pydantic.fields import FieldInfo

from astrarium.errors import ConfigError, did_you_mean


class WorldConfig(pydantic.BaseModel):
    """Settings of a world, fixed for the life of a batch. Each world has its own subclass."""

    model_config = pydantic.ConfigDict(frozen=True, extra="forbid")


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
        problems = "\n".join(_words(model, dict(one)) for one in error.errors())
        raise ConfigError(_prefix(where) + problems) from None
    except (TypeError, ValueError) as error:
        raise ConfigError(
            f"{_prefix(where)}config is a {type(given).__name__}; "
            f"give a {model.__name__} or a mapping"
        ) from error


def _prefix(where: str) -> str:
    return f"{where}: " if where else ""


def _words(model: type[pydantic.BaseModel], error: dict[str, Any]) -> str:
    path = tuple(str(part) for part in error["loc"])
    key = ".".join(path)
    owner = _owner(model, path)
    known = list(owner.model_fields) if owner else []
    if error["type"] == "extra_forbidden":
        keys = ", ".join(known) or "none"
        return f"unknown key {key!r}{did_you_mean(path[-1], known)} (known keys: {keys})"
    if error["type"] == "missing":
        return f"{key} is missing; give it a value"
    field = owner.model_fields.get(path[-1]) if owner and path else None
    allowed = _allowed(field) if field else ""
    message = str(error["msg"])
    return f"{key} is {error['input']!r}: {message[:1].lower()}{message[1:]}{allowed}"


def _owner(
    model: type[pydantic.BaseModel], path: tuple[str, ...]
) -> type[pydantic.BaseModel] | None:
    """The model that holds the last key of `path`, if the path leads through plain models."""
    owner = model
    for part in path[:-1]:
        field = owner.model_fields.get(part)
        inner = field.annotation if field else None
        if not (isinstance(inner, type) and issubclass(inner, pydantic.BaseModel)):
            return None
        owner = inner
    return owner


def _allowed(field: FieldInfo) -> str:
    """What a field takes, in words: its bounds or its choices."""
    choices = typing.get_args(field.annotation)
    if typing.get_origin(field.annotation) is typing.Literal:
        return f" (allowed: {', '.join(repr(choice) for choice in choices)})"
    bounds: list[str] = []
    for limit in field.metadata:
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
