"""Every task, in one table."""

from __future__ import annotations

from types import MappingProxyType
from typing import Final

from astrarium.esper.shapes import CnnShape, TransformerShape
from astrarium.esper.tasks.spec import Split, TaskSpec, Training

_IMAGES_LARGE: Final = Training(lr=0.01, batch=128, augment=True)
_IMAGES_SMALL: Final = Training(lr=0.05, batch=64)
_COPYING: Final = Training(lr=0.1, batch=64)
"""At half that rate, an attention seed is far slower to learn to look back."""

_DIGITS: Final = Split(1079, 359, 359)
_TEXTURES: Final = Split(2000, 600, 600)
_CIFAR: Final = Split(45_000, 5_000, 10_000)


def _cifar(
    name: str,
    summary: str,
    base: int,
    *,
    blocks: int = 3,
    kernel: int = 3,
    pools: int | None = None,
    rows: tuple[int, ...] = (0, 1),
) -> TaskSpec:
    pools = blocks if pools is None else pools
    host = CnnShape(base, blocks, kernel, pools, rows=rows)
    return TaskSpec(name, summary, "cifar", host, _IMAGES_LARGE, (3, 32, 32), _CIFAR)


_ROWS: Final = (
    TaskSpec(
        "digits_impaired",
        "handwritten digits for a host without spatial kernels: only spatial blueprints help",
        "digits",
        CnnShape(base=8, blocks=3, kernel=1, pools=2, in_channels=1),
        _IMAGES_SMALL,
        (1, 8, 8),
        _DIGITS,
        stable_epochs=0,
    ),
    TaskSpec(
        "digits_baseline",
        "handwritten digits for a host that reads them well: growth must do no harm",
        "digits",
        CnnShape(base=4, blocks=3, kernel=3, pools=2, in_channels=1),
        _IMAGES_SMALL,
        (1, 8, 8),
        _DIGITS,
        stable_epochs=0,
    ),
    TaskSpec(
        "textures_impaired",
        "stripes whose direction and spacing no single pixel shows, for a host without kernels",
        "textures",
        CnnShape(base=4, blocks=3, kernel=1, pools=2, classes=8),
        _IMAGES_SMALL,
        (3, 16, 16),
        _TEXTURES,
        budget_epochs=350,
        stable_epochs=0,
    ),
    TaskSpec(
        "copy_lm",
        "sequences whose second half repeats the first: only attention can look back",
        "copying",
        # Half the usual MLP and a head of its own: so it has the parameters it is known by.
        TransformerShape(
            width=32,
            layers=3,
            heads=0,
            context=32,
            vocabulary=16,
            segments=3,
            mlp_ratio=2,
            tied=False,
        ),
        _COPYING,
        (31,),
        Split(2000, 500, 500),
        loss_limit=15.0,
        stable_epochs=0,
    ),
    _cifar("cifar_baseline", "does a capable host gain from growth?", 8),
    _cifar("cifar_scale", "does growth still work in a deeper host?", 8, blocks=5),
    _cifar("cifar_impaired", "can growth rescue a host of 77 numbers?", 1, kernel=1),
    _cifar(
        "cifar_minimal",
        "can seeds carry everything?",
        2,
        kernel=1,
        pools=0,
        rows=(0,),
    ),
    _cifar("cifar_multichannel", "which of both surfaces is chosen?", 8),
    _cifar("cifar_postpool", "what do seeds after pools reach?", 16, rows=(1,)),
    _cifar("cifar_highres", "what do seeds before pools reach?", 16, rows=(0,)),
    _cifar("cifar_deep_multichannel", "can ten slots be coordinated?", 8, blocks=5),
    _cifar("cifar_deep_impaired", "rescue in a deep host", 2, blocks=5, kernel=1),
    TaskSpec(
        "tinystories",
        "short stories, token by token",
        "tinystories",
        TransformerShape(
            width=384,
            layers=6,
            heads=6,
            context=256,
            vocabulary=50_257,
            segments=3,
            dropout=0.1,
        ),
        Training(lr=0.01, batch=128),
        (256,),
        None,
        loss_limit=15.0,
    ),
    TaskSpec(
        "noise",
        "random images with random labels, for timing",
        "noise",
        CnnShape(base=8, blocks=3, kernel=3, pools=3),
        _IMAGES_LARGE,
        (3, 32, 32),
        Split(1000, 200, 200),
        timing_only=True,
    ),
)

TASKS: Final = MappingProxyType({row.name: row for row in _ROWS})
"""By name, in the order they are listed to people."""
