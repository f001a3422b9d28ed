"""`astrarium apprentice`, as it is typed: a whole apprenticeship of small towns, and its return."""

from dataclasses import replace
from pathlib import Path

import pytest

from astrarium import cli, worlds
from astrarium.cli.train import chosen_config
from astrarium.train import training
from astrarium.train.apprentice.plan import Plan, Stage, check
from astrarium.train.correcting import Correction
from astrarium.train.teaching import Lesson
from astrarium.worlds import registry
from astrarium.worlds.registry import Schooling

SMALL = (
    "--seeds", "2", "--workers", "1", "--captured", "3", "--captured-steps", "260", "--epochs", "1",
    "--corrections", "1", "--episodes", "2", "--policy.hidden", "16", "--world.worlds", "4",
    "--ppo.rollout-steps", "16", "--run.total-env-steps", "256", "--run.window-env-steps", "128",
)  # fmt: skip


def run(*tokens: str) -> int:
    """Type a command; its exit status."""
    with pytest.raises(SystemExit) as ended:
        cli.main(list(tokens))
    code = ended.value.code
    assert isinstance(code, int)
    return code


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_teacher_that_shows_too_little_is_not_cloned(capsys: pytest.CaptureFixture[str]):
    """Days so short see no outage and no raised price, however hard the times."""
    assert run("apprentice", "townlet-v1", *SMALL) == 2
    told = capsys.readouterr().err
    assert "utility_outage" in told
    assert "capture more or longer episodes" in told
    assert not Path("apprentices").joinpath("captures").exists()


def test_a_clone_that_is_not_good_enough_goes_no_further(capsys: pytest.CaptureFixture[str]):
    Path("first.toml").write_text(STAGE.format(rate="3e-4"))
    stages = ("--teacher", "nearest_dark_lamp", "--stages", "first.toml")
    assert run("apprentice", "lanterns-v1", *stages, *SMALL) == 2
    told = capsys.readouterr().err
    assert "at least 90%" in told
    assert not Path("apprentices/runs").exists()


STAGE = """
[world]
id = "lanterns-v1"
worlds = 4
[policy]
hidden = [16]
[ppo]
rollout_steps = 16
learning_rate = {rate}
[run]
total_env_steps = 256
window_env_steps = 128
eval_episodes = 0
"""


@pytest.fixture
def lamps(monkeypatch: pytest.MonkeyPatch) -> tuple[str, ...]:
    """A short apprenticeship whose clone passes, however little it has learned."""
    easy = Schooling(
        "nearest_dark_lamp", accuracy_min=0.0, value_miss_max=1.0, value_explained_min=float("-inf")
    )
    entry = replace(worlds.get("lanterns-v1"), schooling=easy)
    monkeypatch.setitem(registry._known, entry.id, entry)
    for name, rate in (("first", "3e-4"), ("second", "1e-4")):
        Path(f"{name}.toml").write_text(STAGE.format(rate=rate))
    return (
        "apprentice", "lanterns-v1", "--stages", "first.toml", "second.toml", "--seeds", "2",
        "--captured", "8", "--captured-steps", "200",
        "--epochs", "2", "--corrections", "1", "--episodes", "4", "--page", "out/page.md",
    )  # fmt: skip


def test_all_are_judged_on_the_same_episodes_and_told(lamps: tuple[str, ...]) -> None:
    assert run(*lamps) in (0, 2)
    told = Path("out/page.md").read_text()
    for words in (
        "second, mean of 2", "clone, mean of 2", "| nearest_dark_lamp |", "| random_legal |",
        "4 episodes each, seeds 7 to 10", "(page-courses.png)", "- `first`: 256 ticks",
    ):  # fmt: skip
        assert words in told
    assert Path("out/page-courses.png").read_bytes().startswith(b"\x89PNG")


