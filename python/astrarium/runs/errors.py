"""What can be wrong with a run: each error says where, and what to do about it."""

from __future__ import annotations

from astrarium.errors import AstrariumError


class RunError(AstrariumError):
    """The base of every error about a run."""


class RunNameError(RunError, ValueError):
    """An id that no run or replay can have, or a path that leads out of its run."""


class RunNotFoundError(RunError, FileNotFoundError):
    """There is no run here."""


class RunExistsError(RunError, FileExistsError):
    """The id asked for belongs to another run."""


class RunBusyError(RunError, RuntimeError):
    """Another process is writing this run."""


class RunOrderError(RunError, RuntimeError):
    """The writer was asked for something that cannot come next."""


class DamagedRunError(RunError, ValueError):
    """A file of the run is not what a writer left there."""


class ConfigChangedError(RunError, ValueError):
    """The config of a run is no longer the one that the run was begun with."""


class CheckpointError(RunError, ValueError):
    """A checkpoint that cannot be used."""


class NoCheckpointError(CheckpointError):
    """There is no checkpoint to load or to resume from."""


class ReplayError(RunError, ValueError):
    """A replay that cannot be used, or is not there."""
