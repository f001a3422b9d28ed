"""What can go wrong in training, each with what to do about it."""

from __future__ import annotations

from astrarium.errors import AstrariumError


class NonFiniteError(AstrariumError, ArithmeticError):
    """A number that is not finite appeared; nothing was learned from it."""


class UnlearnableWorldError(AstrariumError, ValueError):
    """A batch the trainer cannot learn from."""


class PolicyMismatchError(AstrariumError, ValueError):
    """A checkpoint of another world, shape or architecture."""


class SweepError(AstrariumError, RuntimeError):
    """A sweep that cannot go on."""
