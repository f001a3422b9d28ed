"""Which settings may change while a town runs, what changed between two configs, and their ids."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final, Literal, cast

from astrarium.worlds.townlet.config import TownletConfig

ReloadClass = Literal["restart", "hot"]

RELOAD_CLASSES: Final[dict[str, ReloadClass]] = {
    "time": "restart",
    "env": "restart",
    "world": "restart",
    "population": "restart",
    "features": "restart",
    "observations": "restart",
    "policy_runtime": "restart",
    "rewards": "restart",
    "shaping": "restart",
    "economy": "hot",
    "jobs": "restart",
    "employment": "hot",
    "queue_fairness": "hot",
    "conflict": "hot",
    "relationships": "restart",
    "personalities": "restart",
    "behavior": "hot",
    "lifecycle": "restart",
    "embedding_allocator": "restart",
    "embedding_allocator.cooldown_ticks": "hot",
    "embedding_allocator.reuse_warning_threshold": "hot",
    "perturbations": "hot",
    "affordances": "hot",
    "affordances.objects": "restart",
}
"""Every node of the rules; the longest name that fits a setting decides."""

CLASSES_BESIDE: Final[dict[str, ReloadClass]] = {
    "label": "restart",
    "seed": "restart",
    "stability": "hot",
    "snapshot": "hot",
}
"""Keys of a town's file that the core knows nothing of."""

ORDER_COUNTS: Final = ("jobs", "personalities.distribution", "perturbations.specs")
"""Mappings whose order is a rule: another order is another town."""


def reload_class(key: str) -> ReloadClass:
    """Whether the setting called `key`, such as `economy.meal_cost`, needs a new town to change."""
    parts = key.split(".")
    classes = RELOAD_CLASSES | CLASSES_BESIDE
    for length in range(len(parts), 0, -1):
        found = classes.get(".".join(parts[:length]))
        if found is not None:
            return found
    raise KeyError(f"{key} is no node of a town's config")


@dataclass(frozen=True, slots=True)
class Change:
    """One setting that differs between two configs."""

    key: str
    reload: ReloadClass
    old: Any
    """None where there was no such entry."""
    new: Any


def changes(old: TownletConfig, new: TownletConfig) -> tuple[Change, ...]:
    """Every setting that differs, and whether a running town can take it over."""
    return changes_between(old.model_dump(), new.model_dump())


def changes_between(old: dict[str, Any], new: dict[str, Any]) -> tuple[Change, ...]:
    """The same of two documents, which may have the keys beside the rules too."""
    return tuple(
        Change(key, reload_class(key), before, after)
        for key, before, after in _differences("", old, new)
    )


def _differences(key: str, old: Any, new: Any) -> Iterator[tuple[str, Any, Any]]:
    old, new = _by_id(old), _by_id(new)
    if not isinstance(old, dict) or not isinstance(new, dict):
        if old != new:
            yield key, old, new
        return
    before, after = cast("dict[str, Any]", old), cast("dict[str, Any]", new)
    shared = [name for name in before if name in after]
    in_lists = key.startswith("affordances.") and key.count(".") == 1
    if (key in ORDER_COUNTS or in_lists) and shared != [name for name in after if name in before]:
        yield key, list(before), list(after)
    for name in [*before, *(name for name in after if name not in before)]:
        inner = f"{key}.{name}" if key else name
        yield from _differences(inner, before.get(name), after.get(name))


def _by_id(value: Any) -> Any:
    """A list of entries as a mapping by their ids, so that an inserted one changes no other."""
    entries = cast("list[Any]", value if isinstance(value, list | tuple) else [])
    if entries and all(isinstance(one, dict) and "id" in one for one in entries):
        return {one["id"]: one for one in entries}
    return cast("Any", value)


def config_id(config: TownletConfig, *, label: str, seed: int) -> str:
    """The label and 12 hex digits over everything that needs a new town to change."""
    digest = hashlib.sha256(canonical(config, seed=seed)).hexdigest()
    return f"{label}-{digest[:12]}"


def canonical(config: TownletConfig, *, seed: int) -> bytes:
    """The settings of the restart class, always in the same words."""
    kept = {"seed": seed, **_restart_part("", config.model_dump(mode="json"))}
    return json.dumps(kept, sort_keys=True, separators=(",", ":"), allow_nan=False).encode()


def _has_restart_part(key: str) -> bool:
    inside = (one for one, found in RELOAD_CLASSES.items() if found == "restart")
    return any(one.startswith(f"{key}.") for one in inside)


def _restart_part(key: str, node: dict[str, Any]) -> dict[str, Any]:
    kept: dict[str, Any] = {}
    for name, value in node.items():
        inner = f"{key}.{name}" if key else name
        if reload_class(inner) == "hot" and not _has_restart_part(inner):
            continue
        if isinstance(value, dict):
            value = _restart_part(inner, cast("dict[str, Any]", value))
            # Pairs keep the order, which a canonical mapping gives up.
            value = list(value.items()) if inner in ORDER_COUNTS else value
        elif isinstance(value, float):
            value += 0.0  # a zero has no sign
        kept[name] = value
    return kept
