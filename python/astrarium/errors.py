"""Every error Astrarium raises on purpose.

Each is also the builtin a caller would expect, so `except ValueError` works. Whatever was asked,
the world is left as it was, with one exception: after `WorldPanicError` it must be reset or
restored. The native module raises these same classes.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable


class AstrariumError(Exception):
    """The base of all of them."""


class UnknownWorldError(AstrariumError, KeyError):
    """No world has this id."""

    def __str__(self) -> str:
        # KeyError would show the message quoted, as if it were the key.
        return Exception.__str__(self)


class DuplicateWorldError(AstrariumError, ValueError):
    """Two worlds claim the same id."""


class ConfigError(AstrariumError, ValueError):
    """A setting is unknown or has a value outside its range."""


class UnknownSettingError(ConfigError, TypeError):
    """A keyword argument that no setting is called by.

    Other libraries try a keyword and look for Python's own `TypeError` to leave it out.
    """


class CountError(AstrariumError, ValueError):
    """A number of worlds or threads that no batch can have."""


class OutOfMemoryError(AstrariumError, MemoryError):
    """A batch is larger than the memory there is."""


class ActionError(AstrariumError, ValueError):
    """Actions or controls of the wrong shape or dtype, or not finite."""


class CommandError(AstrariumError, ValueError):
    """A world was given a command it does not understand."""


class UnknownBlockError(AstrariumError, LookupError):
    """A world was asked for a part of its state that it does not tell."""


class ShapeError(AstrariumError, ValueError):
    """An array of another size, type or order than the call needs."""


class SeedError(AstrariumError, ValueError):
    """A seed that is not an integer from 0 to 2**64 - 1, or too few or too many of them."""


class WorldIndexError(AstrariumError, IndexError):
    """An index of a world that this batch does not have."""


class SnapshotError(AstrariumError, ValueError):
    """Bytes that are not a snapshot of a batch like this one."""


class PackageError(AstrariumError, ValueError):
    """A battle package that cannot be fought; begins with the path of the field."""


class BattleReplayError(AstrariumError, ValueError):
    """Bytes that are no replay of a battle, or a replay that does not hold."""


class EpisodeOverError(AstrariumError, RuntimeError):
    """An ended world was stepped while autoreset is disabled, or given a command."""


class ResetNeededError(AstrariumError, RuntimeError):
    """An environment was stepped before its first reset."""


class WorldPanicError(AstrariumError, RuntimeError):
    """A rule of the world broke: a bug in the world, not in the call."""


class ConcurrentUseError(AstrariumError, RuntimeError):
    """Two threads used one batch at the same time."""


class ForkedProcessError(AstrariumError, RuntimeError):
    """A batch with threads was used in a child of the process that made it."""


class UncopyableError(AstrariumError, TypeError):
    """A batch was pickled or copied."""


class MissingPackageError(AstrariumError, ImportError):
    """A library that only some users need is not installed; the message names the extra."""


class LedgerError(AstrariumError, RuntimeError):
    """A battle in which something was lost or made from nothing: a bug in its rules."""


class DebugOnlyError(AstrariumError, PermissionError):
    """Something only debugging may see."""


class ClosedError(AstrariumError, RuntimeError):
    """The batch was closed."""


def did_you_mean(given: str, known: Iterable[str]) -> str:
    """`"; did you mean 'x'?"`, or nothing when no known name is close."""
    close = difflib.get_close_matches(given, list(known), n=1)
    return f"; did you mean {close[0]!r}?" if close else ""
