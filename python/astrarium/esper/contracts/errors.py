"""What can go wrong in Esper, each with what to do about it."""

from __future__ import annotations

from astrarium.errors import AstrariumError


class EsperError(AstrariumError):
    """Anything Esper refuses."""


class IllegalTransitionError(EsperError, ValueError):
    """A seed was to enter a stage that cannot follow its present one."""


class MutationError(EsperError, ValueError):
    """An action that cannot be carried out on this host."""


class BlueprintError(EsperError, ValueError):
    """A blueprint that does not exist, does not fit the host, or breaks its promise."""


class RoutingError(EsperError, ValueError):
    """A part of a host that does not exist, or lies behind."""


class IsolationError(EsperError, RuntimeError):
    """A seed in training was seen to touch its host."""


class MaskError(EsperError, RuntimeError):
    """A head without a legal choice: the state machine is broken."""


class MeasurementError(EsperError, ArithmeticError):
    """A figure that is not finite, where one must be."""


class RewardError(EsperError, ValueError):
    """A reward mode without an input it needs."""


class DatasetError(EsperError, FileNotFoundError):
    """Data that is not there, or is not what it should be."""


class HappeningError(EsperError, ValueError):
    """A line of world events that this version does not know, or that is not whole."""
