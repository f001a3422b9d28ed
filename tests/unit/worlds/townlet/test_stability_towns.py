"""Real towns under watch, and the figures they are compared by."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from astrarium import ConfigError, worlds
from astrarium.cli import main
from astrarium.worlds.frames import Camera
from astrarium.worlds.native import NativeVectorWorld
from astrarium.worlds.townlet import load
from astrarium.worlds.townlet.config.watching import Stability
from astrarium.worlds.townlet.entry import ENTRY
from astrarium.worlds.townlet.players import citizens
from astrarium.worlds.townlet.stability import (
    Citizen,
    Happening,
    Kpi,
    Moment,
    Monitor,
    Rules,
    Tie,
    look,
    moment_of,
    readings,
    throughput,
)

DAY = 10
RULES = Rules(ticks_per_day=DAY)


def opened(name: str) -> tuple[NativeVectorWorld, Rules]:
    town = load(name)
    world = NativeVectorWorld.make("townlet-v1", town.config, autoreset="disabled")
    world.reset_with_seeds([town.seed])
    return world, Rules.of(town.config, town.stability)


def moments(world: NativeVectorWorld, ticks: int) -> Iterator[Moment]:
    world.watch(0)
    follow = citizens(world)
    for _ in range(ticks):
        world.step(follow(world.obs, world.mask))
        yield look(world)


def test_scripted_citizens_raise_no_alert_in_three_days() -> None:
    world, rules = opened("default")
    monitor = Monitor(rules)
    kinds: set[str] = set()
    for moment in moments(world, 3000):
        assert monitor.observe(moment).firing == ()
        kinds.update(one.kind for one in moment.happenings)
    assert {"queue_conflict", "rent_paid", "chat_success"} <= kinds, "there was something to see"
    kpis = {one.name: one for one in monitor.kpis(moment)}
    assert (kpis["attendance"].value, kpis["attendance"].colour) == (1.0, "green")
    assert kpis["job_tenure_days"].value == 3.0
    assert kpis["tied"].colour == "green"
    assert kpis["conflict_intensity"].value > 0


def test_a_town_where_nobody_can_live_starves() -> None:
    world, rules = opened("harsh")
    raised = [one.alert for read in readings(moments(world, 400), rules) for one in read.raised]
    assert raised == ["starvation_spike"]


def test_a_frame_tells_the_same_moment_as_the_town_itself() -> None:
    """Replays and live towns must be judged alike, exits and newcomers included."""
    world = NativeVectorWorld.make("townlet-v1", load("harsh").config, autoreset="disabled")
    world.reset_with_seeds([17])
    camera, follow = Camera(ENTRY, world), citizens(world)
    ended = arrived = 0
    for _ in range(250):
        world.step(follow(world.obs, world.mask))
        seen = look(world)
        assert moment_of(camera.frame()) == seen
        ended += sum(pay.ended for pay in seen.pays)
        arrived += sum(one.kind == "agent_spawned" for one in seen.happenings)
        assert len(seen.pays) == 8 - int((world.alive[0] == 0).sum()) + sum(
            pay.ended for pay in seen.pays
        ) - sum(one.kind == "agent_spawned" for one in seen.happenings)
    assert ended > 0
    assert arrived > 0


def test_thresholds_come_with_the_town(tmp_path) -> None:
    path = tmp_path / "strict.yaml"
    path.write_text("seed: 1\nstability:\n  starvation: {window_ticks: 50}\n")
    town = load(path)
    assert Rules.of(town.config, town.stability).thresholds.starvation.window_ticks == 50
    assert town.config_id == load_id(tmp_path, "seed: 1\n"), "watching changes no town"
    path.write_text("seed: 1\nstability:\n  starvation: {window: 50}\n")
    with pytest.raises(ConfigError, match=r"yaml:3: unknown key 'stability.starvation.window'"):
        load(path)


def load_id(folder, text: str) -> str:
    (folder / "strict.yaml").with_name("plain").mkdir()
    path = folder / "plain" / "strict.yaml"
    path.write_text(text)
    return load(path).config_id


# Figures


def figure(name: str, stream: list[Moment]) -> Kpi:
    monitor = Monitor(RULES)
    for moment in stream:
        monitor.observe(moment)
    return next(one for one in monitor.kpis(stream[-1]) if one.name == name)


def days(*told: list[str]) -> list[Moment]:
    """What happened in the first tick of each day."""
    return [
        Moment(
            tick,
            (Citizen("alice"),),
            tuple(Happening(kind, "alice", "bob") for kind in told[tick // DAY])
            if tick % DAY == 0
            else (),
        )
        for tick in range(DAY * len(told))
    ]


@pytest.mark.parametrize(
    ("counts", "colour"), [([3, 3], "green"), ([3, 4], "amber"), ([5, 6], "red")]
)
def test_lateness(counts: list[int], colour: str) -> None:
    here = tuple(Citizen(str(at), lateness=count) for at, count in enumerate(counts))
    assert figure("lateness_mean", [Moment(0, here)])[1::2] == (sum(counts) / 2, colour)


def test_late_help_is_judged_where_somebody_was_late() -> None:
    late, helped = "job_late", "employment_helped_when_late"
    assert figure("late_help", days([], []))[1::2] == (None, None)
    assert figure("late_help", days([late, helped], [], []))[1::2] == (1.0, "green")
    assert figure("late_help", days([late, helped], [late], [late, helped]))[3] == "green"
    assert figure("late_help", days([late], []))[1::2] == (0.0, "amber")
    assert figure("late_help", days([late, helped], [late], [], [late]))[3] == "red"


def well(ticks: int, *, low_at: int | None = None, since: int = 0) -> list[Moment]:
    return [
        Moment(tick, (Citizen("alice", energy=0.3 if tick == low_at else 0.31),))
        if tick >= since
        else Moment(tick)
        for tick in range(ticks)
    ]


def test_self_sufficiency_takes_a_whole_day() -> None:
    assert figure("self_sufficient", well(DAY - 1)).value is None
    assert figure("self_sufficient", well(DAY)).value == 1.0
    assert figure("self_sufficient", well(DAY + 2, low_at=2))[1::2] == (0.0, "red")
    assert figure("self_sufficient", well(DAY + 3, low_at=2)).value == 1.0
    assert figure("self_sufficient", well(DAY + 2, since=3)).value is None


def test_tenure_begins_anew_with_another_job() -> None:
    stream = [Moment(tick, (Citizen("alice", job="clerk"),)) for tick in range(15)]
    stream += [Moment(tick, (Citizen("alice", job="grocer"),)) for tick in range(15, 20)]
    assert figure("job_tenure_days", stream[:15]).value == 1.5
    assert figure("job_tenure_days", stream).value == 0.5


@pytest.mark.parametrize(("share", "colour"), [(0.85, "green"), (0.84, "amber"), (0.69, "red")])
def test_attendance_counts_those_with_a_job(share: float, colour: str) -> None:
    here = (Citizen("alice", job="clerk", attendance=share), Citizen("bob", attendance=0.0))
    assert figure("attendance", [Moment(0, here)])[1::2] == (share, colour)


def test_a_tie_counts_above_its_threshold() -> None:
    here = (
        Citizen("alice", ties=(Tie("bob", familiarity=0.31),)),
        Citizen("bob", ties=(Tie("alice", trust=0.3, rivalry=1.0),)),
    )
    stream = [Moment(tick, here) for tick in range(2 * DAY)]
    assert figure("tied", stream[:-1])[1::2] == (0.5, None), "people need two days to meet"
    assert figure("tied", stream)[1::2] == (0.5, "amber")


@pytest.mark.parametrize(("ticks", "share"), [(200, 1.0), (199, 0.0)])
def test_avoidance_lasts_or_passes(ticks: int, share: float) -> None:
    rules = Rules(ticks_per_day=100)
    rival = Citizen("alice", ties=(Tie("bob", rivalry=0.7),))
    quarrel = (Happening("queue_conflict", "bob", "alice", 1.5),)
    monitor = Monitor(rules)
    for tick in range(300):
        here = (rival,) if tick < ticks else (Citizen("alice"),)
        moment = Moment(tick, here, quarrel if tick == 0 else ())
        monitor.observe(moment)
    kpis = {one.name: one for one in monitor.kpis(moment)}
    assert kpis["lasting_avoidance"].value == share
    assert kpis["conflict_intensity"].value == 0, "that of the last day"


@pytest.mark.parametrize(
    ("intensity", "colour"),
    [(10.0, "green"), (8.6, "green"), (8.4, "amber"), (11.6, "amber"), (6.9, "red"), (13.1, "red")],
)
def test_intensity_is_judged_by_its_distance_from_the_scenarios(
    intensity: float, colour: str
) -> None:
    thresholds = Stability(conflict_intensity_mean=10.0)
    monitor = Monitor(Rules(thresholds=thresholds, ticks_per_day=DAY, conflict_ticks=4))
    colours = []
    for tick in range(5):
        quarrel = Happening("queue_conflict", "bob", "alice", intensity)
        moment = Moment(tick, (), (quarrel,) if tick == 0 else ())
        monitor.observe(moment)
        colours += [one.colour for one in monitor.kpis(moment) if one.name == "conflict_intensity"]
    assert colours == [None, None, None, colour, colour], "only a whole episode is judged"


def test_the_contention_scenario_comes_to_the_intensity_it_says() -> None:
    """Where this fails, the rules of queues changed: write the new mean into the town's file."""
    town = load("queue_conflict")
    world = worlds.make_vec("townlet-v1", 20, config=town.config, autoreset="disabled")
    world.reset_with_seeds(range(1, 21))
    follow = citizens(world)
    while not world.truncated.any():
        world.step(follow(world.obs, world.mask))
    found = world.stats[:, world.layout.stats.index("queue_conflict_intensity_sum")].mean()
    assert town.stability.conflict_intensity_mean == pytest.approx(found, rel=0.05)


