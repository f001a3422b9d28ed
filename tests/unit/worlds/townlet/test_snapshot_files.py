"""A damaged or foreign file is refused, and the refusal names the field."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from played_towns import kept

from astrarium.atomic import WriteError
from astrarium.worlds.townlet import snapshot_files
from astrarium.worlds.townlet.resuming import resume
from astrarium.worlds.townlet.snapshot_files import encoded, read, write
from astrarium.worlds.townlet.snapshots import TownSnapshotError

once = settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


@cache
def whole() -> bytes:
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "town.json"
        write(path, kept())
        return path.read_bytes()


def changed(path: Path, change: Callable[[dict[str, Any]], object], *, resealed: bool) -> Path:
    """The file with a change; resealed, as somebody would write it who knows the checksum."""
    document = json.loads(whole())
    change(document)
    if resealed:
        del document["checksum"]
        document["checksum"] = snapshot_files._checksum(document)  # pyright: ignore[reportPrivateUsage]
    path.write_text(json.dumps(document))
    return path


@once
@given(length=st.integers(0, len(whole()) - 2))
def test_a_truncated_file_is_refused(tmp_path: Path, length: int) -> None:
    path = tmp_path / "town.json"
    path.write_bytes(whole()[:length])
    with pytest.raises(TownSnapshotError, match=r"no whole JSON.*take an undamaged copy"):
        read(path)


@once
@given(at=st.integers(0, len(whole()) - 2), bit=st.integers(0, 7))
def test_a_flipped_bit_is_refused(tmp_path: Path, at: int, bit: int) -> None:
    data = bytearray(whole())
    data[at] ^= 1 << bit
    path = tmp_path / "town.json"
    path.write_bytes(data)
    try:
        found = read(path)
    except TownSnapshotError:
        return
    assert found == kept(), "read only if it says the same, as 1e5 and 1E5 do"


@pytest.mark.parametrize("monitored", [True, False])
def test_a_file_is_the_snapshot_and_the_checksum_of_just_that(monitored: bool) -> None:
    """Files of other versions are read by this: it must not depend on how they are written."""
    snapshot = kept()
    if not monitored:
        beside = snapshot.python.model_copy(update={"monitor": None, "sections": {"a": ["\u00fc"]}})
        snapshot = snapshot.model_copy(update={"python": beside})
    document = snapshot.model_dump(mode="json")
    plain = json.dumps(document, separators=(",", ":")).encode()
    document["checksum"] = hashlib.sha256(plain).hexdigest()
    assert encoded(snapshot) == json.dumps(document, separators=(",", ":")).encode() + b"\n"


def put(*keys: str, value: Any) -> Callable[[dict[str, Any]], None]:
    def change(document: dict[str, Any]) -> None:
        for key in keys[:-1]:
            document = document[key]
        document[keys[-1]] = value

    return change


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (put("core", "base64", value="no base64!"), r"core[.]base64: .*undamaged copy"),
        (put("core", "base64", value="AAAA"), r"core[.]sha256: the bytes are not those"),
        (put("core", "sha256", value="0" * 64), r"core[.]sha256: "),
        (put("schema_version", value="3.0"), r"schema_version is 3[.]0.*newer Astrarium"),
        (put("schema_version", value="1.0"), r"schema_version is 1[.]0.*that wrote it"),
        (put("schema_version", value="2.1"), r"2[.]1, newer than 2[.]0.*allow_downgrade"),
        (put("schema_version", value=2), r"schema_version is 2; a snapshot of a town says 2[.]0"),
        (put("config_id", value="a-0"), r"config_id is 'a-0', but the settings are those of"),
        (put("identity", "config_id", value="a-0"), r"identity[.]config_id is 'a-0'"),
        (put("identity", "policy_hash", value="abc"), r"identity[.]policy_hash"),
        (put("settings", "seed", value=7), r"config_id is .*, but the settings"),
        (put("settings", "label", value="../x"), r"settings[.]label"),
        (put("settings", "rules", "tiem", value={}), r"unknown key 'settings[.]rules[.]tiem'"),
        (put("settings", "rules", "time", value=4), r"settings[.]rules[.]time"),
        (put("tick", value=-1), r"tick is -1"),
        (put("surprise", value=1), r"unknown key 'surprise'"),
        (put("python", "sections", value={"a b": 1}), r"python[.]sections"),
    ],
)
def test_the_field_is_named(
    tmp_path: Path, change: Callable[[dict[str, Any]], None], words: str
) -> None:
    path = changed(tmp_path / "town.json", change, resealed=True)
    with pytest.raises(TownSnapshotError, match=words) as caught:
        read(path)
    assert str(caught.value).startswith(str(path))


@pytest.mark.parametrize(
    "change",
    [
        put("tick", value=41),
        put("created_at", value="2020-01-01T00:00:00.000Z"),
        put("settings", "rules", "economy", "ingredients_cost", value=0.2),
        put("checksum", value="0" * 64),
        put("python", "sections", value={"possessed": ["ada"]}),
    ],
)
def test_an_edited_file_is_refused(
    tmp_path: Path, change: Callable[[dict[str, Any]], None]
) -> None:
    path = changed(tmp_path / "town.json", change, resealed=False)
    with pytest.raises(TownSnapshotError, match="checksum: the document is not the one"):
        read(path)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (put("tick", value=41), "tick is 41, but the core is at 40"),
        (put("settings", "rules", "economy", "ingredients_cost", value=0.2), "core: .*do not fit"),
        (put("python", "monitor", "memory", value={}), r"python[.]monitor[.]memory: "),
    ],
)
def test_what_only_reviving_shows(
    tmp_path: Path, change: Callable[[dict[str, Any]], None], words: str
) -> None:
    path = changed(tmp_path / "town.json", change, resealed=True)
    with pytest.raises(TownSnapshotError, match=words):
        resume(path)


def test_the_core_of_another_world_is_refused(tmp_path: Path) -> None:
    def cut(document: dict[str, Any]) -> None:
        core = base64.b64decode(document["core"]["base64"])[:-9]
        document["core"] = {
            "base64": base64.b64encode(core).decode(),
            "sha256": hashlib.sha256(core).hexdigest(),
        }

    with pytest.raises(TownSnapshotError, match=r"core: .*do not fit the settings or this version"):
        resume(changed(tmp_path / "town.json", cut, resealed=True))


def test_a_newer_minor_schema_is_read_where_that_is_allowed(tmp_path: Path) -> None:
    def newer(document: dict[str, Any]) -> None:
        document |= {"schema_version": "2.7", "later": {"x": 1}}

    path = changed(tmp_path / "town.json", newer, resealed=True)
    assert read(path, allow_downgrade=True).core == kept().core
    edited = changed(tmp_path / "town.json", newer, resealed=False)
    with pytest.raises(TownSnapshotError, match="checksum"):
        read(edited, allow_downgrade=True)


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"[]", "holds no JSON object"),
        (b"\xff\xfe{}", "no whole JSON"),
        (b"[" * 100_000, "no whole JSON"),
        (b'{"a": NaN}', "schema_version is None"),
    ],
)
def test_what_is_no_snapshot_is_refused(tmp_path: Path, data: bytes, words: str) -> None:
    path = tmp_path / "town.json"
    path.write_bytes(data)
    with pytest.raises(TownSnapshotError, match=words):
        read(path)


def test_a_file_that_is_not_there_or_cannot_be(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(TownSnapshotError, match="cannot be read: No such file"):
        read(tmp_path / "none.json")
    with pytest.raises(WriteError):
        write(tmp_path, kept())
    path = tmp_path / "town.json"
    write(path, kept())
    monkeypatch.setattr(snapshot_files, "BYTES_MAX", 100)
    with pytest.raises(TownSnapshotError, match="larger than 100 bytes"):
        read(path)
