"""Lets the tests of this folder import the parts beside them, and keeps torch to one thread."""

import sys
from pathlib import Path

import torch

sys.path.insert(0, str(Path(__file__).parent))
# On networks this small, threads that wait for each other take a hundred times the work's time.
torch.set_num_threads(1)
