"""Optional packages: which extra installs one, and the error that says so."""

from __future__ import annotations

import importlib.metadata
import importlib.util
import re
from typing import Final

from astrarium.errors import MissingPackageError

_MODULE_OF: Final = {"scikit-learn": "sklearn", "pillow": "PIL"}
"""Distributions whose module has another name."""
_REQUIREMENT: Final = re.compile(r"""^([A-Za-z0-9_.-]+).*;.*extra == ['"]([a-z0-9]+)['"]""")


def require_extra(package: str, extra: str) -> None:
    """Raise `MissingPackageError` at once if `package`, which `extra` installs, is missing."""
    if importlib.util.find_spec(package) is None:
        raise missing_package(package, extra)


def missing_package(package: str, extra: str) -> MissingPackageError:
    """Return the error for a package that `extra` installs."""
    return MissingPackageError(
        f'{package} is not installed: pip install "astrarium[{extra}]"', name=package
    )


def extras_of(package: str) -> list[str]:
    """Return the extras that install a module, in the order of the package's metadata."""
    try:
        requirements = importlib.metadata.requires("astrarium") or []
    except importlib.metadata.PackageNotFoundError:
        return []
    extras: list[str] = []
    for requirement in requirements:
        if match := _REQUIREMENT.match(requirement):
            distribution, extra = match.groups()
            module = _MODULE_OF.get(distribution.lower(), distribution.replace("-", "_"))
            if module == package and extra not in extras:
                extras.append(extra)
    return extras
