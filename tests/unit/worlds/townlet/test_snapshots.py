"""A town goes on from a file as if it had never stopped."""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
from dataclasses import replace
from datetime import timedelta, timezone
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from played_towns import AT, begun, kept, lived, tick

from astrarium.errors import ConfigError
from astrarium.worlds.native import NativeVectorWorld
from astrarium.worlds.townlet import TownletConfig, changes, load, snapshots
from astrarium.worlds.townlet.config.watching import Stability
from astrarium.worlds.townlet.resuming import OtherTownError, adopt, outdated, resume
from astrarium.worlds.townlet.snapshot_files import read, write
from astrarium.worlds.townlet.snapshots import Company, Policy, take, tick_of
from astrarium.worlds.townlet.stability import Monitor

STORY = load("demo_story")
PROGRAM = """
import hashlib, json, pathlib, sys
from astrarium.worlds.townlet.players import citizens
from astrarium.worlds.townlet.resuming import resume

resumed = resume(pathlib.Path(sys.argv[1]))
world = resumed.world
world.watch(0)
seen, told = hashlib.sha256(), []
for _ in range(int(sys.argv[2])):
    world.step(citizens(world)(world.obs, world.mask))
    for array in (world.obs, world.mask, world.reward, world.events):
        seen.update(array.tobytes())
    told += world.happenings(0)
print(json.dumps([int(world.digests()[0]), seen.hexdigest(), told]))
"""


def outage(world: NativeVectorWorld, starts_in: int = 1, duration: int = 60) -> None:
    world.command(
        0,
        "perturbation_trigger",
        spec="blackout",
        starts_in=starts_in,
        duration=duration,
        target=None,
        magnitude=None,
    )


def busy(world: NativeVectorWorld) -> set[str]:
    """What goes on in a town just now."""
    portrait = world.portrait(0)
    assert portrait is not None
    people = portrait["agents"].values()
    found: dict[str, bool] = {
        "affordance": any("running" in one for one in people),
        "shift": any(one["job"]["shift_state"] in ("ontime", "late") for one in people),
        "outage": not portrait["utilities"]["power"],
    }
    return {name for name, holds in found.items() if holds}


def saved_and_unbroken(
    path: Path, world: NativeVectorWorld, monitor: Monitor, ticks: int
) -> tuple[list[Any], list[Any]]:
    """What a town shows when it goes on from a file, and when it was never stopped."""
    write(path, take(world, STORY, at=AT, company=Company(monitor=monitor)))
    resumed = resume(path)
    resumed.world.watch(0)
    assert resumed.company.monitor is not None
    assert resumed.world.digests() == world.digests()
    assert (resumed.world.obs == world.obs).all()
    again = lived(resumed.world, resumed.company.monitor, ticks)
    return again, lived(world, monitor, ticks)


