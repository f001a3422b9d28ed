"""Files of a war that are not as they were written are refused by file and field."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import stand_in

from astrarium.campaign import battles, recording, warring
from astrarium.campaign.folder import WarFolder, read_summary
from astrarium.campaign.plan import load
from astrarium.campaign.report import write_report
from astrarium.campaign.shapes import WarFolderError, read_days
from astrarium.errors import ConfigError
from astrarium.runs import RunBusyError, documents
from astrarium.runs.seals import seal_document, seal_line, seal_of

PLACE = Path("war")


@pytest.fixture(scope="module")
def waged(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A war with battles."""
    path = tmp_path_factory.mktemp("shapes") / "war"
    folder = warring.new_war(path, load(), 2, 200)
    warring.wage(folder, stand_in.fight, stop=lambda: bool(folder.war.battles), runs=path.parent)
    return path


@pytest.fixture
def war(waged: Path, tmp_path: Path) -> Path:
    """A copy to spoil."""
    return Path(shutil.copytree(waged, tmp_path / "war"))


def spoiled(place: Path, change: Callable[[Any], None]) -> None:
    document = documents.read(place, dict[str, Any])
    change(document)
    documents.write(place, document, compact=True)


def sealed(text: str) -> bytes:
    """A text as a document that was sealed."""
    return seal_document(text.encode())


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("{", r"plan\.json is damaged.* does not end with a seal"),
        ("[]", r"plan\.json is damaged.* does not end with a seal"),
        ("{}", r"plan\.json has the hash .*, and the war was begun with a plan of the hash"),
        (None, r"plan\.json is missing"),
    ],
)
def test_a_plan_that_is_none_is_refused(war: Path, text: str | None, words: str) -> None:
    before = (war / "log.jsonl").read_bytes()
    (war / "plan.json").unlink()
    if text is not None:
        (war / "plan.json").write_bytes(sealed(text) if text == "{}" else text.encode())
    with pytest.raises(WarFolderError, match=words):
        WarFolder.open(war)
    assert (war / "log.jsonl").read_bytes() == before


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("{}", r"war\.json is damaged: .*missing required field `format`"),
        (
            '{"format": "astrarium-war.v1"}',
            r"war\.json is damaged.* required field `seed`",
        ),
        ('{"format": "astrarium-war.v9"}', r"war\.json is of another format"),
        ('{"format": 1}', r"war\.json is damaged: Expected `str`, got `int` - at `\$\.format`"),
    ],
)
def test_a_summary_that_is_none_is_refused(war: Path, text: str, words: str) -> None:
    (war / "war.json").write_bytes(sealed(text))
    for reading in (read_summary, battles.names, lambda path: write_report(path, path)):
        with pytest.raises(WarFolderError, match=words):
            reading(war)


def no_curves(summary: Any) -> None:
    del summary["curves"]["accord"]


def short_curve(summary: Any) -> None:
    summary["curves"]["dominion"]["stocks"]["food"].pop()


def lost_battle(summary: Any) -> None:
    summary["battles"][0]["node"] = "r0-r99"


def stranger(summary: Any) -> None:
    summary["battles"][0]["sides"]["nobody"] = summary["battles"][0]["sides"]["accord"]


def far_link(summary: Any) -> None:
    summary["links"][3]["b"] = "r99"


def wrong_ship(summary: Any) -> None:
    summary["battles"][0]["sides"]["accord"]["ships"] = "all"


@pytest.mark.parametrize(
    ("change", "field"),
    [
        (no_curves, r"\$\.curves\.accord"),
        (short_curve, r"\$\.curves\.dominion\.stocks\.food"),
        (lost_battle, r"\$\.battles\[0\]\.node"),
        (stranger, r"\$\.battles\[0\]\.sides"),
        (far_link, r"\$\.links\[3\]"),
        (wrong_ship, r"\$\.battles\[0\]\.sides\[\.\.\.\]\.ships"),
    ],
)
def test_a_summary_that_leads_nowhere_is_refused_by_field(
    war: Path, change: Callable[[Any], None], field: str
) -> None:
    spoiled(war / "war.json", change)
    with pytest.raises(WarFolderError, match=rf"war\.json is .*{field}"):
        read_summary(war)


