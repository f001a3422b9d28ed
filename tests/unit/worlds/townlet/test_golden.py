"""The shipped scenarios, lived by the scripted citizens, come out as they always have.

A change here is a change of the rules. If it is meant, run this file to keep the new digests, and
say in the commit why they changed.
"""

import hashlib
from pathlib import Path

from astrarium import worlds
from astrarium.worlds.native import NativeVectorWorld
from astrarium.worlds.townlet import load

SCENARIOS = (
    "kitchen_breakfast",
    "queue_conflict",
    "punctuality",
    "rivalry_decay",
    "observation_baseline",
)
KEPT = Path(__file__).with_name("golden.txt")


def played(name: str) -> str:
    """What a scenario comes to: its last state, and all that was seen, paid and told on the way."""
    town = load(name)
    world = NativeVectorWorld.make("townlet-v1", town.config, autoreset="disabled")
    world.reset_with_seeds([town.seed])
    world.watch(0)
    follow = worlds.get("townlet-v1").oracles["citizens"](world)
    hashes = {what: hashlib.sha256() for what in ("seen", "paid", "told")}
    while not world.truncated.any():
        world.step(follow(world.obs, world.mask))
        hashes["seen"].update(world.obs.tobytes())
        hashes["paid"].update(world.reward.tobytes())
        hashes["told"].update(repr(world.happenings(0)).encode())
    digests = " ".join(f"{what} {one.hexdigest()[:16]}" for what, one in hashes.items())
    return f"{name} state {world.digests()[0]:016x} {digests}"


def all_played() -> str:
    """One line per scenario."""
    return "".join(f"{played(name)}\n" for name in SCENARIOS)


def test_the_shipped_scenarios_come_out_as_they_always_have() -> None:
    assert all_played() == KEPT.read_text("utf-8"), "read the docstring of this file"


if __name__ == "__main__":
    KEPT.write_text(all_played(), "utf-8")
