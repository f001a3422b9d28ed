"""The orders of a captain in words and keys."""

from __future__ import annotations

from typing import Final

from astrarium.worlds.presentation import Head, Presentation
from astrarium.worlds.tidebreak.names import CONTACTS

_FIRE: Final = (("Gun", "1"), ("Torpedo", "2"), ("Missile", "3"), ("Special", "4"))

HEADS: Final = (
    Head(
        "Throttle",
        ("Astern", "Stop", "Slow", "Cruise", "Full"),
        lasting=True,
        rest=3,
        more="w",
        less="s",
    ),
    Head(
        "Rudder",
        ("Hard to starboard", "Starboard", "Amidships", "Port", "Hard to port"),
        lasting=True,
        rest=2,
        hotkeys={"x": 2},
        more="a",
        less="d",
    ),
    Head(
        "Target",
        ("None", *(f"Contact {slot + 1}" for slot in range(CONTACTS))),
        lasting=True,
        more="e",
        less="q",
    ),
    # A gun keeps firing while it can; what is dear is fired once for each command.
    *(Head(name, ("Hold", "Fire"), lasting=name == "Gun", hotkeys={key: 1}) for name, key in _FIRE),
    Head("Depth", ("Hold", "Up", "Down", "Abort"), hotkeys={"r": 1, "f": 2, "v": 3}),
    Head("Emission", ("Keep", "Silent", "Passive", "Active"), hotkeys={"7": 1, "8": 2, "9": 3}),
    Head(
        "Utility",
        ("None", "Decoy", "Ping", "Jam", "Board", "Scuttle"),
        hotkeys={"b": 1, "i": 2, "j": 3, "u": 4},
    ),
    Head("Repair", ("Hull", "Propulsion", "Weapons", "Sensors"), lasting=True, more="y"),
)
"""In the order of the world's heads."""

PRESENTATION: Final = Presentation(
    scene="tidebreak",
    labels=HEADS[0].labels,
    heads=HEADS,
    guidance=(
        "You command one ship; contacts are what your sensors and friends tell, never the truth.",
        "Guns and missiles need a contact of quality 2: close in, or switch the radar on.",
        "Torpedoes need quality 1 and time: fire when the target comes towards you.",
        "Turn away from torpedoes early, and drop a decoy when one is near.",
    ),
)
