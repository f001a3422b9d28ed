"""Every world is found by its plain name, and `import astrarium` stays light."""

import subprocess
import sys

import pytest

from astrarium import worlds
from astrarium.adapters.registration import gymnasium_id


def run(program: str) -> str:
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", program], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize(
    "imports",
    [
        "import gymnasium, astrarium",
        "import astrarium, gymnasium",
        "import astrarium\nfrom gymnasium.envs.registration import register",
        "import gymnasium\nfrom astrarium.errors import ConfigError",
    ],
)
def test_the_two_imports_alone_find_every_world(imports: str) -> None:
    names = run(f"{imports}\nimport gymnasium\nprint(*gymnasium.registry)").split()
    assert {gymnasium_id(world_id) for world_id in worlds.ids()} <= set(names)


def test_a_world_is_made_by_its_plain_name() -> None:
    program = (
        "import astrarium, gymnasium\n"
        "for name in ('Townlet-v1', 'Tidebreak-v1', 'Lanterns-v1', 'Fieldseeker-v1'):\n"
        "    env = gymnasium.make('astrarium/' + name)\n"
        "    obs, info = env.reset(seed=1)\n"
        "    assert env.observation_space.contains(obs), name\n"
        "assert gymnasium.spec('astrarium/Townlet-v1').vector_entry_point is None\n"
    )
    run(program)


def test_a_process_without_the_import_names_the_module() -> None:
    """As Gymnasium has it for all libraries; a notebook's processes need it."""
    run("import gymnasium\ngymnasium.make('astrarium:astrarium/Prospector-v2').reset(seed=1)")


def test_a_world_that_cannot_be_listed_does_not_break_gymnasium() -> None:
    program = (
        "import astrarium, logging, sys\n"
        "logging.disable(logging.CRITICAL)\n"
        "sys.modules['astrarium.worlds'] = None\n"
        "import gymnasium\n"
        "assert gymnasium.make('CartPole-v1')\n"
        "assert gymnasium.__loader__ is gymnasium.__spec__.loader\n"
        "assert type(gymnasium.__loader__).__module__ != 'astrarium.adapters.registration'\n"
    )
    run(program)


def test_ray_learns_every_world_when_its_registry_is_imported(tmp_path: object) -> None:
    """A registry of the same name stands for Ray's, which is too large for this environment."""
    program = (
        "import os, sys\n"
        f"root = {str(tmp_path)!r}\n"
        "os.makedirs(root + '/ray/tune')\n"
        "for name in ('/ray', '/ray/tune'):\n"
        "    open(root + name + '/__init__.py', 'w').close()\n"
        "with open(root + '/ray/tune/registry.py', 'w') as registry:\n"
        "    registry.write('MADE = {}\\nregister_env = MADE.__setitem__\\n')\n"
        "sys.path.insert(0, root)\n"
        "import astrarium, pickle\n"
        "assert 'ray' not in sys.modules\n"
        "from ray.tune.registry import MADE\n"
        "creator = pickle.loads(pickle.dumps(MADE['astrarium/Prospector-v2']))\n"
        "assert creator({'time_max': 50}).world.config.time_max == 50\n"
        "assert creator({'num_envs': 3}).num_envs == 3\n"
        "assert 'astrarium/Townlet-v1' in MADE\n"
    )
    run(program)