# The command


def test_the_command_says_how_a_town_is_doing(capsys, tmp_path) -> None:
    with pytest.raises(SystemExit, match="1"):
        main(["townlet", "stability", "harsh", "--ticks", "200"])
    told = capsys.readouterr().out
    assert "harsh: 200 ticks, 1 alerts" in told
    assert "starvation_spike at tick" in told
    path = tmp_path / "small.yaml"
    path.write_text("seed: 3\nenv: {max_ticks: 30}\npopulation: {agents: 2}\n")
    with pytest.raises(SystemExit, match="0"):
        main(["townlet", "stability", str(path)])
    assert "30 ticks, 0 alerts" in capsys.readouterr().out


def test_a_replay_is_judged_by_the_limits_of_the_town_it_is_given(capsys, tmp_path) -> None:
    """It holds the settings of its town, which say nothing of when somebody should worry."""
    runs = tmp_path / "runs"
    words = ("citizens", "--settings", "harsh", "--steps", "200", "--root", str(runs))
    with pytest.raises(SystemExit, match="0"):
        main(["replay", "record", "townlet-v1", *words])
    (replay,) = runs.glob("*/replays/*.jsonl.gz")
    calm = tmp_path / "calm.yaml"
    calm.write_text("seed: 1\nstability: {starvation: {incidents_max: -1}}\n")
    for town, raised in (((), 1), (("--town", "harsh"), 1), (("--town", str(calm)), 0)):
        with pytest.raises(SystemExit, match=str(raised)):
            main(["townlet", "stability", str(replay), *town])
        assert f"200 ticks, {raised} alerts" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "error"),
    [
        (["default", "--town", "harsh"], "which has its limits; leave --town out"),
        (["defalt"], "did you mean 'default'"),
        (["default", "--ticks", "0"], "ticks"),
        (["default", "--seed", "-1"], "seed"),
    ],
)
def test_the_command_explains_itself(capsys, words: list[str], error: str) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(["townlet", "stability", *words])
    assert error in capsys.readouterr().err


def test_speed_is_judged_by_variant_where_somebody_measured_it() -> None:
    rates = {"hybrid": 200.0, "full": 90.0, "compact": 89.9, "slow": 74.9}
    assert throughput(rates, 100.0) == (
        Kpi("throughput_hybrid", 200.0, "≥ 100", "green"),
        Kpi("throughput_full", 90.0, "≥ 100", "green"),
        Kpi("throughput_compact", 89.9, "≥ 100", "amber"),
        Kpi("throughput_slow", 74.9, "≥ 100", "red"),
    )
    _, rules = opened("default")
    told = {one.name for one in Monitor(rules).kpis(Moment(0))}
    assert not {name for name in told if name.startswith("throughput")}, "a town has no clock"
