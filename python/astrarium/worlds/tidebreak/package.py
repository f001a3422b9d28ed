"""The package of a battle: everything that decides it before the first order.

Format `arena.v1`: within the major, fields nobody knows are ignored and missing optional ones take
their defaults; another major is refused, and so is a value of a wrong type. These models hold the
shape and the ranges of single fields. Whether ships, map and tables fit together is asked of the
native reader, which has the last word: `BattlePackage.read` asks both.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Final, Literal, Self

import pydantic
from pydantic import Field, StrictBool, StrictInt, StringConstraints
from pydantic_core import PydanticSerializationError

from astrarium import _native
from astrarium.errors import PackageError
from astrarium.worlds.tidebreak.package_map import BattleMap, Part, Share
from astrarium.worlds.tidebreak.package_ships import Name, ShipSnapshot

SCHEMA_VERSION: Final = "arena.v1"
SCHEMA_MINOR: Final = 1

TableHash = Annotated[str, StringConstraints(strict=True, min_length=16, max_length=16)]
Names = Annotated[tuple[Name, ...], Field(max_length=64)]
Seed = Annotated[StrictInt, Field(ge=1, le=2**64 - 1)]
_TIME_STEPS_S: Final = (0.05, 0.1, 0.2, 0.25)


class FactionContext(Part):
    """Where a team comes from."""

    faction_id: Name
    philosophy: Name | None = None
    tech_tags: Names
    morale_state: Share
    at_war_with: Names


class Team(Part):
    """One side."""

    team_id: Name
    name: Name
    doctrine: Name | None = None
    faction_context: FactionContext | None = None


class Decision(Part):
    """`winner` wins when the number of `ships` that are so lies between `at_least` and `at_most`.

    With `at_end` the rule is looked at only when time is up. Lost are ships destroyed, scuttled,
    captured, surrendered or disabled.
    """

    winner: Name
    when: Literal["exited", "lost"]
    ships: Annotated[tuple[Name, ...], Field(min_length=1, max_length=2048)]
    at_least: Annotated[StrictInt, Field(ge=0, le=2048)] = 0
    at_most: Annotated[StrictInt, Field(ge=0, le=2048)] | None = None
    at_end: StrictBool = False


class BattlePackage(Part):
    """A battle before it is fought.

    With `scuttle_any_time` a ship may scuttle in every second, not only when it is past saving.
    """

    schema_version: Literal["arena.v1"]
    schema_minor: Annotated[StrictInt, Field(ge=0, le=2**32 - 1)]
    battle_id: Name
    seed: Seed
    policy_seed: Annotated[StrictInt, Field(ge=0, le=2**64 - 1)] | None = None
    time_step_s: Annotated[float, Field(strict=True, json_schema_extra={"enum": [*_TIME_STEPS_S]})]
    time_limit_s: Annotated[StrictInt, Field(ge=60, le=7_200)]
    fidelity: Literal["F0", "F1", "F2", "F3"]
    table_hashes: dict[str, TableHash]
    teams: Annotated[tuple[Team, ...], Field(min_length=2, max_length=4)]
    map: BattleMap
    ships: Annotated[tuple[ShipSnapshot, ...], Field(min_length=1, max_length=2048)]
    decided_by: Annotated[tuple[Decision, ...], Field(max_length=16)] = ()
    scuttle_any_time: StrictBool = False

    @pydantic.field_validator("time_step_s")
    @classmethod
    def _substep(cls, step: float) -> float:
        if step not in _TIME_STEPS_S:
            raise ValueError("give 0.05, 0.1, 0.2 or 0.25")
        return step

    @classmethod
    def read(cls, json: bytes | str) -> Self:
        """A package from JSON, held to the tables and put into canonical order.

        Raises a `PackageError` that begins with the path of what is wrong.
        """
        text = json.encode() if isinstance(json, str) else json
        try:
            package = cls.model_validate_json(text)
        except pydantic.ValidationError as error:
            first = error.errors(include_url=False)[0]
            raise PackageError(f"{path(first['loc']) or 'package'}: {first['msg']}") from None
        return cls.model_validate_json(_native.tidebreak_settled(package.json_bytes()))

    def json_bytes(self) -> bytes:
        """The package as JSON."""
        try:
            return self.model_dump_json().encode()
        except PydanticSerializationError as error:
            # A copy with changes is checked by nobody before.
            raise PackageError(f"package: cannot be written as JSON: {error}") from None

    def hash(self) -> int:
        """XXH64 of the canonical bytes: the same whatever the order of lists."""
        return _native.tidebreak_package_hash(self.json_bytes())


_TAGS: Final = {
    "shape": ("circle", "polygon"),
    "currents": ("uniform", "grid"),
    "depth": ("const", "grid"),
}


def path(location: Sequence[int | str]) -> str:
    """Where pydantic found something, as the native reader writes it: `ships[3].hull_class`."""
    words, before = "", ""
    for step in location:
        if isinstance(step, int):
            words += f"[{step}]"
        elif step not in _TAGS.get(before, ()):
            # A shape's kind is no field: what is wrong inside it is told without.
            words += f".{step}" if words else step
        before = step if isinstance(step, str) else ""
    return words
