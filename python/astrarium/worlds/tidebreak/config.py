"""Settings of a batch of battles."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Final, Literal

import pydantic

from astrarium.worlds.config import WorldConfig
from astrarium.worlds.own_files import BYTES_MAX
from astrarium.worlds.tidebreak.own_files import with_texts

Doctrine = Literal["drifter", "pursuer", "line", "wolfpack"]
Opponent = Literal["any", "drifter", "pursuer", "line", "wolfpack"]
Opponents = Annotated[tuple[Doctrine, ...], pydantic.Field(min_length=1)]
Text = Annotated[str, pydantic.Field(max_length=BYTES_MAX)]
Weight = Annotated[float, pydantic.Field(ge=-1e4, le=1e4, allow_inf_nan=False)]

WEIGHTS: Final = (10.0, 2.0, -1.0, 3.0, -2.0, 0.0, -0.002, 0.05, -0.02, -0.5, 1.0, 5.0)
"""What each reward term is worth; survival pays nothing, so hiding is no policy."""


class TidebreakConfig(WorldConfig):
    """Settings of Tidebreak."""

    scenario: str = "duel"
    """What is fought, where there is no package; see `shipped_scenarios`. In Python, a
    `pathlib.Path` of a scenario file of your own: its name and text then stand here and below."""
    scenario_text: Text | None = None
    """The text of that file, in TOML; without one, the scenario is a shipped one."""
    tables: dict[str, Text] = pydantic.Field(default={}, max_length=14)
    """Tables of your own as TOML, by name; the others are the shipped ones. In Python, a
    `pathlib.Path` of a folder of such files, as `hulls.toml`."""
    package: str | None = None
    """A battle package as JSON, fought from its own places in every episode."""
    side: Literal["blue", "red", "both"] = "blue"
    """Whose ships are agents. In a package, blue is the first of its teams."""
    ship: int | None = pydantic.Field(default=None, ge=0, le=2047)
    """The only ship of that side that is an agent, 0 for the first; without one all of them are."""
    opponent: Annotated[
        Annotated[Opponent, pydantic.Tag("name")] | Annotated[Opponents, pydantic.Tag("list")],
        # Or a wrong name would be told of as every kind of wrong.
        pydantic.Discriminator(lambda given: "name" if isinstance(given, str) else "list"),
    ] = "line"
    """Who commands the other side; with `any`, each seed draws one of all but the drifter, and from
    a list one of those in it: who is named twice comes twice as often."""
    allies: Doctrine = "line"
    """Who commands ships of the own side that are no agents."""
    decision_ticks: int = pydantic.Field(default=1, ge=1, le=10)
    """Seconds of one decision."""
    fidelity: Literal["F0", "F1", "F2", "F3"] = "F1"
    """Cells of the fields: none but their ambient values, 250 m, 125 m, 62.5 m."""
    helm: Literal["discrete", "continuous"] = "discrete"
    """Throttle and rudder as two heads of five choices, or as two controls."""
    weights: tuple[
        Weight,
        Weight,
        Weight,
        Weight,
        Weight,
        Weight,
        Weight,
        Weight,
        Weight,
        Weight,
        Weight,
        Weight,
    ] = WEIGHTS
    """What each of the twelve reward terms is worth."""

    file_settings: ClassVar[tuple[str, ...]] = ("scenario", "tables")

    @classmethod
    def files_read(cls, given: Mapping[str, Any]) -> dict[str, Any]:
        """Return settings with the texts of own files, checked as the shipped ones are."""
        return super().files_read(with_texts(given))

    @pydantic.model_serializer(mode="wrap")
    def _without_unused(self, handler: pydantic.SerializerFunctionWrapHandler) -> dict[str, Any]:
        """Leave out own files where there are none: settings without them keep their hash."""
        settings: dict[str, Any] = handler(self)
        for key in ("scenario_text", "tables"):
            if not settings.get(key):
                settings.pop(key, None)
        return settings
