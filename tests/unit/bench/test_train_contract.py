"""What a contender is asked, what it may answer, and what happens when it does not."""

from __future__ import annotations

import json
import os
import stat
import sys
import time
from dataclasses import asdict, replace
from pathlib import Path

import pytest

from astrarium.bench.trainers import contenders, contract, homes
from astrarium.bench.trainers.contenders import Contender, TurnError, answer_of, take_turn
from astrarium.bench.trainers.contract import (
    Answer,
    ContractError,
    Stopwatch,
    Task,
    Timed,
    parse_answer,
    parse_task,
)
from astrarium.errors import ConfigError

TASK = Task("dummy-v1", num_worlds=64, rollout_steps=32, minibatches=4)
ANSWER = Answer(Timed([2.0, 3.0], [4.0, 5.0]), {"optimizer": "Adam"}, {"torch": "2"}, 1)
FAKE = Contender("fake", "Fake", "peer", script="fake.py")


def test_tasks_and_answers_survive_the_way_there_and_back() -> None:
    assert parse_task(json.dumps(asdict(TASK))) == TASK
    assert parse_answer(json.dumps(asdict(ANSWER))) == ANSWER
    assert parse_task('{"world": "w"}') == Task("w")
    assert (TASK.batch_size, TASK.minibatch_size) == (2048, 512)


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("nothing", "Expecting value"),
        ("[1]", "give an object"),
        ('{"rates": {"wall": [1], "cpu": []}, "speed": 3}', "it has no 'speed'"),
        ('{"settings": {}}', "it needs 'rates'"),
        ('{"rates": {"wall": [], "cpu": []}}', "it needs a rate"),
        ('{"rates": {"wall": [1, 0], "cpu": []}}', "rates above 0"),
        ('{"rates": {"wall": [1, 2], "cpu": [-1]}}', "rates above 0"),
        ('{"rates": {"wall": [1]}}', "missing"),
        ('{"rates": 3}', "is no answer"),
    ],
)
def test_what_is_no_answer_is_refused(text: str, wrong: str) -> None:
    with pytest.raises(ContractError, match=wrong):
        parse_answer(text)


def clocked(monkeypatch: pytest.MonkeyPatch, *wall: float) -> None:
    """Clocks that say so; the processor was busy half of the time."""
    walls, cpus = iter(wall), iter([one / 2 for one in wall])
    monkeypatch.setattr(contract.time, "perf_counter", lambda: next(walls))
    monkeypatch.setattr(contract.time, "process_time", lambda: next(cpus))


def test_the_warm_up_is_not_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    clocked(monkeypatch, 0, 100, 102, 106)
    rates = contract.timed(replace(TASK, warm_up=1, iterations=2), lambda: 8)
    assert rates == Timed([4.0, 2.0], [8.0, 4.0])


def test_time_runs_out_but_one_iteration_is_always_timed(monkeypatch: pytest.MonkeyPatch) -> None:
    clocked(monkeypatch, 0, 1, 11, 12)
    watch = Stopwatch(replace(TASK, warm_up=1, iterations=9, seconds_max=10.0))
    assert [watch.lap(5), watch.lap(5)] == [False, True]
    assert watch.timed().wall == [0.5]


@pytest.mark.parametrize(
    ("status", "told", "complaints", "reason"),
    [
        (1, "", "Traceback\nImportError: no torch\n\n", "ImportError: no torch"),
        (-9, "", "", "status -9, silently"),
        (0, "", "a warning", "a warning"),
        (0, "hello", "", "is no answer"),
        (3, json.dumps(asdict(ANSWER)), "died at exit", "died at exit"),
        (0, json.dumps(asdict(replace(ANSWER, cores=2))), "", "could use 2 cores"),
    ],
)
def test_no_answer_is_told_with_its_reason(
    status: int, told: str, complaints: str, reason: str
) -> None:
    with pytest.raises(TurnError, match=reason):
        answer_of(status, told, complaints, TASK)


def test_the_last_line_is_the_answer() -> None:
    told = f"chatter\n{json.dumps(asdict(ANSWER))}\n"
    assert answer_of(0, told, "", TASK) == ANSWER


