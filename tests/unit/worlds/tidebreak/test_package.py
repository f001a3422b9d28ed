"""Both readers of a package agree with one schema and with each other."""

import json
from pathlib import Path
from typing import Any

import jsonschema_rs
import pydantic
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from packages import packages

from astrarium import _native
from astrarium.errors import PackageError
from astrarium.worlds.tidebreak import Arena
from astrarium.worlds.tidebreak.package import BattlePackage, path
from astrarium.worlds.tidebreak.result import BattleResult
from astrarium.worlds.tidebreak.scenarios import draw, shipped_scenarios

SCHEMAS = Path(__file__).parents[4] / "docs" / "schemas"


@pytest.mark.parametrize(
    ("name", "model"),
    [("arena.v1.package.json", BattlePackage), ("arena.v1.result.json", BattleResult)],
)
def test_the_written_schema_is_that_of_the_models(
    name: str, model: type[pydantic.BaseModel]
) -> None:
    """Write it anew with `python -m astrarium.worlds.tidebreak.schemas docs/schemas`."""
    assert json.loads((SCHEMAS / name).read_text()) == model.model_json_schema()


@pytest.mark.parametrize("scenario", shipped_scenarios())
def test_every_result_is_what_the_written_schema_says_and_no_more(scenario: str) -> None:
    told, _ = _native.tidebreak_fought(draw(scenario, 2).json_bytes(), {})
    schema = closed(json.loads((SCHEMAS / "arena.v1.result.json").read_text()))
    jsonschema_rs.validate(schema, json.loads(told))


@pytest.mark.parametrize("scenario", shipped_scenarios())
def test_every_package_is_what_the_written_schema_says_and_no_more(scenario: str) -> None:
    schema = closed(json.loads((SCHEMAS / "arena.v1.package.json").read_text()))
    jsonschema_rs.validate(schema, json.loads(_native.tidebreak_package(scenario, 2)))


def test_a_closed_schema_finds_what_nobody_described() -> None:
    schema = closed(json.loads((SCHEMAS / "arena.v1.package.json").read_text()))
    plain = json.loads(_native.tidebreak_package("duel", 2))
    plain["ships"][0]["crew"]["mood"] = "high"
    with pytest.raises(jsonschema_rs.ValidationError, match="mood"):
        jsonschema_rs.validate(schema, plain)


