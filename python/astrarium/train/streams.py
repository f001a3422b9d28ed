"""Random numbers by name.

A stream is fixed by the run's seed, its name and where the run stands, so a run keeps no generator
state: whatever is drawn after a resume is what would have been drawn without it.
"""

from __future__ import annotations

import hashlib

import numpy as np


def stream(seed: int, name: str, *place: int) -> np.random.Generator:
    """The generator of `name` at `place`, such as an update and an epoch."""
    label = ":".join((str(seed), name, *map(str, place)))
    key = int.from_bytes(hashlib.blake2b(label.encode(), digest_size=16).digest(), "little")
    return np.random.Generator(np.random.Philox(key=key))
