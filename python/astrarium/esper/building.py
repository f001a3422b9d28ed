"""Hosts from their shapes."""

from __future__ import annotations

import numpy as np
import torch

from astrarium.esper.cnn_host import CnnHost
from astrarium.esper.hosts import RoutedHost
from astrarium.esper.shapes import CnnShape, HostShape
from astrarium.esper.transformer_host import TransformerHost
from astrarium.esper.weights import grown


def build_host(
    shape: HostShape, generator: np.random.Generator, device: torch.device | None = None
) -> RoutedHost:
    """A host with first weights; equal generators give equal bits."""
    if isinstance(shape, CnnShape):
        return grown(lambda: CnnHost(shape), generator, device)
    return grown(lambda: TransformerHost(shape), generator, device)
