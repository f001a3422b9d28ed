"""Benchmark reports, as `astrarium bench` left them."""

from __future__ import annotations

import os
from functools import lru_cache
from pathlib import Path as FilePath
from typing import Annotated, Any, Final

import msgspec
from fastapi import APIRouter, Path, Response

from astrarium.runs import DamagedRunError, RunNameError, RunNotFoundError, names
from astrarium.runs.documents import DOCUMENT_BYTES_MAX, open_plain
from astrarium.runs.documents import read_unsealed as read_document
from astrarium.serve.paths import plain_file
from astrarium.serve.problems import Problem
from astrarium.serve.routes.asking import Asked, answers, json, raw_json
from astrarium.serve.shapes import Reports

router = APIRouter(prefix="/reports", tags=["reports"])

_SUFFIX: Final = ".json"
_SHOWN_MAX: Final = 1_000


class _Summary(msgspec.Struct):
    passed: bool | None = msgspec.field(default=None, name="pass")


class _Machine(msgspec.Struct):
    commit: str | None = None


class _Head(msgspec.Struct):
    kind: str | None = None
    generated_at: str | None = None
    summary: _Summary | None = None
    machine: _Machine | None = None


class _Loose(msgspec.Struct):
    kind: str | None = None
    generated_at: str | None = None


@router.get("", responses=answers(Reports), response_class=Response, summary="All reports")
def reports(asked: Asked) -> Response:
    """Every report in the reports folder, newest first; files that are none are left out."""
    rows: list[dict[str, Any]] = []
    try:
        with os.scandir(asked.settings.reports) as found:
            for one in found:
                if one.name.endswith(_SUFFIX) and one.is_file(follow_symlinks=False):
                    facts = one.stat(follow_symlinks=False)
                    row = _row(one.path, facts.st_mtime_ns, facts.st_size)
                    if row is not None:
                        rows.append(row)
    except (FileNotFoundError, NotADirectoryError):
        pass
    rows.sort(key=lambda row: (row["generated_at"] or "", row["name"]), reverse=True)
    return json({"reports": rows[:_SHOWN_MAX]})


@router.get(
    "/{name}",
    responses={200: {"content": {"application/json": {}}, "description": "The file itself."}},
    response_class=Response,
    summary="A report",
)
def one_report(asked: Asked, name: Annotated[str, Path(pattern=f"^{names.RUN_ID}$")]) -> Response:
    """The file as it is."""
    try:
        place = plain_file(asked.settings.reports, f"{name.removesuffix(_SUFFIX)}{_SUFFIX}")
        with open_plain(place) as file:
            content = file.read(DOCUMENT_BYTES_MAX + 1)
    except (OSError, RunNameError) as error:
        raise Problem(404, f"there is no report {name!r}") from error
    if len(content) > DOCUMENT_BYTES_MAX:
        raise Problem(500, f"{name} is larger than {DOCUMENT_BYTES_MAX} bytes: not a report")
    return raw_json(content)


@lru_cache(maxsize=4096)
def _row(path: str, mtime_ns: int, size: int) -> dict[str, Any] | None:
    """A report in the list; None for a file that is none. Read again only when it changed."""
    del mtime_ns
    place = FilePath(path)
    name = place.name.removesuffix(_SUFFIX)
    if size > DOCUMENT_BYTES_MAX or not names.is_run_id(name):
        return None
    try:
        head = _head(place)
    except (DamagedRunError, RunNotFoundError):
        return None
    passed = None if head.summary is None else head.summary.passed
    commit = None if head.machine is None else head.machine.commit
    return {
        "name": name,
        "kind": head.kind,
        "generated_at": head.generated_at,
        "passed": passed,
        "commit": commit,
    }


def _head(place: FilePath) -> _Head:
    try:
        return read_document(place, _Head)
    except DamagedRunError:
        # Another shape of summary or machine is no reason to hide the file.
        loose = read_document(place, _Loose)
        return _Head(loose.kind, loose.generated_at)
