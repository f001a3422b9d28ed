"""Generators of battles lie beside the tests and are imported by them."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