@settings(
    max_examples=8, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(at=st.integers(0, 800), blackout=st.integers(0, 60), kick=st.booleans())
def test_at_any_tick_going_on_equals_not_stopping(
    tmp_path: Path, at: int, blackout: int, kick: bool
) -> None:
    world, monitor = begun(STORY)
    for done in range(at):
        if done == max(0, at - blackout):
            outage(world)
        lived(world, monitor, 1)
    if kick:  # a command that still waits is kept too
        world.command(0, "kill", agent_id=min(world.portrait(0)["agents"]))  # type: ignore[index]
    again, unbroken = saved_and_unbroken(tmp_path / "town.json", world, monitor, 40)
    assert again == unbroken


def test_mid_affordance_mid_shift_and_mid_outage(tmp_path: Path) -> None:
    world, monitor = begun(STORY)
    lived(world, monitor, 300)
    outage(world, starts_in=1, duration=500)
    for _ in range(500):
        lived(world, monitor, 1)
        if busy(world) == {"affordance", "shift", "outage"}:
            break
    assert busy(world) == {"affordance", "shift", "outage"}
    again, unbroken = saved_and_unbroken(tmp_path / "town.json", world, monitor, 600)
    assert again == unbroken, "the end of the outage, the shift and the day included"


def test_another_process_goes_on_to_the_bit(tmp_path: Path) -> None:
    world, monitor = begun(STORY)
    lived(world, monitor, 320)
    outage(world)
    lived(world, monitor, 20)
    path = tmp_path / "town.json"
    write(path, take(world, STORY, at=AT))
    command = [sys.executable, "-c", PROGRAM, str(path), "120"]
    done = subprocess.run(command, capture_output=True, check=True, text=True)
    seen, told = hashlib.sha256(), list[Any]()
    for moment in lived(world, monitor, 120):
        for array in moment[1:5]:
            seen.update(array)  # type: ignore[arg-type]
        told += moment[5]
    assert told
    assert json.loads(done.stdout) == [int(world.digests()[0]), seen.hexdigest(), told]


def test_equal_moments_are_equal_files(tmp_path: Path) -> None:
    for name in ("one.json", "two.json"):
        write(tmp_path / name, kept())
    text = (tmp_path / "one.json").read_text()
    assert text == (tmp_path / "two.json").read_text()
    assert read(tmp_path / "one.json") == kept()
    document = json.loads(text)
    town = load("kitchen_breakfast")
    assert document["schema_version"] == "2.0"
    assert document["config_id"] == document["identity"]["config_id"] == town.config_id
    assert document["identity"]["observation_variant"] == "hybrid"
    assert document["tick"] == 40
    assert document["created_at"] == "2026-03-01T12:00:00.000Z"


def test_what_goes_with_a_town_comes_back(tmp_path: Path) -> None:
    town = load("kitchen_breakfast")
    world, monitor = begun(town)
    policy = Policy(policy_hash="a" * 64, policy_artifact="best.safetensors", anneal_ratio=0.25)
    beside = Company(policy, monitor, {"narration": {"said": [3, 1.5, None]}}, ("a->b",))
    east = AT.astimezone(timezone(timedelta(hours=9)))
    snapshot = take(world, town, at=east, company=beside)
    write(tmp_path / "town.json", snapshot)
    resumed = resume(tmp_path / "town.json", town)
    assert snapshot.created_at == "2026-03-01T12:00:00.000Z", "one moment, however it is told"
    assert replace(resumed.town, files=town.files) == town
    found = resumed.company
    assert (found.policy, found.sections, found.migrations) == (policy, beside.sections, ("a->b",))
    assert found.monitor is not None
    assert (found.monitor.rules, found.monitor.snapshot()) == (monitor.rules, monitor.snapshot())
    assert take(resumed.world, resumed.town, at=AT, company=found) == snapshot


def test_a_monitor_keeps_limits_that_were_reloaded(tmp_path: Path) -> None:
    town = load("kitchen_breakfast")
    world, monitor = begun(town)
    lived(world, monitor, 5)
    monitor.reload(replace(monitor.rules, thresholds=Stability(lateness_threshold=9)))
    write(tmp_path / "town.json", take(world, town, at=AT, company=Company(monitor=monitor)))
    found = resume(tmp_path / "town.json").company.monitor
    assert found is not None
    assert found.rules.thresholds.lateness_threshold == 9


def test_one_town_of_a_batch_is_saved() -> None:
    town = load("kitchen_breakfast")
    batch = NativeVectorWorld.make("townlet-v1", town.config, 3, autoreset="disabled")
    for _ in range(30):
        tick(batch)
    for index in range(3):
        revived = take(batch, town, at=AT, index=index).revived()
        assert revived.digests()[0] == batch.digests()[index]
        assert (revived.obs[0] == batch.obs[index]).all()
        assert tick_of(revived) == 30
    assert len(set(batch.digests())) == 3


def with_hot_edits(config: TownletConfig, price: float = 0.2) -> TownletConfig:
    document = config.model_dump(mode="json")
    document["economy"]["ingredients_cost"] = price
    document["queue_fairness"]["cooldown_ticks"] = 33
    return TownletConfig.model_validate(document)


def test_a_town_with_reloaded_nodes_goes_on_under_them(tmp_path: Path) -> None:
    world, monitor = begun(STORY)
    edited = with_hot_edits(STORY.config)
    lived(world, monitor, 300)
    node = json.dumps(edited.economy.model_dump(mode="json"))
    world.command(0, "config_reload", node="economy", document=node)
    lived(world, monitor, 1)
    again, unbroken = saved_and_unbroken(tmp_path / "town.json", world, monitor, 200)
    assert again == unbroken
    revived = resume(tmp_path / "town.json", STORY).world
    assert outdated(revived, STORY.config) == ("economy",), "its price is another now"
    assert outdated(revived, edited) == ("queue_fairness",)


def test_a_town_whose_file_was_edited_resumes_and_adopts_the_edits(tmp_path: Path) -> None:
    world, monitor = begun(STORY)
    lived(world, monitor, 50)
    path = tmp_path / "town.json"
    write(path, take(world, STORY, at=AT))
    edited = replace(STORY, config=with_hot_edits(STORY.config))
    assert edited.config_id == STORY.config_id
    revived = resume(path, edited).world
    assert revived.digests() == world.digests(), "as it was, until somebody asks for more"
    assert adopt(revived, edited.config) == ("economy", "queue_fairness")
    revived.watch(0)
    tick(revived)
    told = [one["node"] for one in revived.happenings(0) if one["event"] == "config_reloaded"]
    assert told == ["economy", "queue_fairness"]
    assert adopt(revived, edited.config) == (), "they are in force"
    again = take(revived, edited, at=AT)
    assert again.settings.rules == STORY.config, "what a batch has to be made with"
    assert again.revived().digests() == revived.digests()


def test_a_reload_that_waits_is_seen_as_in_force(tmp_path: Path) -> None:
    world, _ = begun(STORY)
    edited = with_hot_edits(STORY.config)
    assert adopt(world, edited) == ("economy", "queue_fairness")
    before = world.digests()
    assert adopt(world, edited) == ()
    assert world.digests() == before


def test_what_cannot_be_adopted_is_refused_with_nothing_queued() -> None:
    world, _ = begun(STORY)
    before = world.digests()
    document = STORY.config.model_dump(mode="json")
    document["rewards"]["survival_tick"] = 0.003
    with pytest.raises(ConfigError, match=r"rewards[.]survival_tick: needs a new town"):
        adopt(world, TownletConfig.model_validate(document))
    assert world.digests() == before


def test_another_town_is_refused_by_its_settings(tmp_path: Path) -> None:
    path = tmp_path / "town.json"
    write(path, kept())
    with pytest.raises(OtherTownError, match=r"config_id is kitchen_breakfast-\w{12}.*label"):
        resume(path, STORY)
    lenient = STORY.snapshot.model_copy(
        update={
            "guardrails": STORY.snapshot.guardrails.model_copy(
                update={"require_exact_config": False}
            )
        }
    )
    other = replace(STORY, snapshot=lenient)
    assert resume(path, other).town.label == "kitchen_breakfast"
    with pytest.raises(OtherTownError):
        resume(path, other, strict=True)


def test_a_batch_of_something_else_is_not_saved() -> None:
    world, _ = begun(load("kitchen_breakfast"))
    with pytest.raises(ConfigError, match=r"made with another .*population.*'demo_story'"):
        take(world, STORY, at=AT)
    lanterns = NativeVectorWorld.make("lanterns-v1", _lanterns())
    with pytest.raises(ConfigError, match="lanterns-v1 is no town"):
        take(lanterns, STORY, at=AT)


def _lanterns() -> Any:
    from astrarium import worlds

    return worlds.get("lanterns-v1").config()


def test_what_cannot_change_is_checked_once_for_a_town(monkeypatch: pytest.MonkeyPatch) -> None:
    """Comparing settings takes longer than all the rest of a snapshot."""
    compared = Mock(wraps=changes)
    monkeypatch.setattr(snapshots, "changes", compared)
    world, monitor = begun(load("kitchen_breakfast"))
    town = load("kitchen_breakfast")
    first = take(world, town, at=AT)
    lived(world, monitor, 3)
    second = take(world, town, at=AT)
    assert (first.tick, second.tick) == (0, 3)
    assert compared.call_count == 1


def test_a_batch_saved_as_several_towns_is_saved_as_each() -> None:
    town = load("kitchen_breakfast")
    world, _ = begun(town)
    other = replace(town, label="other", seed=town.seed + 1)
    for _ in range(2):
        for one in (town, other):
            saved = take(world, one, at=AT)
            assert (saved.settings.label, saved.settings.seed) == (one.label, one.seed)
            assert saved.config_id == saved.identity.config_id == one.config_id
    strict = town.config.model_dump(mode="json") | {"env": {"max_ticks": 7}}
    stranger = replace(town, config=TownletConfig.model_validate(strict))
    for _ in range(2):
        with pytest.raises(ConfigError, match=r"made with another env[.]max_ticks"):
            take(world, stranger, at=AT)


def test_sections_are_plain_values_with_names() -> None:
    town = load("kitchen_breakfast")
    world, _ = begun(town)
    sections: list[dict[str, Any]] = [{"a b": 1}, {"fine": np.zeros(2)}]
    for section in sections:
        with pytest.raises(ConfigError, match=r"sections.*give plain values"):
            take(world, town, at=AT, company=Company(sections=section))
