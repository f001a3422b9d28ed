"""A war as data: everything the next day depends on, and nothing else.

Encoded as JSON and decoded again it is the same to the bit, which is what lets a war be stopped.
"""

from __future__ import annotations

import msgspec

from astrarium.campaign.plan import Government

Stores = dict[str, float]
"""Amounts by resource."""


class Ship(msgspec.Struct):
    """A hull with whoever and whatever is aboard. `hp` is the share that is left.

    `stores` are what the ship and its people live on, `hold` what it carries for others.
    """

    id: str
    name: str
    hull: str
    faction: str
    hp: float
    rounds: list[int]
    decoys: int
    craft: list[int]
    fit: int
    wounded: int
    marines: int
    marines_wounded: int
    fatigue: float
    stores: Stores
    hold: Stores = {}

    @property
    def people(self) -> int:
        """Everybody aboard."""
        return self.fit + self.wounded + self.marines + self.marines_wounded


class Mission(msgspec.Struct):
    """What a fleet was sent to do, where, and since when."""

    kind: str
    target: str
    since: int


class Fleet(msgspec.Struct):
    """Ships that go together: `battle`, `convoy` or `station` (what is moored at a node).

    At a node `at` names it; a fleet that has further to go lies there for the night and keeps its
    `path`. At sea `at` is empty and the fleet is `progress` days along the first leg of `path`; one
    that lies in wait on a link has only that leg left.
    """

    id: str
    name: str
    faction: str
    kind: str
    home: str
    ships: list[str]
    leadership: float
    at: str = ""
    path: list[str] = []
    progress: float = 0.0
    lurking: bool = False
    mission: Mission | None = None
    route: list[str] = []

    @property
    def leg(self) -> tuple[str, str] | None:
        """The link the fleet is on."""
        return (self.path[0], self.path[1]) if not self.at and len(self.path) > 1 else None

    @property
    def under_way(self) -> bool:
        """Whether it has somewhere to go, also while it lies at a node on its way there."""
        return bool(self.path) and not self.lurking

    @property
    def passing(self) -> bool:
        """Whether it lies at a node that is not its goal."""
        return bool(self.at) and self.under_way


class Siege(msgspec.Struct):
    """Troops ashore in a place that still holds out."""

    by: str
    control: float
    troops: int
    quality: float


class Node(msgspec.Struct):
    """A place: who holds it, who lives there, what is stored and built."""

    id: str
    holder: str | None
    population: int
    stores: Stores
    facilities: dict[str, int]
    condition: float
    land_yard: bool
    prisoners: dict[str, int]
    siege: Siege | None = None
    contested_since: int = 0


class Decision(msgspec.Struct):
    """An action on its way through a government."""

    action: str
    kind: str
    target: str
    fleet: str
    decided: int
    due: int


class Bloc(msgspec.Struct):
    """How a part of the people feels."""

    satisfaction: float
    radicalisation: float


class Build(msgspec.Struct):
    """A ship on the slips: what has gone into it so far."""

    hull: str
    node: str
    points: float


class Faction(msgspec.Struct):
    """A side of the war, apart from what it owns."""

    id: str
    doctrine: str
    government: Government
    legitimacy: float
    capital: float
    points: float
    blocs: dict[str, Bloc]
    queue: list[Decision] = []
    builds: list[Build] = []
    morale_bias: float = 0.0
    morale: float = 0.6
    prosperity: float = 0.0
    supply_factor: float = 1.0
    supply_days: dict[str, float] = {}
    short: list[str] = []
    build_points: float = 0.0
    ships_named: int = 0
    last_envoy: int = 0
    change_due: int = 0


class Relations(msgspec.Struct):
    """Between the two. Treaties by name, with the day each was made."""

    disposition: float
    at_war: bool
    treaties: dict[str, int]


class Fought(msgspec.Struct):
    """A battle in one line, as the summary of the war lists it."""

    id: str
    day: int
    node: str
    kind: str
    winner: str | None
    ended_by: str
    duration_s: float
    sides: dict[str, dict[str, int]]
    fingerprint: str = ""


class War(msgspec.Struct):
    """A war after its last whole day."""

    seed: int
    day: int
    nodes: dict[str, Node]
    factions: dict[str, Faction]
    fleets: dict[str, Fleet]
    ships: dict[str, Ship]
    relations: Relations
    dead: int = 0
    hulls_lost: int = 0
    battles: list[Fought] = []
    winner: str | None = None
    ended_by: str = ""
    log_hash: str = ""

    def copy(self) -> War:
        """The same war in memory of its own."""
        return decode(encode(self))

    def fleets_of(self, faction: str, kind: str = "battle") -> list[Fleet]:
        """A faction's fleets of one kind, by id."""
        found = (f for f in self.fleets.values() if f.faction == faction and f.kind == kind)
        return sorted(found, key=lambda fleet: fleet.id)

    def nodes_of(self, faction: str) -> list[Node]:
        """The nodes a faction holds, by id."""
        held = (node for node in self.nodes.values() if node.holder == faction)
        return sorted(held, key=lambda node: node.id)

    def crews(self, fleet: Fleet) -> list[Ship]:
        """The ships of a fleet."""
        return [self.ships[name] for name in fleet.ships]

    def station(self, node: str) -> Fleet | None:
        """What is moored at a node."""
        return self.fleets.get(f"S-{node}")


def encode(war: War) -> bytes:
    """A war as JSON; floats keep every bit."""
    return msgspec.json.encode(war)


def decode(text: bytes) -> War:
    """A war from its JSON. Raises `msgspec.ValidationError` naming the field."""
    return msgspec.json.decode(text, type=War)
