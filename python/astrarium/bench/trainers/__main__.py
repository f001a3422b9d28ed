"""`python -m astrarium.bench.trainers NAME TASK`: one contender that needs no other library."""

from __future__ import annotations

import importlib
import sys

from astrarium.bench.trainers import contract, dummy

if __name__ == "__main__":
    dummy.register()
    contender = importlib.import_module(f"astrarium.bench.trainers.{sys.argv[1]}")
    contract.answer(contender.measure)
