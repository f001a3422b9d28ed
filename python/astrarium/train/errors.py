"""What can go wrong in training, each with what to do about it."""

from __future__ import annotations

from astrarium.errors import AstrariumError


class NonFiniteError(AstrariumError, ArithmeticError):
    """A number that is not finite appeared; nothing was learned from it."""


class UnlearnableWorldError(AstrariumError, ValueError):
    """A batch the trainer cannot learn from."""


class PolicyMismatchError(AstrariumError, ValueError):
    """A checkpoint of another world, shape or architecture."""


class NoPolicyError(AstrariumError, ValueError):
    """A run of the random baseline where a trained policy is needed."""


class SweepError(AstrariumError, RuntimeError):
    """A sweep that cannot go on."""


class CaptureError(AstrariumError, ValueError):
    """Captures that are damaged, were changed, or do not belong together."""


class DegenerateCapturesError(CaptureError):
    """Captures that show hardly anything but one action: there is nothing to learn from them."""


class AnnealFailedError(AstrariumError, RuntimeError):
    """A policy that did not learn what its teacher does, or went astray while it was guided; it is
    as it was before."""
