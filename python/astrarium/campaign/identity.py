"""Which battle a battle is: not where it was fought, but how it was fought and what came of it."""

from __future__ import annotations

import hashlib
import json
from typing import Any

from astrarium.worlds.tidebreak.result import BattleResult


def told(result: BattleResult) -> dict[str, Any]:
    """A result without what may differ when the same battle is fought once more."""
    document = result.model_dump(mode="json")
    # Orders are marked with their giver, and those of a captain fought again come from outside.
    del document["build_id"], document["replay"]["orders_hash"]
    return document


def fingerprint(result: BattleResult) -> str:
    """Twelve hex digits that battles share only if everything about their results is the same.

    The package's hash is among it, so battles that begin otherwise are never taken for each other.
    """
    words = json.dumps(told(result), sort_keys=True, allow_nan=False)
    return hashlib.blake2b(words.encode(), digest_size=6).hexdigest()
