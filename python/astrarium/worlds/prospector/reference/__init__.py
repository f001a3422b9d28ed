"""The Prospector reference: the rules of v1 written to be read, and to check the native core."""

from .rules import V1, Rules
from .world import ReferenceProspector, StepResult

__all__ = ["V1", "ReferenceProspector", "Rules", "StepResult"]
