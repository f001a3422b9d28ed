"""Lets these tests import the made-up run of the unit tests, and the parts beside them."""

import sys
from pathlib import Path

HERE = Path(__file__).parent
UNIT = HERE.parent / "unit"
sys.path[:0] = [str(HERE), *(str(UNIT / name) for name in ("runs", "esper", "serve"))]
