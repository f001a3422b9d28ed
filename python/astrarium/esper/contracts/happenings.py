"""The one table of what can happen in Esper.

Types of lines, SQL views and what pages and terminals call things all come from `TABLE`. A line is
a flat JSON object whose `kind` names its type.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final, cast

import msgspec

from astrarium.errors import did_you_mean
from astrarium.esper.contracts.anomalies import ANOMALIES
from astrarium.esper.contracts.errors import HappeningError
from astrarium.esper.contracts.happening import Happening, HostHappening, Severity
from astrarium.esper.contracts.host_happenings import HOST_HAPPENINGS
from astrarium.esper.contracts.round_happenings import ROUND_HAPPENINGS
from astrarium.esper.contracts.seed_happenings import SEED_HAPPENINGS


def kind_of(happening: Happening | type[Happening]) -> str:
    """The name its lines carry."""
    return str(happening.__struct_config__.tag)


TABLE: Final[Mapping[str, type[Happening]]] = MappingProxyType(
    {
        kind_of(one): one
        for one in (*ROUND_HAPPENINGS, *HOST_HAPPENINGS, *SEED_HAPPENINGS, *ANOMALIES)
    }
)
"""Every type by its kind."""


def severity_of(happening: Happening) -> Severity:
    """How grave this one is."""
    return getattr(happening, "severity", happening.rank)


def placed(happening: Happening, *, round: int, env: int, episode: int) -> Happening:
    """A happening told by a host, with the place in the run that the host does not know."""
    changes: dict[str, Any] = {"round": round}
    if isinstance(happening, HostHappening):
        changes |= {"env": env, "episode": episode}
    if action_id := getattr(happening, "action_id", ""):
        changes["action_id"] = action_id.format(round=round, env=env)
    return msgspec.structs.replace(happening, **changes)


def encode(happening: Happening) -> dict[str, Any]:
    """A happening as the object to write; `at` is for whoever writes it."""
    return msgspec.to_builtins(happening)


def decode(line: bytes | str | Mapping[str, Any]) -> Happening:
    """The happening in a line, or in an object read from one. Every key is there, and no other."""
    try:
        read = line if isinstance(line, Mapping) else msgspec.json.decode(line)
    except msgspec.MsgspecError as error:
        raise HappeningError(f"not a line of world events: {error}") from error
    if not isinstance(read, Mapping):
        raise HappeningError(f"a world event is a JSON object, not {type(read).__name__}")
    fields = cast(Mapping[str, Any], read)
    kind = fields.get("kind")
    if not isinstance(kind, str) or kind not in TABLE:
        hint = did_you_mean(str(kind), TABLE)
        raise HappeningError(f"no world event has the kind {kind!r}{hint}")
    found = TABLE[kind]
    if missing := set(found.__struct_fields__) - fields.keys():
        raise HappeningError(f"{kind} lacks {', '.join(sorted(missing))}")
    try:
        return msgspec.convert(fields, found)
    except msgspec.MsgspecError as error:
        raise HappeningError(f"{kind} cannot be read: {error}") from error
