"""The processor decides which build of the extension a wheel loads."""

import subprocess
import sys
from pathlib import Path

import pytest

from astrarium.native_build import BUILD_VARIABLE, FAST_BUILD, folders_of_native_builds

NEW = "processor\t: 0\nflags\t\t: fpu sse4_2 abm movbe avx f16c fma bmi1 avx2 bmi2 lm\n"
OLD = "processor\t: 0\nflags\t\t: fpu sse4_2 popcnt lm\n"


@pytest.fixture
def package(tmp_path: Path) -> Path:
    (tmp_path / FAST_BUILD).mkdir()
    return tmp_path


def chosen(package: Path, cpuinfo: str | None) -> list[str]:
    file = package / "cpuinfo"
    if cpuinfo is not None:
        file.write_text(cpuinfo)
    return folders_of_native_builds(str(package), str(file))


def test_a_processor_with_avx2_loads_the_fast_build(package: Path) -> None:
    assert chosen(package, NEW) == [str(package / FAST_BUILD)]


@pytest.mark.parametrize("flag", ["avx2", "bmi2", "fma", "movbe", "abm"])
def test_a_processor_that_lacks_an_instruction_set_loads_the_baseline(
    package: Path, flag: str
) -> None:
    assert chosen(package, NEW.replace(f" {flag}", "")) == []


@pytest.mark.parametrize("cpuinfo", [OLD, "", None])
def test_unknown_and_old_processors_load_the_baseline(package: Path, cpuinfo: str | None) -> None:
    assert chosen(package, cpuinfo) == []


def test_only_the_first_processor_is_read(package: Path) -> None:
    assert chosen(package, OLD + NEW) == []


def test_without_a_second_build_nothing_is_searched(tmp_path: Path) -> None:
    assert chosen(tmp_path, NEW) == []


def test_the_environment_can_ask_for_the_baseline(
    package: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(BUILD_VARIABLE, "baseline")
    assert chosen(package, NEW) == []


def test_windows_is_refused_with_the_alternative() -> None:
    program = "import sys; sys.platform = 'win32'; import astrarium"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.returncode == 1
    assert "on Windows run it inside WSL 2" in done.stderr