@pytest.fixture
def fake(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Write the script of a contender."""
    monkeypatch.setattr(homes, "checkout", lambda: tmp_path)
    script = tmp_path / "tools" / "peers" / "fake.py"
    script.parent.mkdir(parents=True)
    return script.write_text


def test_a_turn_is_taken_alone_on_its_cores(fake, tmp_path: Path) -> None:
    fake(
        "import os\n"
        "from pathlib import Path\n"
        "from astrarium.bench.trainers.contract import Timed, answer\n"
        "def measure(task):\n"
        "    print('libraries talk')\n"
        "    os.system('echo so do their children')\n"
        "    names = ('OMP_NUM_THREADS', 'CUDA_VISIBLE_DEVICES')\n"
        "    told = {name: os.environ[name] for name in names}\n"
        "    return Timed([task.batch_size], []), {**told, 'variant': task.variant,\n"
        "        'folder': str(Path.cwd()), 'session': os.getsid(0) == os.getpid()}\n"
        "answer(measure, ('pytest', 'no-such-package'))\n"
    )
    before = os.sched_getaffinity(0)
    answer = take_turn(replace(FAKE, variant="its own"), TASK, tmp_path)
    assert os.sched_getaffinity(0) == before
    assert (answer.rates.wall, answer.cores) == ([2048], 1)
    assert answer.settings == {
        "OMP_NUM_THREADS": "1",
        "CUDA_VISIBLE_DEVICES": "",
        "variant": "its own",
        "folder": str(tmp_path),
        "session": True,
    }
    assert set(answer.versions) == {"python", "numpy", "torch", "pytest"}


def test_a_contender_that_hangs_is_ended_with_its_children(
    fake, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(contenders, "TURN_S_MAX", 1.0)
    fake(
        "import os, subprocess, sys, time\n"
        "child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)'])\n"
        "open('pid', 'w').write(str(child.pid))\n"
        "time.sleep(600)\n"
    )
    with pytest.raises(TurnError, match="no answer within 1 s"):
        take_turn(FAKE, TASK, tmp_path)
    child = Path("/proc") / (tmp_path / "pid").read_text()
    for _ in range(100):
        # Nobody may be there to reap it: a zombie has ended too.
        if not child.exists() or "State:\tZ" in (child / "status").read_text():
            break
        time.sleep(0.05)
    else:
        pytest.fail("the child lives on")


def test_more_cores_than_there_are_cannot_be_asked(fake, tmp_path: Path) -> None:
    fake("")
    with pytest.raises(ConfigError, match="cores is 4096"):
        take_turn(FAKE, replace(TASK, threads=4096), tmp_path)


def test_names_of_contenders() -> None:
    assert [one.name for one in contenders.chosen(["sb3", "ours"])] == ["ours", "sb3"]
    with pytest.raises(ConfigError, match="did you mean 'plain'"):
        contenders.chosen(["plane"])


UV = """#!{python}
import pathlib, sys
with open("calls", "a") as calls:
    print(*sys.argv[1:], file=calls)
if sys.argv[1] == "venv":
    pathlib.Path(sys.argv[-1], "bin").mkdir(parents=True)
elif pathlib.Path("broken").exists():
    sys.exit("error: Failed to build\\n  ValueError: no network\\n  hint: try again")
"""


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A source tree with one list, and a uv that only notes what it is asked."""
    (tmp_path / "tools" / "peers").mkdir(parents=True)
    (tmp_path / "tools" / "peers" / "rllib.txt").write_text("ray==2\n")
    uv = tmp_path / "bin" / "uv"
    uv.parent.mkdir()
    uv.write_text(UV.format(python=sys.executable))
    uv.chmod(uv.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("PATH", f"{uv.parent}:{os.environ['PATH']}")
    monkeypatch.setattr(homes, "source_tree", lambda: tmp_path)
    return tmp_path


def test_a_home_is_made_once_and_again_when_its_list_changes(checkout: Path) -> None:
    with pytest.raises(homes.UnavailableError, match="run astrarium bench peers"):
        homes.interpreter("rllib")
    assert homes.install("rllib", lambda _: None) is None
    assert homes.interpreter("rllib") == checkout / ".cache" / "peers" / "rllib" / "bin" / "python"
    assert homes.install("rllib", lambda _: None) is None
    assert len((checkout / "calls").read_text().splitlines()) == 2
    (checkout / "tools" / "peers" / "rllib.txt").write_text("ray==3\n")
    with pytest.raises(homes.UnavailableError, match="not installed"):
        homes.interpreter("rllib")
    homes.install("rllib", lambda _: None)
    assert len((checkout / "calls").read_text().splitlines()) == 4


def test_why_it_does_not_install_is_remembered(checkout: Path) -> None:
    (checkout / "broken").touch()
    assert homes.install("rllib", lambda _: None) == "ValueError: no network"
    with pytest.raises(homes.UnavailableError, match="does not install: ValueError: no network"):
        homes.interpreter("rllib")
    assert not (checkout / ".cache" / "peers" / "rllib").exists()
    (checkout / "broken").unlink()
    assert homes.install("rllib", lambda _: None) is None
    assert homes.interpreter("rllib").name == "python"


def test_a_wheel_has_no_peers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(homes, "source_tree", lambda: None)
    with pytest.raises(homes.UnavailableError, match="no source tree"):
        contenders.chosen(["sb3"])[0].command()
    assert contenders.chosen(["plain"])[0].command()[-1] == "plain"


def test_every_home_and_script_is_there() -> None:
    root = Path(__file__).parents[3] / "tools" / "peers"
    for one in contenders.CONTENDERS:
        assert bool(one.module) != bool(one.script)
        assert not one.script or (root / one.script).is_file(), one.name
        assert not one.home or one.home in homes.NAMES
    for name in homes.NAMES:
        lines = (root / f"{name}.txt").read_text("utf-8").splitlines()
        assert all("==" in line for line in lines if not line.startswith("#")), name
