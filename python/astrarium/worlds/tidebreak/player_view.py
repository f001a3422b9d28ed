"""What of a battle the captain of one side may be shown while it is fought.

A portrait tells the truth. A player gets the own ships as they are, of all others only the own
side's tracks, and of events only those in which an own ship is named.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, cast

_SHARED: Final = ("map", "tick", "time_limit", "sky", "storms")
"""What anybody at sea knows, or reads from a chart."""
_OF_TEAMS: Final = ("ships", "rounds", "decoys", "mines", "squadrons")
_TRUE_AIM: Final = "target"

Json = Mapping[str, Any]


def player_view(portrait: Json, agent: str) -> dict[str, Any]:
    """The portrait as the side of `agent`, such as `blue_0`, knows it."""
    team = _team_of(portrait, agent)
    told: dict[str, Any] = {name: portrait[name] for name in _SHARED if name in portrait}
    for name in _OF_TEAMS:
        told[name] = _own(portrait.get(name, {}), team)
    # The aim is told as the entity that it really is; the player aims at a track.
    told["ships"] = {
        key: {name: value for name, value in ship.items() if name != _TRUE_AIM}
        for key, ship in told["ships"].items()
    }
    told["teams"] = {
        name: facts if name == team else {} for name, facts in portrait.get("teams", {}).items()
    }
    told["knowledge"] = {team: portrait.get("knowledge", {}).get(team, {})}
    told["events"] = _known_events(portrait.get("events", ()), told["ships"].keys())
    told["seen_by"] = team
    return told


def _team_of(portrait: Json, agent: str) -> str:
    """Agents are called after their side; teams of a package have names of their own."""
    side = agent.rpartition("_")[0]
    teams = list(portrait.get("teams", {}))
    if side in teams or not teams:
        return side
    return teams[min(("blue", "red").index(side), len(teams) - 1)]


def _own(entries: Mapping[str, Json], team: str) -> dict[str, Json]:
    return {key: entry for key, entry in entries.items() if entry.get("team") == team}


def _known_events(events: Any, own: Any) -> list[dict[str, Any]]:
    """Events that name an own ship, without the names of others."""
    known: list[dict[str, Any]] = []
    for event in cast("list[dict[str, Any]]", events):
        named = {key: event[key] for key in ("source", "target") if key in event}
        mine = {key for key, who in named.items() if str(who) in own}
        if mine:
            hidden = named.keys() - mine
            known.append({key: value for key, value in event.items() if key not in hidden})
    return known
