"""What an adapter refuses."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Concatenate, NoReturn, ParamSpec, Protocol, TypeVar

from astrarium.errors import AstrariumError, ClosedError
from astrarium.extras import missing_package
from astrarium.worlds import VectorWorld

_ARGS = ParamSpec("_ARGS")
_RESULT = TypeVar("_RESULT")


class UnsupportedWorldError(AstrariumError, ValueError):
    """A world that the library has no form for."""


class UnsupportedCallError(AstrariumError, AttributeError):
    """Something asked of one world that only the whole batch can do."""


class UnknownAgentError(AstrariumError, KeyError):
    """No agent of this world has this name."""

    def __str__(self) -> str:
        # KeyError would show the message quoted, as if it were the key.
        return Exception.__str__(self)


class _Adapter(Protocol):
    @property
    def world(self) -> VectorWorld: ...


_ADAPTER = TypeVar("_ADAPTER", bound=_Adapter)


def refuses_closed(
    method: Callable[Concatenate[_ADAPTER, _ARGS], _RESULT],
) -> Callable[Concatenate[_ADAPTER, _ARGS], _RESULT]:
    """A method that says of itself that it was closed, not of the batch it was made with."""

    @functools.wraps(method)
    def refusing(self: _ADAPTER, *args: _ARGS.args, **kwargs: _ARGS.kwargs) -> _RESULT:
        try:
            return method(self, *args, **kwargs)
        except ClosedError:
            name, world_id = type(self).__name__, self.world.world_id
            raise ClosedError(f"this {name} of {world_id} was closed; make a new one") from None

    return refusing


def explain_missing(error: ModuleNotFoundError, extra: str, *packages: str) -> NoReturn:
    """Name the extra that brings what could not be imported.

    Anything but `packages` themselves is left as it is: then a library is installed but broken,
    and the extra would not mend it.
    """
    name = (error.name or "").split(".")[0]
    if name not in packages:
        raise error
    raise missing_package(name, extra) from error
