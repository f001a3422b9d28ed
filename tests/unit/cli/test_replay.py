"""`astrarium replay` as a reader sees it."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from bot_runs import write_run

from astrarium.cli import main
from astrarium.runs import RunFolder, replays
from astrarium.worlds.native import NativeVectorWorld
from astrarium.worlds.townlet import TownletConfig, load
from astrarium.worlds.townlet.players import citizens


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of Prospector and one of Lanterns, two replays each; not to be changed."""
    root = tmp_path_factory.mktemp("runs")
    write_run(root, "lamps", world="lanterns-v1", bots=("random_legal", "nearest_dark_lamp"))
    write_run(root, "ships", bots=("hauler", "greedy_miner"))
    return root


def command(capsys: pytest.CaptureFixture[str], *tokens: str) -> tuple[Any, str, str]:
    with pytest.raises(SystemExit) as ended:
        main(["replay", *tokens])
    captured = capsys.readouterr()
    return ended.value.code, captured.out, captured.err


def shown(capsys: pytest.CaptureFixture[str], root: Path, *tokens: str) -> str:
    code, out, err = command(capsys, *tokens, "--root", str(root))
    assert code == 0, err
    return out


def ids(root: Path, run: str = "ships") -> list[str]:
    return [one.replay_id for one in RunFolder.find(root, run).replay_index().entries]


def test_replays_are_listed_newest_first(capsys: pytest.CaptureFixture[str], runs: Path) -> None:
    text = shown(capsys, runs, "list", "ships")
    first, second = ids(runs)
    assert text.startswith("ships: 2 of 2 replays")
    assert text.index(second) < text.index(first)
    assert "best_so_far" in text
    assert text.count("milestone:survival:1") == 2
    assert "…" not in text


def test_the_list_is_narrowed(capsys: pytest.CaptureFixture[str], runs: Path) -> None:
    first, second = ids(runs)
    best = shown(capsys, runs, "list", "ships", "--tag", "best_so_far", "--tag", "every_window")
    assert first in best
    assert shown(capsys, runs, "list", "ships", "--window", "1").count("replay-") == 1
    assert second in shown(capsys, runs, "list", "ships", "--limit", "1")
    assert shown(capsys, runs, "list", "ships", "--tag", "none").startswith("ships: 0 of 2")


@pytest.mark.parametrize("width", ["80", "120"])
@pytest.mark.parametrize("run", ["ships", "lamps"])
def test_an_episode_is_shown_whole(
    capsys: pytest.CaptureFixture[str],
    terminal: Callable[[int], None],
    runs: Path,
    run: str,
    width: str,
) -> None:
    terminal(int(width))
    text = shown(capsys, runs, "show", run, "best")
    for words in ("world", "seed 10", "recorded by", "return by frame", "reward term", "event"):
        assert words in text
    assert ("credits by frame" in text) == (run == "ships")
    assert "…" not in text
    assert max(map(len, text.splitlines())) <= int(width)
    assert "\x1b" not in text


def test_frames_are_named_and_paged(capsys: pytest.CaptureFixture[str], runs: Path) -> None:
    first, _ = ids(runs)
    text = shown(capsys, runs, "show", "ships", first, "--first", "2", "--rows", "3")
    table = text.split("frame  tick")[1].splitlines()
    assert [line.split()[0] for line in table[1:4]] == ["2", "3", "4"]
    assert "55 more: --first 5" in text
    assert "TRAVEL_NEIGHBOR_" in shown(capsys, runs, "show", "ships", first, "--rows", "1")
    assert "no frames from 99 on" in shown(capsys, runs, "show", "ships", first, "--first", "99")
    assert "keeper_0=" in shown(capsys, runs, "show", "lamps")


def test_whole_replays_hold(capsys: pytest.CaptureFixture[str], runs: Path) -> None:
    text = shown(capsys, runs, "verify", "ships")
    assert "60 frames as recorded, the episode left running" in text
    assert "2 of 2 replays hold" in shown(capsys, runs, "verify", "lamps", "--all")
    path = RunFolder.find(runs, "ships").replay_file(ids(runs)[0])
    assert "✓" in shown(capsys, runs, "verify", str(path))


def test_an_exported_replay_is_shown_and_verified(
    capsys: pytest.CaptureFixture[str], runs: Path, tmp_path: Path
) -> None:
    plain = tmp_path / "episode.jsonl"
    shown(capsys, runs, "export", "ships", "best", "--to", str(plain))
    assert "return by frame" in shown(capsys, runs, "show", str(plain))
    text = shown(capsys, runs, "verify", str(plain))
    assert "60 frames as recorded" in text
    assert "not checked: what the policy said" in text
    plain.write_bytes(plain.read_bytes()[:-10])
    code, _, err = command(capsys, "verify", str(plain))
    assert code == 2
    assert "ends within a line" in err


