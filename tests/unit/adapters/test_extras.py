"""Adapters whose library is not there, and a core that never asks for one."""

import subprocess
import sys

import pytest

from astrarium.adapters.errors import explain_missing


@pytest.mark.parametrize(
    ("module", "package", "extra"),
    [
        ("gymnasium", "gymnasium", "gym"),
        ("gymnasium_vector", "gymnasium", "gym"),
        ("pettingzoo", "pettingzoo", "zoo"),
        ("sb3", "stable_baselines3", "sb3"),
        ("pufferlib", "gymnasium", "gym"),
    ],
)
def test_a_missing_package_is_one_line_naming_the_extra(
    module: str, package: str, extra: str
) -> None:
    code = (
        "import sys, importlib\n"
        f"class Hide:\n"
        f"    def find_spec(self, name, path=None, target=None):\n"
        f"        if name.split('.')[0] == {package!r}:\n"
        f"            raise ModuleNotFoundError('no ' + name, name=name)\n"
        f"sys.meta_path.insert(0, Hide())\n"
        "from astrarium.errors import MissingPackageError\n"
        "from astrarium.errors import AstrariumError\n"
        "try:\n"
        f"    importlib.import_module('astrarium.adapters.{module}')\n"
        "except MissingPackageError as error:\n"
        "    assert isinstance(error, ImportError) and isinstance(error, AstrariumError)\n"
        "    print(error)\n"
    )
    ran = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert ran.stdout == f'{package} is not installed: pip install "astrarium[{extra}]"\n'


def test_a_broken_package_is_not_called_missing() -> None:
    broken = ModuleNotFoundError("no pieces", name="pieces")
    with pytest.raises(ModuleNotFoundError, match="no pieces"):
        explain_missing(broken, "gym", "gymnasium")


def test_the_core_imports_no_adapter() -> None:
    code = (
        "import sys, astrarium\n"
        "astrarium.make_vec('prospector-v2', 2).step([0, 0])\n"
        "loaded = {'gymnasium', 'pettingzoo', 'stable_baselines3', 'torch'} & set(sys.modules)\n"
        "assert not loaded, loaded\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
