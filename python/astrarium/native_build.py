"""Choice of the native build: the processor decides which one of a wheel is loaded.

A wheel holds two builds of the extension with equal results. The one beside this file runs on every
x86-64 processor. The one in the folder `x86_64_v3` uses vectors of 256 bits and is faster.
"""

from __future__ import annotations

import os
from typing import Final

FAST_BUILD: Final = "x86_64_v3"
"""Folder of the faster build, inside the package; `make wheel` fills it."""
BUILD_VARIABLE: Final = "ASTRARIUM_NATIVE_BUILD"
"""Environment variable: `baseline` loads the build for every processor."""
_FLAGS: Final = frozenset(("avx", "avx2", "bmi1", "bmi2", "f16c", "fma", "abm", "movbe"))
"""What x86-64-v3 needs beyond the baseline, as Linux calls it."""
_CPUINFO: Final = "/proc/cpuinfo"


def folders_of_native_builds(package: str, cpuinfo: str = _CPUINFO) -> list[str]:
    """Return the folders to search before the package itself: the fast build's, or none."""
    folder = os.path.join(package, FAST_BUILD)
    if os.environ.get(BUILD_VARIABLE) == "baseline" or not os.path.isdir(folder):
        return []
    return [folder] if processor_flags(cpuinfo) >= _FLAGS else []


def processor_flags(cpuinfo: str = _CPUINFO) -> set[str]:
    """Return the instruction sets of the first processor; empty where Linux does not list them."""
    try:
        with open(cpuinfo, encoding="utf-8", errors="replace") as lines:
            for line in lines:
                name, _, flags = line.partition(":")
                if name.strip() == "flags":
                    return set(flags.split())
    except OSError:
        pass
    return set()
