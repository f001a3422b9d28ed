"""What a bot asks for, as a world takes it."""

from __future__ import annotations

from typing import cast

from astrarium.worlds.vector import Actions, Arrays, Floats


def placed(world: Arrays, orders: Actions | Floats) -> Actions:
    """A bot's orders as actions for `step`.

    In a world without heads they are controls; those go straight into the world's own array, where
    `step` finds them.
    """
    if world.layout.heads:
        return cast("Actions", orders)
    world.controls[...] = orders
    return world.actions
