"""Lets the tests of commands use the runs that the tests of training are about."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "train"))