def closed(schema: Any) -> Any:
    """The same schema, whose objects hold nothing but what it describes."""
    if isinstance(schema, list):
        return [closed(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    inside = {name: closed(one) for name, one in schema.items()}
    return {"additionalProperties": False, **inside} if "properties" in schema else inside


@settings(max_examples=60, deadline=None)
@given(packages())
def test_both_readers_take_every_generated_package(package: BattlePackage) -> None:
    again = BattlePackage.read(package.json_bytes())
    assert again.hash() == package.hash()
    assert sorted(s.ship_id for s in again.ships) == sorted(s.ship_id for s in package.ships)


@settings(max_examples=40, deadline=None)
@given(packages(ships_max=2), st.sampled_from(["drifter", "pursuer", "line", "wolfpack"]))
def test_every_generated_battle_keeps_its_ledger_and_its_replay_holds(
    package: BattlePackage, doctrine: str
) -> None:
    told, replay = _native.tidebreak_fought(package.json_bytes(), {"blue": doctrine})
    result = BattleResult.model_validate_json(told)
    assert result.duration_s <= package.time_limit_s
    ticks, final = _native.tidebreak_verify(replay)
    assert (ticks, f"{final:016x}") == (result.duration_s, result.replay.final_hash)


@pytest.mark.long
@pytest.mark.timeout(3600)
@settings(max_examples=10_000, deadline=None)
@given(packages(), st.sampled_from(["drifter", "pursuer", "line", "wolfpack"]))
def test_ten_thousand_generated_battles_keep_their_ledgers(
    package: BattlePackage, doctrine: str
) -> None:
    told, _ = _native.tidebreak_fought(package.json_bytes(), {"blue": "drifter", "red": doctrine})
    BattleResult.model_validate_json(told)


WRONG: list[tuple[str, Any]] = [
    ("schema_version", "arena.v2"),
    ("seed", 0),
    ("seed", "7"),
    ("seed", 1.5),
    ("time_step_s", 0.3),
    ("time_limit_s", 59),
    ("fidelity", "F9"),
    ("teams", []),
    ("teams.0.name", ""),
    ("map.daylight", 1.5),
    ("map.depth.depth_m", "deep"),
    ("map.weather.initial.sea_state", True),
    ("map.weather.initial.precipitation", "snow"),
    ("map.bounds.min_x", None),
    ("ships.0.ship_id", 3),
    ("ships.1.crew.morale", -0.1),
    ("ships.1.crew.fit", 1.0),
    ("ships.1.weapons.0.condition", []),
    ("ships.1.initial_state.layer", "air"),
    ("ships.1.initial_state.heading", 4),
    ("ships.0.leadership", "bold"),
    ("ships.0.sensors.0", "smell"),
    ("ships.0.objective.priority", None),
    ("decided_by", None),
]


@pytest.mark.parametrize(("place", "value"), WRONG)
def test_both_readers_refuse_a_wrong_field_at_the_same_path(place: str, value: Any) -> None:
    document = json.loads(draw("duel", 3).json_bytes())
    put(document, place, value)
    native, model = refusals(json.dumps(document).encode())
    assert native == model


@pytest.mark.parametrize("place", ["seed", "map.bounds", "ships.0.crew.fit", "map.depth.depth_m"])
def test_both_readers_miss_a_field_at_the_same_path(place: str) -> None:
    document = json.loads(draw("duel", 3).json_bytes())
    *way, last = place.split(".")
    inside = document
    for step in way:
        inside = inside[int(step) if step.isdigit() else step]
    del inside[last]
    native, model = refusals(json.dumps(document).encode())
    assert native == model


def test_not_a_number_is_refused_where_it_stands_by_both() -> None:
    text = draw("duel", 3).json_bytes().replace(b'"daylight":1.0', b'"daylight":NaN')
    assert refusals(text) == ("map.daylight", "map.daylight")


def test_what_only_the_tables_know_is_refused_by_path_too() -> None:
    document = json.loads(draw("duel", 3).json_bytes())
    put(document, "ships.1.hull_class", "corvete")
    with pytest.raises(PackageError, match=r'ships\[1\]\.hull_class: .* did you mean "corvette"'):
        BattlePackage.read(json.dumps(document))


def test_a_hull_may_begin_with_all_that_it_was_given() -> None:
    """Figures of hulls are kept in 32 bits; what they replace is written in 64."""
    document = json.loads(draw("duel", 3).json_bytes())
    whole, fast = 353595.82596713875, 46.96248777911683
    document["ships"][0]["hull_overrides"] = {"hp": whole, "speed_max": [fast, 0.0, 0.0]}
    document["ships"][0]["initial_state"] |= {"hp": whole, "speed": fast}
    arena = Arena(json.dumps(document).encode(), debug=True)
    assert arena.debug_truth()["ships"]["0"]["hp"] == 1.0


def test_a_copy_that_cannot_be_written_is_refused_as_a_package() -> None:
    package = draw("duel", 3).model_copy(update={"battle_id": "\ud800"})
    for call in (package.json_bytes, package.hash, lambda: Arena(package)):
        with pytest.raises(PackageError, match="package: "):
            call()


@pytest.mark.parametrize("scenario", shipped_scenarios())
def test_a_drawn_battle_is_canonical_and_the_same_for_a_seed(scenario: str) -> None:
    package = draw(scenario, 8)
    assert BattlePackage.read(package.json_bytes()) == package
    assert draw(scenario, 8) == package
    assert draw(scenario, 9).hash() != package.hash()


def put(document: Any, place: str, value: Any) -> None:
    *way, last = place.split(".")
    for step in way:
        document = document[int(step) if step.isdigit() else step]
    document[int(last) if last.isdigit() else last] = value


def refusals(text: bytes) -> tuple[str, str]:
    """Where the native reader and the model find the fault."""
    with pytest.raises(PackageError) as native:
        _native.tidebreak_settled(text)
    with pytest.raises(pydantic.ValidationError) as model:
        BattlePackage.model_validate_json(text)
    return str(native.value).split(": ")[0], path(model.value.errors()[0]["loc"])
