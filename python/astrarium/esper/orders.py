"""A controller's action as the heads of a batch: the first says what is done and where.

Operation and place are one choice, so that what is legal can be said for each pair: a seed to be
pruned in one slot does not make pruning legal in another.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from astrarium.esper.contracts.actions import WAIT, ActionSpec
from astrarium.esper.contracts.heads import BLUEPRINTS, HEADS, OP_HEAD, SLOT_HEAD, Op, relevant
from astrarium.esper.masks import Masks, decode
from astrarium.worlds.vector import Actions, Flags

PLACED: Final = tuple(op for op in Op if op is not Op.WAIT)
"""Operations that happen in a slot."""
DETAILS: Final = tuple(at for at in range(len(HEADS)) if at not in (SLOT_HEAD, OP_HEAD))
"""The heads besides operation and place, in order."""
HEAD_NAMES: Final = ("order", *(HEADS[at].name for at in DETAILS))
"""Of a batch."""
_ANYWHERE: Final = BLUEPRINTS.index("norm")
"""A blueprint for every host, named where none matters: no choice may be outside the mask."""


def sizes(slots: int) -> tuple[int, ...]:
    """Choices of every head of a batch."""
    return (1 + len(PLACED) * slots, *(HEADS[at].choices for at in DETAILS))


def matters(slots: int) -> tuple[tuple[int, ...], ...]:
    """For each choice of the first head, which of the others matter."""
    rows: list[tuple[int, ...]] = [()]
    for op in PLACED:
        used = relevant(op)
        rows += [tuple(1 + at for at, head in enumerate(DETAILS) if used[head])] * slots
    return tuple(rows)


def names(slots: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    """A name for each choice of each head."""
    orders = ("wait", *(f"{op.name.lower()} {slot}" for op in PLACED for slot in slots))
    details = (
        BLUEPRINTS if HEADS[at].name == "blueprint" else _numbered(HEADS[at].name) for at in DETAILS
    )
    return (orders, *details)


def _numbered(head: str) -> tuple[str, ...]:
    from astrarium.esper.contracts import heads

    kinds = {
        "style": heads.Style,
        "tempo": heads.Tempo,
        "alpha_target": heads.AlphaTarget,
        "alpha_speed": heads.AlphaSpeed,
        "alpha_curve": heads.AlphaCurve,
    }
    return tuple(one.name.lower() for one in kinds[head])


def write_mask(legal: Masks, row: Flags) -> None:
    """Fill one host's row of a batch's mask."""
    pairs = [legal.slot_by_op[op] for op in PLACED]
    details = [legal.heads[at] for at in DETAILS]
    row[:] = np.fromiter((one for part in ((True,), *pairs, *details) for one in part), np.uint8)


def action_of(choices: Actions, legal: Flags, slots: tuple[str, ...]) -> ActionSpec | None:
    """The action that some choices mean; None where one is out of range or not in the mask."""
    first = 0
    for choice, size in zip(choices.tolist(), sizes(len(slots)), strict=True):
        if not 0 <= choice < size or not legal[first + choice]:
            return None
        first += size
    order = int(choices[0]) - 1
    if order < 0:
        return WAIT
    op, slot = PLACED[order // len(slots)], order % len(slots)
    return decode((slot, *(int(one) for one in choices[1:]), op), slots)


def choices_of(spec: ActionSpec, slots: tuple[str, ...]) -> tuple[int, ...]:
    """The choices that mean an action."""
    order = 0
    if spec.op is not Op.WAIT:
        order = 1 + PLACED.index(spec.op) * len(slots) + slots.index(spec.slot_id)
    blueprint = BLUEPRINTS.index(spec.blueprint) if spec.blueprint else _ANYWHERE
    return (
        order,
        blueprint,
        spec.style,
        spec.tempo,
        spec.alpha_target,
        spec.alpha_speed,
        spec.alpha_curve,
    )
