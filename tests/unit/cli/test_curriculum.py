"""`astrarium curriculum`, as it is typed."""

from pathlib import Path

import pytest

from astrarium import cli

FILE = """
preset = "tidebreak-v1"
games = 2
promote = 0.0
demote = 0.0
round_ticks = 640
[[rungs]]
scenario = "duel"
opponent = "drifter"
"""
SMALL = (
    "--world.worlds", "2", "--world.settings.decision-ticks", "10", "--policy.hidden", "8",
    "--world.settings.fidelity", "F0", "--ppo.rollout-steps", "16", "--run.threads", "1",
    "--run.device", "cpu",
)  # fmt: skip


def run(*tokens: str) -> int:
    """Type a command; its exit status."""
    with pytest.raises(SystemExit) as ended:
        cli.main(["curriculum", *tokens])
    code = ended.value.code
    assert isinstance(code, int)
    return code


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("mine.toml").write_text(FILE)


def test_the_table_tells_every_round_and_a_picture_shows_them(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run("tidebreak-v1", "--file", "mine.toml", *SMALL) == 0
    told = capsys.readouterr().out
    assert "drifter" in told
    assert "every rung was passed" in told
    assert Path("curriculum/curriculum.png").read_bytes().startswith(b"\x89PNG")
    assert run("tidebreak-v1", "--file", "mine.toml", *SMALL) == 0


def test_whoever_does_not_get_to_the_end_is_told_so(capsys: pytest.CaptureFixture[str]) -> None:
    text = FILE.replace("promote = 0.0", "promote = 1.0").replace("demote = 0.0", "rounds_max = 1")
    Path("mine.toml").write_text(text.replace("drifter", "wolfpack"))
    assert run("tidebreak-v1", "--file", "mine.toml", *SMALL) == 2
    assert "not every rung was passed" in capsys.readouterr().out


def test_a_world_without_a_curriculum_needs_a_file(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("lanterns-v1") == 2
    assert "name a file with --file" in capsys.readouterr().err
