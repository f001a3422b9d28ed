"""`import astrarium` stays light, and nothing heavy comes with the worlds."""

import subprocess
import sys

import astrarium


def modules_after(program: str) -> set[str]:
    listing = subprocess.run(
        [sys.executable, "-c", f"{program}\nimport sys\nprint(*sys.modules)"],
        capture_output=True,
        text=True,
        check=True,
    )
    return set(listing.stdout.split())


def test_importing_astrarium_brings_neither_numpy_nor_pydantic() -> None:
    loaded = modules_after("import astrarium")
    assert not loaded & {"numpy", "pydantic", "torch", "gymnasium", "astrarium._native"}


def test_making_a_world_brings_neither_torch_nor_gymnasium() -> None:
    program = "import astrarium\nastrarium.make_vec('lanterns-v1').step()\nastrarium.worlds.ids()"
    loaded = modules_after(program)
    assert "astrarium._native" in loaded
    assert not loaded & {"torch", "gymnasium", "pettingzoo", "stable_baselines3"}


def test_listing_the_worlds_of_esper_brings_neither_torch_nor_scikit_learn() -> None:
    """Registered by hand, since an older installation may not name them as an entry point yet."""
    program = (
        "from astrarium import worlds\n"
        "from astrarium.esper.entry import WORLDS\n"
        "for entry in WORLDS:\n"
        "    if entry.id not in worlds.ids():\n"
        "        worlds.register(entry)\n"
        "assert worlds.get('esper-digits-impaired-v1').layout.obs_dim > 0\n"
    )
    loaded = modules_after(program)
    assert "astrarium.esper.tasks" in loaded
    assert not loaded & {"torch", "sklearn", "safetensors", "PIL"}


def test_every_public_name_exists_and_is_listed() -> None:
    for name in astrarium.__all__:
        assert hasattr(astrarium, name)
    assert set(dir(astrarium)) == set(astrarium.__all__)
    assert not hasattr(astrarium, "make_vector")