def test_a_policys_words_cannot_be_changed_unseen(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    run = write_run(tmp_path, "ships", bots=("hauler",), returns=(1.0,))
    here = ("--root", str(tmp_path))
    assert "not checked" not in shown(capsys, tmp_path, "verify", "ships")
    (replay_id,) = ids(tmp_path)
    whole = replays.read(run.replay_file(replay_id))
    frames = [{**frame, "policy": {"value": 9.0, "probability": 1.0}} for frame in whole.frames]
    changed = replays.encode(replays.Replay(whole.header, frames))
    run.replay_file(replay_id).write_bytes(replays.compress(changed))
    code, out, _ = command(capsys, "verify", "ships", *here)
    assert code == 1
    assert f'id, made of all that is recorded: recorded "{replay_id}"' in out


@pytest.fixture
def spoiled(tmp_path: Path) -> Path:
    """A run whose first replay has another reward, and whose second is cut short."""
    run = write_run(tmp_path, "spoiled", bots=("hauler", "greedy_miner"))
    first, second = (run.replay_file(one) for one in ids(tmp_path, "spoiled"))
    changed = replays.read(first)
    frames = [dict(frame) for frame in changed.frames]
    frames[4]["reward"] = 77.0
    first.write_bytes(replays.compress(replays.encode(replays.Replay(changed.header, frames))))
    cut = replays.read(second)
    fewer = replays.Replay(cut.header, cut.frames[:-1])
    second.write_bytes(replays.compress(replays.encode(fewer)))
    return tmp_path


def test_the_first_difference_is_named(capsys: pytest.CaptureFixture[str], spoiled: Path) -> None:
    first, second = ids(spoiled, "spoiled")
    here = ("--root", str(spoiled))
    code, out, _ = command(capsys, "verify", "spoiled", first, *here)
    assert code == 1
    assert f"✗ {first}: frame 4, reward: recorded 77.0, simulated " in out
    assert "recorded by" in out
    code, out, _ = command(capsys, "verify", "spoiled", second, *here)
    assert code == 1
    assert "steps (of the replay index): recorded 60, simulated 59" in out


def test_one_that_cannot_be_read_does_not_hide_the_others(
    capsys: pytest.CaptureFixture[str], spoiled: Path
) -> None:
    first, _ = ids(spoiled, "spoiled")
    RunFolder.find(spoiled, "spoiled").replay_file(first).write_bytes(b"not gzip")
    code, out, _ = command(capsys, "verify", "spoiled", "--all", "--root", str(spoiled))
    assert code == 1
    assert f"✗ {first}: " in out
    assert "cannot be unpacked" in out
    assert "steps (of the replay index)" in out
    assert "0 of 2 replays hold" in out


def test_another_build_is_refused_unless_wanted(
    capsys: pytest.CaptureFixture[str], runs: Path, tmp_path: Path
) -> None:
    replay = RunFolder.find(runs, "ships").replay(ids(runs)[0])
    header = {**replay.header, "build": {"version": "0.0.1", "commit": "none"}}
    old = tmp_path / "old.jsonl.gz"
    old.write_bytes(replays.compress(replays.encode(replays.Replay(header, replay.frames))))
    code, _, err = command(capsys, "verify", str(old))
    assert code == 2
    assert "--any-build" in err
    code, out, _ = command(capsys, "verify", str(old), "--any-build")
    assert code == 0
    assert "as recorded" in out


def test_exports_hold_every_frame(
    capsys: pytest.CaptureFixture[str], runs: Path, tmp_path: Path
) -> None:
    run = RunFolder.find(runs, "ships")
    first, _ = ids(runs)
    for suffix in (".csv", ".jsonl", ".jsonl.gz"):
        shown(capsys, runs, "export", "ships", first, "--to", str(tmp_path / f"out{suffix}"))
    replay = run.replay(first)
    rows = list(csv.DictReader((tmp_path / "out.csv").read_text().splitlines()))
    assert len(rows) == len(replay.frames) == 60
    for row, frame in zip(rows, replay.frames, strict=True):
        assert float(row["reward"]) == frame["reward"]
        assert float(row["info.credits"]) == frame["info"]["credits"]
        assert float(row["terms.fuel"]) == frame["terms"]["fuel"]
        assert row["action_words"] == replay.header["action_names"][0][frame["action"]]
        assert row["events"].split() == frame["events"]
        assert row["digest"] == frame["digest"]
    lines = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text().splitlines()]
    assert lines[0] == replay.header
    assert lines[1:] == list(replay.frames)
    assert (tmp_path / "out.jsonl.gz").read_bytes() == run.replay_file(first).read_bytes()


def test_columns_of_several_agents_carry_their_names(
    capsys: pytest.CaptureFixture[str], runs: Path, tmp_path: Path
) -> None:
    to = tmp_path / "lamps.csv"
    shown(capsys, runs, "export", "lamps", "--to", str(to))
    row = next(csv.DictReader(to.read_text().splitlines()))
    assert {"reward.keeper_0", "terms.keeper_1.lamp", "info.alive.keeper_1"} <= set(row)
    assert row["action_words"].startswith("keeper_0=")