@pytest.mark.parametrize(
    ("body", "words"),
    [(b"{7}", "object keys must be strings"), (b'{"day":1}', "missing required field")],
)
def test_a_day_that_is_none_is_refused_by_line(war: Path, body: bytes, words: str) -> None:
    first = (war / "days.jsonl").read_bytes().splitlines(keepends=True)[0]
    second, _ = seal_line(body, str(seal_of(first)))
    (war / "days.jsonl").write_bytes(first + second)
    with pytest.raises(WarFolderError, match=rf"days\.jsonl.*2.* is .*{words}"):
        read_days(war / "days.jsonl")


def test_days_that_the_summary_counts_must_be_there(war: Path) -> None:
    lines = (war / "days.jsonl").read_bytes().splitlines(keepends=True)
    (war / "days.jsonl").write_bytes(b"".join(lines[:-1]))
    count = len(lines)
    with pytest.raises(WarFolderError, match=f"it has {count - 1} rows, and {count} were counted"):
        write_report(war, war)
    with pytest.raises(WarFolderError, match=r"days\.jsonl is damaged"):
        WarFolder.open(war)


def test_a_state_edited_into_another_winner_is_refused(war: Path) -> None:
    place = war / "state.json"
    text = place.read_text("utf-8")
    assert '"winner":null' in text
    place.write_text(text.replace('"winner":null', '"winner":"accord"'), "utf-8")
    with pytest.raises(WarFolderError, match=r"state\.json is damaged, was edited"):
        WarFolder.open(war)


def test_a_war_of_an_earlier_format_is_refused_in_words(war: Path) -> None:
    spoiled(war / "state.json", lambda state: state.update(format=1))
    with pytest.raises(WarFolderError, match="has format 1; this build reads 2: wage"):
        WarFolder.open(war)


def test_two_writers_cannot_wage_one_war(war: Path) -> None:
    first = WarFolder.open(war)
    with pytest.raises(RunBusyError, match="another process is writing"):
        WarFolder.open(war)
    first.close()
    WarFolder.open(war).close()
    fresh = war.with_name("fresh")
    begun = warring.new_war(fresh, load(), 2, 10)
    with pytest.raises(RunBusyError):
        warring.new_war(fresh, load(), 2, 10)
    begun.close()
    with pytest.raises(WarFolderError, match="holds a war already"):
        warring.new_war(fresh, load(), 2, 10)


def a_number(battle: Any) -> None:
    battle["package"]["ships"][0]["hull_class"] = 7


def no_seed(battle: Any) -> None:
    del battle["result"]["seed"]


def another(battle: Any) -> None:
    battle["id"] = "d999-r0"


@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        ('{"id": 1}', r"Expected `str`, got `int` - at `\$\.id`"),
        ('{"id": "a"}', "missing required field `controllers`"),
        (a_number, r"`\$\.package\.ships\[0\]\.hull_class`"),
        (no_seed, r"`\$\.result\.seed`"),
        (another, r"`\$\.id` is 'd999-r0'"),
    ],
)
def test_a_battle_that_is_none_is_neither_fought_again_nor_recorded(
    war: Path, tmp_path: Path, spoil: str | Callable[[Any], None], words: str
) -> None:
    name = battles.names(war)[0]
    place = war / "battles" / f"{name}.json"
    if isinstance(spoil, str):
        place.write_bytes(sealed(spoil))
    else:
        spoiled(place, spoil)
    match = rf"{name}\.json is .*{words}"
    with pytest.raises(WarFolderError, match=match):
        battles.read(war, name)
    with pytest.raises(WarFolderError, match=match):
        recording.record(war, name, tmp_path / "runs")
    assert not (tmp_path / "runs").exists()


@pytest.mark.parametrize(
    ("name", "fits"),
    [
        ("seed-1", True),
        ("a" * 104, True),
        ("a" * 105, False),
        ("my war", False),
        ("-seed", False),
        ("krieg-ä", False),
    ],
)
def test_the_name_of_a_folder_is_checked_by_the_longest_run_it_leads_to(
    name: str, fits: bool
) -> None:
    """Such as `-d365-r0-r1-` and the twelve digits of a fingerprint."""
    if fits:
        battles.check_name(PLACE / name, load(), 365)
        return
    with pytest.raises(ConfigError, match="becomes a run such as"):
        battles.check_name(PLACE / name, load(), 365)
