"""Lets the tests here import the parts beside them; keeps threads and the clock out of them."""

import sys
from pathlib import Path

import torch
from hypothesis import HealthCheck, settings

sys.path.insert(0, str(Path(__file__).parent))
# On networks this small, threads that wait for each other take a hundred times the work's time.
torch.set_num_threads(1)
# Generating contracts on a busy machine takes its time; that is no fault of the code.
settings.register_profile("untimed", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("untimed")
