"""All there is to know about a host, a seed or a decision."""

from __future__ import annotations

from typing import Final

from rich.console import Group, RenderableType
from rich.text import Text

from astrarium.esper.console import panels, words
from astrarium.esper.console.panels import plain_table
from astrarium.esper.console.snapshot import Snapshot
from astrarium.esper.contracts.host_happenings import LastAction

_ELSEWHERE: Final = words.PLACE | {"seeds", "components", "action_id"}
"""Fields that have a part of the page of their own."""


def host(seen: Snapshot, env: int) -> RenderableType:
    """One host: its figures, its seeds, what was decided lately."""
    found = seen.hosts[env]
    epoch = found.epoch
    if epoch is None:
        return Text(f"nothing was told of host {env} yet", "dim")
    recent = [panels.decision_cells(one, str(one.epoch)) for one in found.decisions]
    return Group(
        _title(f"host {env}, episode {epoch.episode}, epoch {epoch.epoch}"),
        f"{words.spark(found.course, 60)} {epoch.val_accuracy:.2f} {words.ARROWS[found.trend]}",
        plain_table(("", ""), words.fields(epoch, _ELSEWHERE)),
        _title("seeds"),
        panels.seeds(found).drawn(),
        _title("worth"),
        panels.worth(found),
        _title("decisions, newest first"),
        plain_table(("epoch", *panels.DECISION_COLUMNS[1:]), recent),
        *_lives(seen, env, ""),
    )


def seed(seen: Snapshot, env: int, slot_id: str) -> RenderableType:
    """One slot of a host and the seed in it."""
    epoch = seen.hosts[env].epoch
    there = [one for one in (epoch.seeds if epoch else ()) if one.slot_id == slot_id]
    return Group(
        _title(f"host {env}, slot {slot_id}" + ("" if there else ": empty")),
        *(plain_table(("", ""), words.fields(one, _ELSEWHERE)) for one in there),
        *_lives(seen, env, slot_id),
    )


def _lives(seen: Snapshot, env: int, slot_id: str) -> list[RenderableType]:
    mine = [
        one for one in seen.log if one.env == env and slot_id in ("", getattr(one, "slot_id", None))
    ]
    return [_title("lives of seeds, newest first"), *map(words.told, mine)] if mine else []


def decision(seen: Snapshot, one: LastAction) -> RenderableType:
    """One decision: what was asked for, what it was chosen from, what came of it."""
    terms = sorted(one.components.items(), key=lambda term: -abs(term[1]))
    stations = [
        (each.station, f"epoch {each.epoch}", words.figure(each.val_accuracy), each.reason)
        for each in seen.hosts[one.env].stations
        if each.action_id == one.action_id
    ]
    return Group(
        _title(f"host {one.env}, episode {one.episode}, epoch {one.epoch}: {one.op} {one.slot_id}"),
        plain_table(("", ""), words.fields(one, _ELSEWHERE)),
        _title("what the reward consists of"),
        plain_table(("", ""), [(name, f"{value:+.4f}") for name, value in terms]),
        _title("what became of it"),
        plain_table(("station", "", "accuracy", ""), stations),
    )


def _title(text: str) -> Text:
    return Text(f"\n{text}", "bold")
