"""Snapshots of towns as files: written whole or not at all, and read with distrust."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any, Final, cast

from astrarium.atomic import write_bytes
from astrarium.worlds.townlet.snapshots import (
    SCHEMA,
    TownSnapshot,
    TownSnapshotError,
    validated,
)

BYTES_MAX: Final = 64 * 1_048_576


def write(path: Path, snapshot: TownSnapshot) -> None:
    """Store a snapshot, whole or not at all. It is on the disk when this returns."""
    write_bytes(path, encoded(snapshot))


def encoded(snapshot: TownSnapshot) -> bytes:
    """The bytes of a snapshot's file."""
    document = snapshot.model_dump(mode="json", exclude={"python": {"monitor": {"memory"}}})
    if snapshot.python.monitor is not None:
        # Most of a document, and plain values already: the model would ask each for its type.
        document["python"]["monitor"]["memory"] = snapshot.python.monitor.memory
    text = _canonical(document)
    checksum = hashlib.sha256(text).hexdigest()
    # The last key of all; putting it in here spares encoding everything once more.
    return text[:-1] + f',"checksum":"{checksum}"}}\n'.encode()


def _canonical(document: dict[str, Any]) -> bytes:
    """Equal snapshots in equal bytes: keys as the models have them, since order may be a rule."""
    return json.dumps(document, separators=(",", ":"), allow_nan=False).encode()


def _checksum(document: dict[str, Any]) -> str:
    return hashlib.sha256(_canonical(document)).hexdigest()


def read(path: Path, *, allow_downgrade: bool = False) -> TownSnapshot:
    """A snapshot that `write` stored; with `allow_downgrade` also one of a newer minor schema.

    Raises a `TownSnapshotError` that names the file, the field and the fix.
    """
    try:
        return _checked(_parsed(path), allow_downgrade)
    except TownSnapshotError as error:
        raise TownSnapshotError(f"{path}: {error}") from None


def _parsed(path: Path) -> dict[str, Any]:
    try:
        with path.open("rb") as file:
            data = file.read(BYTES_MAX + 1)
        if len(data) > BYTES_MAX:
            raise TownSnapshotError(f"is larger than {BYTES_MAX} bytes; this is no snapshot")
        document: Any = json.loads(data)
    except OSError as error:
        raise TownSnapshotError(f"cannot be read: {error.strerror or error}") from None
    except (ValueError, RecursionError) as error:
        if isinstance(error, TownSnapshotError):
            raise
        raise TownSnapshotError(f"is no whole JSON ({error}); take an undamaged copy") from None
    if not isinstance(document, dict):
        raise TownSnapshotError("is no snapshot of a town: it holds no JSON object")
    return cast("dict[str, Any]", document)


def _checked(document: dict[str, Any], allow_downgrade: bool) -> TownSnapshot:
    newer = _is_newer(document.get("schema_version"), allow_downgrade)
    checksum = document.pop("checksum", None)
    found = _checksum(document)
    if newer:  # what this version does not know was part of the checksum
        document = {key: document[key] for key in document if key in TownSnapshot.model_fields}
    snapshot = validated(document)
    if checksum != found:
        raise TownSnapshotError(
            "checksum: the document is not the one that was written; take an undamaged copy"
        )
    return snapshot


def _is_newer(version: Any, allow_downgrade: bool) -> bool:
    """Whether this version knows less than the writer; raises if it may not read what it wrote."""
    major, dot, minor = version.partition(".") if isinstance(version, str) else ("", "", "")
    if not (dot and major.isdecimal() and minor.isdecimal()):
        raise TownSnapshotError(
            f"schema_version is {version!r}; a snapshot of a town says {SCHEMA[0]}.{SCHEMA[1]}"
        )
    if int(major) != SCHEMA[0]:
        fix = "use a newer Astrarium" if int(major) > SCHEMA[0] else "use the one that wrote it"
        raise TownSnapshotError(
            f"schema_version is {version}, this version reads {SCHEMA[0]}.{SCHEMA[1]}; {fix}"
        )
    newer = int(minor) > SCHEMA[1]
    if newer and not allow_downgrade:
        raise TownSnapshotError(
            f"schema_version is {version}, newer than {SCHEMA[0]}.{SCHEMA[1]}; use a newer "
            "Astrarium, or set snapshot.guardrails.allow_downgrade to lose what this one does not "
            "know"
        )
    return newer
