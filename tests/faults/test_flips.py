"""No flipped bit and no cut of a file of a run or of a war is believed.

Noticed means that reading the whole folder raises an error of the package. Left out are files that
nothing reads back: the empty lock, and the report of a war, which is drawn from the others.
"""

from __future__ import annotations

import logging
import random
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
from run_parts import new_run, train

from astrarium.campaign import battles, plan, report, warring
from astrarium.campaign.folder import WarFolder, read_summary
from astrarium.errors import AstrariumError
from astrarium.runs import RunFolder

sys.path.insert(0, str(Path(__file__).parents[1] / "unit" / "campaign"))
import stand_in

Read = Callable[[Path], None]
QUICK, WHOLE = (150, 30), (2_000, 300)
"""How many flips and cuts."""
DERIVED = ("report.html",)


def read_run(folder: Path) -> None:
    """Read all there is in a run's folder."""
    run = RunFolder.open(folder)
    run.status()
    run.config()
    for rows in (run.windows, run.events, run.world_events):
        rows()
    for entry in run.replay_index().entries:
        run.replay(entry.replay_id)
    for place in run.checkpoints():
        run.load_checkpoint(place.window_id, resumable=place.resumable)


def read_war(folder: Path) -> None:
    """Read all there is in a war's folder."""
    read_summary(folder)
    WarFolder.open(folder).close()
    for name in battles.names(folder):
        battles.read(folder, name)
    report.write_report(folder, folder)


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    writer = new_run(tmp_path_factory.mktemp("runs"))
    writer.append_world_events([{"kind": "SPROUTED", "epoch": epoch} for epoch in range(5)])
    train(writer, range(4))
    writer.finish()
    return writer.folder


@pytest.fixture(scope="module")
def war(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wars") / "war"
    made = warring.new_war(folder, plan.load(), 2, 40)
    warring.wage(made, stand_in.fight, runs=folder.parent)
    return folder


def believed(folder: Path, read: Read, counts: tuple[int, int], seed: int) -> Counter[str]:
    """The files of which a changed copy was read without an error, and how often."""
    rng, silent = random.Random(seed), Counter[str]()
    places = [
        place
        for place in sorted(folder.rglob("*"))
        if place.is_file() and place.stat().st_size and place.name not in DERIVED
    ]
    logging.disable(logging.CRITICAL)
    try:
        for number in range(sum(counts)):
            place = rng.choice(places)
            whole = place.read_bytes()
            if number < counts[0]:
                changed = bytearray(whole)
                bit = rng.randrange(8 * len(whole))
                changed[bit // 8] ^= 1 << bit % 8
            else:
                changed = whole[: rng.randrange(len(whole))]
            place.write_bytes(changed)
            try:
                read(folder)
                silent[str(place.relative_to(folder))] += 1
            except AstrariumError:
                pass
            finally:
                place.write_bytes(whole)
    finally:
        logging.disable(logging.NOTSET)
    read(folder)
    return silent


@pytest.mark.parametrize("name", ["run", "war"])
def test_a_changed_file_is_noticed(name: str, request: pytest.FixtureRequest) -> None:
    read = read_run if name == "run" else read_war
    assert not believed(request.getfixturevalue(name), read, QUICK, seed=7)


@pytest.mark.long
@pytest.mark.parametrize("name", ["run", "war"])
def test_no_changed_file_of_thousands_is_believed(
    name: str, request: pytest.FixtureRequest
) -> None:
    read = read_run if name == "run" else read_war
    assert not believed(request.getfixturevalue(name), read, WHOLE, seed=8)


def test_a_reader_that_checks_nothing_is_found_out(run: Path) -> None:
    """The harness itself notices silence."""
    assert believed(run, lambda folder: None, (20, 5), seed=9).total() == 25
