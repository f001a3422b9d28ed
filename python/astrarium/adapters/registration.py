"""Make the worlds known to Gymnasium and to Ray, as soon as either is imported.

Gymnasium loads no plugins since its version 1.0, so a program would need a further import for
`gymnasium.make("astrarium/Prospector-v2")`. `import astrarium` imports neither library. It
registers the worlds where one of them is imported already, and otherwise after its import.

Ray sends the name of an environment to its workers, which import nothing else. Its own registry
sends the function that makes the environment along.
"""

from __future__ import annotations

import importlib
import importlib.util
import logging
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any, Final

_ADAPTER: Final = "astrarium.adapters.gymnasium"
_log: Final = logging.getLogger(__name__)


def gymnasium_id(world_id: str) -> str:
    """Return Gymnasium's name of a world: `astrarium/Prospector-v2` for `prospector-v2`."""
    name, dash, version = world_id.rpartition("-v")
    if not (dash and version.isdigit()):
        name, dash, version = world_id, "", ""
    words = name.replace("_", "-").split("-")
    return "astrarium/" + "".join(word[:1].upper() + word[1:] for word in words) + dash + version


def register_all() -> tuple[str, ...]:
    """Register every known world with Gymnasium and return their names there.

    It runs on import. Call it again after `astrarium.worlds.register`.
    """
    registration = importlib.import_module("gymnasium.envs.registration")
    worlds = importlib.import_module("astrarium.worlds")
    names: list[str] = []
    for world_id in worlds.ids():
        name = gymnasium_id(world_id)
        names.append(name)
        if name in registration.registry:
            continue
        # Strings, so that a process Gymnasium spawns can find the classes by itself. A batch has
        # no view of one agent among several, so Gymnasium makes its own batch of such worlds.
        alone = len(worlds.get(world_id).agent_names) == 1
        registration.register(
            id=name,
            entry_point=f"{_ADAPTER}:WorldEnv",
            vector_entry_point=f"{_ADAPTER}:WorldVectorEnv" if alone else None,
            kwargs={"world_id": world_id},
        )
    return tuple(names)


def register_with_ray() -> None:
    """Register every known world with Ray, whose workers then make it by its plain name."""
    registry = importlib.import_module("ray.tune.registry")
    for world_id in importlib.import_module("astrarium.worlds").ids():
        registry.register_env(gymnasium_id(world_id), _RayCreator(world_id))


class _RayCreator:
    """Make one environment from Ray's context; pickled by reference, with the world's id."""

    def __init__(self, world_id: str) -> None:
        self._world_id: Final = world_id

    def __call__(self, context: Mapping[str, Any]) -> Any:
        adapter = importlib.import_module(_ADAPTER)
        # Ray names a number of environments where it wants one batch of them.
        made = adapter.WorldVectorEnv if "num_envs" in context else adapter.WorldEnv
        return made(self._world_id, **context)


class _AfterImport(MetaPathFinder):
    """Call a function once the module it waits for has been imported."""

    def __init__(self, actions: Mapping[str, Callable[[], object]]) -> None:
        self._actions: Final = dict(actions)
        self._searching: Final = threading.local()

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Find the module as Python would, and have its loader call the function afterwards."""
        if fullname not in self._actions or getattr(self._searching, "now", False):
            return None
        self._searching.now = True
        try:
            spec = importlib.util.find_spec(fullname)
        finally:
            self._searching.now = False
        if spec is not None and spec.loader is not None:
            spec.loader = _LoaderWithAction(spec.loader, self._actions[fullname])
        return spec


class _LoaderWithAction(Loader):
    """Load a module with its own loader, then call a function."""

    def __init__(self, loader: Loader, action: Callable[[], object]) -> None:
        self._loader: Final = loader
        self._action: Final = action

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        """Create the module as its own loader does."""
        return self._loader.create_module(spec)

    def exec_module(self, module: ModuleType) -> None:
        """Run the module, hand it back its own loader, and call the function."""
        self._loader.exec_module(module)
        module.__loader__ = self._loader
        if module.__spec__ is not None:
            module.__spec__.loader = self._loader
        _run(self._action)

    def __getattr__(self, name: str) -> Any:
        # Tools ask loaders for files and sources.
        return getattr(self._loader, name)


def _run(action: Callable[[], object]) -> None:
    # Somebody else's import must not fail because of a world.
    try:
        action()
    except Exception:
        _log.exception("the worlds could not be registered")


_ACTIONS: Final[Mapping[str, Callable[[], object]]] = {
    "gymnasium": register_all,
    "ray.tune.registry": register_with_ray,
}


def install() -> None:
    """Register the worlds with what is imported already, and with the rest after its import."""
    waiting: dict[str, Callable[[], object]] = {}
    for name, action in _ACTIONS.items():
        module = sys.modules.get(name)
        if module is None:
            waiting[name] = action
        elif not getattr(module.__spec__, "_initializing", False):
            _run(action)
        # Else a plugin of that library imports Astrarium; its names are registered by the adapter.
    if waiting and not any(isinstance(finder, _AfterImport) for finder in sys.meta_path):
        sys.meta_path.insert(0, _AfterImport(waiting))