@pytest.mark.parametrize(
    ("tokens", "words"),
    [
        (("list", "shops"), "did you mean 'ships'?"),
        (("show", "ships", "replay-1"), "astrarium replay list ships"),
        (("show", "ships", "--first", "-1"), "the first frame is 0"),
        (("show", "ships", "--rows", "0"), "rows"),
        (("verify", "ships", "best", "--all"), "not both"),
        (("export", "ships", "--to", "out.xls"), "ends in none of .csv, .jsonl and .jsonl.gz"),
        (("export", "ships", "--to", "/proc/out.csv"), "cannot write"),
        (("list", "ships", "--limit", "0"), "limit"),
    ],
)
def test_bad_input_is_refused_with_advice(
    capsys: pytest.CaptureFixture[str], runs: Path, tokens: tuple[str, ...], words: str
) -> None:
    code, out, err = command(capsys, *tokens, "--root", str(runs))
    assert code == 2
    assert words in " ".join(err.split())
    assert out == ""


def test_a_run_without_replays_says_so(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    write_run(tmp_path, "bare", replays=False)
    assert shown(capsys, tmp_path, "list", "bare").strip() == "bare: 0 of 0 replays"
    code, _, err = command(capsys, "show", "bare", "--root", str(tmp_path))
    assert code == 2
    assert "has no replays" in err
    assert "0 of 0 replays hold" in shown(capsys, tmp_path, "verify", "bare", "--all")


def test_a_scripted_player_is_recorded_under_its_settings_and_holds(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    settings = tmp_path / "town.toml"
    settings.write_text('[population]\nagents = 3\nnames = ["ann", "bob", "cat"]\n', "utf-8")
    told = shown(
        capsys,
        tmp_path,
        *("record", "townlet-v1", "citizens", "--steps", "30", "--settings", str(settings)),
    )
    assert told.startswith("30 steps of Townlet by citizens, seed 7: bot-citizens-")
    listed = shown(capsys, tmp_path, "list")
    assert "bot best_so_far" in listed
    code, _, err = command(capsys, "verify", "--root", str(tmp_path))
    assert code == 0, err
    (folder,) = tmp_path.glob("bot-*")
    (entry,) = RunFolder.open(folder).replay_index().entries
    first = RunFolder.open(folder).replay(entry.replay_id).frames[0]
    assert set(first["render_state"]["agents"]) == {"ann", "bob", "cat"}


def test_settings_that_are_none_are_refused_by_name(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    broken = tmp_path / "town.json"
    broken.write_text("[1]", "utf-8")
    code, _, err = command(
        capsys, "record", "townlet-v1", "citizens", "--settings", str(broken), "--root", "none"
    )
    assert code != 0
    assert "town.json is no table of settings" in err


def recorded_town(capsys: pytest.CaptureFixture[str], root: Path, *options: str) -> replays.Replay:
    """The one replay below `root`, of a town of these options."""
    shown(capsys, root, "record", "townlet-v1", "citizens", "--steps", "20", *options)
    (run,) = root.glob("bot-*")
    folder = RunFolder.open(run)
    (entry,) = folder.replay_index().entries
    return folder.replay(entry.replay_id)


def test_a_shipped_town_is_recorded_by_its_name_and_seed(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    town = load("demo_story")
    replay = recorded_town(capsys, tmp_path, "--settings", "demo_story")
    assert TownletConfig.model_validate(replay.header["world_config"]) == town.config
    assert replay.header["seed"] == town.seed
    world = NativeVectorWorld.make("townlet-v1", town.config, autoreset="disabled")
    world.reset_with_seeds([town.seed])
    for _ in range(20):
        world.step(citizens(world)(world.obs, world.mask))
    assert replay.frames[-1]["digest"] == f"{int(world.digests()[0]):016x}", "its very life"


def test_a_town_of_a_file_is_recorded_and_a_seed_that_is_told_wins(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    mine = tmp_path / "mine.yaml"
    mine.write_text("seed: 5\npopulation: {agents: 2, names: [ada, ben]}\n", "utf-8")
    replay = recorded_town(capsys, tmp_path / "own", "--settings", str(mine))
    assert replay.header["seed"] == 5
    assert set(replay.frames[0]["render_state"]["agents"]) == {"ada", "ben"}
    other = recorded_town(capsys, tmp_path / "told", "--settings", str(mine), "--seed", "6")
    assert other.header["seed"] == 6


@pytest.mark.parametrize(
    ("world", "settings", "words"),
    [
        ("townlet-v1", "demo_stry", r"no town is called 'demo_stry'; did you mean 'demo_story'"),
        ("townlet-v1", "nobodys.yaml", r"nobodys[.]yaml: cannot be read: No such file"),
        ("lanterns-v1", "demo_story", r"demo_story holds no settings.*give a TOML or JSON file"),
    ],
)
def test_settings_nobody_knows_are_refused(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, world: str, settings: str, words: str
) -> None:
    tokens = ("record", world, "random_legal", "--settings", settings, "--root", str(tmp_path))
    code, _, err = command(capsys, *tokens)
    assert code == 2
    assert re.search(words, " ".join(err.split()))
    assert not list(tmp_path.iterdir())
