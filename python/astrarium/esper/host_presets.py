"""The published hosts, by name."""

from __future__ import annotations

from types import MappingProxyType
from typing import Final

import numpy as np
import torch

from astrarium.errors import did_you_mean
from astrarium.esper.cnn_host import CnnHost, CnnShape
from astrarium.esper.contracts.errors import EsperError
from astrarium.esper.hosts import RoutedHost
from astrarium.esper.transformer_host import TransformerHost, TransformerShape
from astrarium.esper.weights import grown

HostShape = CnnShape | TransformerShape

_TINYSTORIES: Final = TransformerShape(
    width=384, heads=6, layers=6, context=256, vocabulary=50_257, segments=3, dropout=0.1
)
# Half the usual MLP and a head of its own: with both the host has the parameters it is known by.
_COPY_LM: Final = TransformerShape(
    width=32, heads=0, layers=3, context=32, vocabulary=16, segments=3, mlp_ratio=2, tied=False
)
HOSTS: Final = MappingProxyType[str, HostShape](
    {
        "cifar_baseline": CnnShape(base=8, blocks=3, kernel=3, pools=3),
        "cifar_scale": CnnShape(base=8, blocks=5, kernel=3, pools=5),
        "cifar_impaired": CnnShape(base=1, blocks=3, kernel=1, pools=3),
        "cifar_minimal": CnnShape(base=2, blocks=3, kernel=1, pools=0, rows=(0,)),
        "cifar_multichannel": CnnShape(base=8, blocks=3, kernel=3, pools=3),
        "cifar_postpool": CnnShape(base=16, blocks=3, kernel=3, pools=3, rows=(1,)),
        "cifar_highres": CnnShape(base=16, blocks=3, kernel=3, pools=3, rows=(0,)),
        "cifar_deep_multichannel": CnnShape(base=8, blocks=5, kernel=3, pools=5),
        "cifar_deep_impaired": CnnShape(base=2, blocks=5, kernel=1, pools=5),
        "tinystories": _TINYSTORIES,
        "digits_impaired": CnnShape(base=8, blocks=3, kernel=1, pools=2, in_channels=1),
        "digits_baseline": CnnShape(base=4, blocks=3, kernel=3, pools=2, in_channels=1),
        "textures_impaired": CnnShape(base=4, blocks=3, kernel=1, pools=2, classes=8),
        "copy_lm": _COPY_LM,
    }
)


def find_shape(name: str) -> HostShape:
    """The shape of a preset."""
    try:
        return HOSTS[name]
    except KeyError:
        known = ", ".join(HOSTS)
        raise EsperError(
            f"no host is called {name!r}{did_you_mean(name, HOSTS)} ({known})"
        ) from None


def build_host(
    shape: HostShape, generator: np.random.Generator, device: torch.device | None = None
) -> RoutedHost:
    """A host with first weights; equal generators give equal bits."""
    if isinstance(shape, CnnShape):
        return grown(lambda: CnnHost(shape), generator, device)
    return grown(lambda: TransformerHost(shape), generator, device)
