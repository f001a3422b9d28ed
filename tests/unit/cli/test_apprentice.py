"""`astrarium apprentice`, as it is typed: a whole apprenticeship of small towns, and its return."""

from functools import partial
from pathlib import Path

import pytest

from astrarium import cli
from astrarium.train import imitation, training
from astrarium.train.apprentice import course
from astrarium.train.imitation import Study

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
    assert "at least 90 %" in told
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
    monkeypatch.setattr(imitation, "VALUE_MISS_MAX", 1.0)
    monkeypatch.setattr(course, "Study", partial(Study, accuracy_min=0.0))
    for name, rate in (("first", "3e-4"), ("second", "1e-4")):
        Path(f"{name}.toml").write_text(STAGE.format(rate=rate))
    return (
        "apprentice", "lanterns-v1", "--teacher", "nearest_dark_lamp", "--stages", "first.toml",
        "second.toml", "--seeds", "2", "--captured", "8", "--captured-steps", "200",
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


def test_stages_may_differ_in_pay_alone(
    lamps: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    longer = "\n[world.settings]\nlamps = 3\n[policy]"
    Path("second.toml").write_text(STAGE.format(rate="1e-4").replace("\n[policy]", longer))
    assert run(*lamps) == 2
    assert "differ in world.settings" in capsys.readouterr().err