def test_what_is_finished_is_not_done_again(
    lamps: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    first = run(*lamps)
    page = Path("out/page.md").read_text()
    Path("apprentices/judged/second-1.json").unlink()

    def again(*_: object, **__: object) -> None:
        raise AssertionError("a finished stage was trained again")

    monkeypatch.setattr(training, "start", again)
    monkeypatch.setattr(training, "resume", again)
    assert run(*lamps) == first
    assert Path("out/page.md").read_text().split("\n\n")[2:] == page.split("\n\n")[2:]


def test_what_was_judged_on_other_episodes_is_refused(
    lamps: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    run(*lamps)
    assert run(*lamps, "--judge-seed", "50") == 2
    assert "judged on other episodes" in capsys.readouterr().err


def test_stages_must_have_one_policy(
    lamps: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    Path("second.toml").write_text(STAGE.format(rate="1e-4").replace("[16]", "[32]"))
    assert run(*lamps) == 2
    assert "another policy than first" in capsys.readouterr().err


def test_stages_may_differ_only_in_what_their_world_allows(
    lamps: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    longer = "\n[world.settings]\nlamps = 3\n[policy]"
    Path("second.toml").write_text(STAGE.format(rate="1e-4").replace("\n[policy]", longer))
    assert run(*lamps) == 2
    assert "differ in world.settings" in capsys.readouterr().err


def test_settings_of_a_later_stage_are_checked_before_anything_is_learned(
    lamps: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    wrong = "\n[world.settings]\nlanps = 3\n[policy]"
    for name in ("first", "second"):
        Path(f"{name}.toml").write_text(STAGE.format(rate="1e-4").replace("\n[policy]", wrong))
    assert run(*lamps) == 2
    assert "first: unknown key 'lanps'" in capsys.readouterr().err
    assert not Path("apprentices").exists()


def test_nobody_is_judged_on_what_the_teacher_showed(
    lamps: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(*lamps, "--judge-seed", "199_998") == 2
    assert "choose one after 200007" in capsys.readouterr().err


def test_a_world_that_names_no_teacher_wants_one_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("apprentice", "lanterns-v1") == 2
    assert "--teacher" in capsys.readouterr().err
    assert run("apprentice", "lanterns-v1", "--teacher", "nearest_dark_lamp") == 2
    assert "name presets or TOML files with --stages" in capsys.readouterr().err


TOWN = """
[world]
id = "townlet-v1"
worlds = 4
{settings}
[policy]
hidden = [16]
"""


def test_a_town_is_judged_by_its_own_pay_and_shaping(tmp_path: Path) -> None:
    """Both stages are paid as it suits learning; the judges must not be."""
    schooling = worlds.get("townlet-v1").schooling
    assert schooling is not None
    names = ("townlet-v1-apprentice", "townlet-v1-journeyman")
    stages = tuple(Stage(name, chosen_config("townlet-v1", name, None, {})) for name in names)
    plan = Plan("townlet-v1", schooling, stages, (0,), tmp_path, Lesson(), Correction())
    check(plan)
    assert stages[0].config.world.settings["shaping"] == {"gamma": stages[0].config.ppo.gamma}
    assert not {"shaping", "employment"} & set(plan.settings)
    # How fast needs fall is a rule of the town, not its pay.
    assert set(plan.settings["rewards"]) == {"decay_rates"}


def test_a_town_may_grow_from_stage_to_stage(tmp_path: Path) -> None:
    """Home, a shop, jobs, conflict, ties, what they pay, hard times, characters."""
    steps = {
        "home": "[world.settings]\njobs = {}\n[world.settings.features.stages]\n"
        'relationships = "OFF"\nsocial_rewards = "OFF"',
        "shop": "[world.settings]\njobs = {}\neconomy = { stipend_per_day = 2.0 }\n"
        '[world.settings.features.stages]\nrelationships = "OFF"\nsocial_rewards = "OFF"',
        "ties": '[world.settings.features.stages]\nrelationships = "B"\nsocial_rewards = "OFF"',
        "friends": '[world.settings.features.stages]\nrelationships = "C2"\nsocial_rewards = "C2"',
        "hard": "[world.settings.perturbations]\nenabled = true",
        "characters": "[world.settings.features.behavior]\nreward_multipliers = true",
    }
    stages = []
    for name, settings in steps.items():
        place = tmp_path / f"{name}.toml"
        place.write_text(TOWN.format(settings=settings))
        config = chosen_config("townlet-v1", None, place, {})
        stages.append(Stage(name, config))
    schooling = worlds.get("townlet-v1").schooling
    assert schooling is not None
    plan = Plan("townlet-v1", schooling, tuple(stages), (0,), tmp_path, Lesson(), Correction())
    check(plan)
    assert "jobs" not in plan.settings
    assert "stages" not in plan.settings.get("features", {})
    assert "economy" not in plan.settings


DUEL = """
[world]
id = "tidebreak-v1"
worlds = 4
[world.settings]
decision_ticks = 10
fidelity = "F0"
{own}
[policy]
hidden = [16]
[ppo]
rollout_steps = 16
[run]
total_env_steps = 1280
window_env_steps = 640
eval_episodes = 0
[league]
share = {share}
"""


def test_captains_are_judged_by_the_games_they_win(capsys: pytest.CaptureFixture[str]) -> None:
    """Taught on both sides, trained on one, then on both against their own past."""
    monkeypatch = pytest.MonkeyPatch()
    entry = worlds.get("tidebreak-v1")
    assert entry.schooling is not None
    easy = replace(
        entry.schooling, accuracy_min=0.0, value_miss_max=1.0, value_explained_min=float("-inf")
    )
    with monkeypatch.context() as patch:
        patch.setitem(registry._known, entry.id, replace(entry, schooling=easy))
        Path("one.toml").write_text(DUEL.format(own='opponent = ["pursuer", "line"]', share=0))
        Path("two.toml").write_text(DUEL.format(own='side = "both"', share=0.5))
        small = (
            "--seeds", "1", "--stages", "one.toml", "two.toml", "--captured", "4",
            "--captured-steps", "60", "--corrections", "1", "--epochs", "1", "--page", "out.md",
        )  # fmt: skip
        assert run("apprentice", "tidebreak-v1", *small, "--episodes", "3") == 2
        assert "even number" in capsys.readouterr().err
        assert run("apprentice", "tidebreak-v1", *small, "--episodes", "2") in (0, 2)
    told = Path("out.md").read_text()
    for words in (
        "| two-0 | line |", "| clone-0 | pursuer |", "| wolfpack | pursuer |", "| asked |",
        "share of games won against pursuer | at least 80% |", "2 games each", "- `one`:",
    ):  # fmt: skip
        assert words in told
