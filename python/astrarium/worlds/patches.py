"""What changed from one JSON object to the next, as a JSON merge patch (RFC 7396).

Objects are told key by key, a null takes a key away, anything else is replaced as a whole. So an
object that is told by patches holds no nulls of its own.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

Json = dict[str, Any]


def changes(before: Mapping[str, Any], after: Mapping[str, Any]) -> Json:
    """The patch that leads from one object to the other."""
    patch: Json = {key: None for key in before if key not in after}
    for key, value in after.items():
        held = before.get(key)
        if key in before and held == value:
            continue
        if isinstance(held, dict) and isinstance(value, dict):
            patch[key] = changes(cast("Json", held), cast("Json", value))
        else:
            patch[key] = value
    return patch


def patched(before: Mapping[str, Any], patch: Mapping[str, Any]) -> Json:
    """The object that a patch leads to. What did not change is shared, not copied."""
    after = dict(before)
    for key, value in patch.items():
        if value is None:
            after.pop(key, None)
        elif isinstance(value, dict):
            held = after.get(key)
            base = cast("Json", held) if isinstance(held, dict) else {}
            after[key] = patched(base, cast("Json", value))
        else:
            after[key] = value
    return after
