"""What an adapter refuses."""

from __future__ import annotations

from typing import NoReturn

from astrarium.errors import AstrariumError


class MissingPackageError(AstrariumError, ImportError):
    """The library an adapter is for is not installed."""


class UnsupportedWorldError(AstrariumError, ValueError):
    """A world that the library has no form for."""


class UnsupportedCallError(AstrariumError, AttributeError):
    """Something asked of one world that only the whole batch can do."""


def explain_missing(error: ModuleNotFoundError, extra: str, *packages: str) -> NoReturn:
    """Name the extra that brings what could not be imported.

    Anything but `packages` themselves is left as it is: then a library is installed but broken,
    and the extra would not mend it.
    """
    name = (error.name or "").split(".")[0]
    if name not in packages:
        raise error
    raise MissingPackageError(
        f'{name} is not installed: pip install "astrarium[{extra}]"', name=name
    ) from error
