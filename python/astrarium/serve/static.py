"""The built web app: from inside the package, or from `web/dist` of a source tree."""

from __future__ import annotations

import gzip
import mimetypes
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from fastapi import Request
from fastapi.responses import HTMLResponse, Response

from astrarium.machine import source_tree
from astrarium.runs import RunNameError
from astrarium.runs.documents import open_plain
from astrarium.serve.paths import is_plain_folder, plain_file

_PACKED: Final = Path(__file__).with_name("app")
"""Where a wheel has it."""
_INDEX: Final = "index.html"
_TEXT: Final = re.compile(r"text/|application/(javascript|json)|image/svg|application/manifest")
_HASHED: Final = re.compile(r"-[A-Za-z0-9_-]{8}\.(js|css|woff2)$")
"""Names the bundler derives from the content: what they hold never changes."""
_FILE_BYTES_MAX: Final = 32 << 20
_TYPES: Final = {".js": "text/javascript", ".mjs": "text/javascript", ".svg": "image/svg+xml"}

_ABSENT: Final = """<!doctype html><html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width"><title>Astrarium</title></head><body>
<h1>The server is up; the web app is not built</h1>
<p>In a source tree, run <code>make web</code> and load this page again (it needs Node once).</p>
<p>The API works without it: see <a href="/api/v1/openapi.json">/api/v1/openapi.json</a>,
<a href="/api/v1/runs">/api/v1/runs</a>, <a href="/api/v1/worlds">/api/v1/worlds</a>.</p>
</body></html>
"""


@dataclass(frozen=True, slots=True)
class _File:
    stamp: tuple[int, int]
    plain: bytes
    packed: bytes | None
    headers: dict[str, str]


class WebApp:
    """Files of one folder, kept in memory as long as they do not change."""

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder or _found()
        self._held: dict[Path, _File] = {}

    @property
    def built(self) -> bool:
        """Whether there is an app to serve."""
        return (self._folder / _INDEX).is_file()

    def answer(self, request: Request, path: str) -> Response:
        """A file of the app, its front page, or the page that says how to build it."""
        if not self.built:
            if path:
                return Response("not found\n", 404, media_type="text/plain")
            return HTMLResponse(_ABSENT, headers={"cache-control": "no-store"})
        file = self._file(path or _INDEX)
        if file is None:
            return Response("not found\n", 404, media_type="text/plain")
        if request.headers.get("if-none-match") == file.headers["etag"]:
            return Response(status_code=304, headers=file.headers)
        if file.packed is not None and "gzip" in request.headers.get("accept-encoding", ""):
            return Response(file.packed, headers={**file.headers, "content-encoding": "gzip"})
        return Response(file.plain, headers=file.headers)

    def _file(self, path: str) -> _File | None:
        try:
            if is_plain_folder(self._folder / path):
                path = f"{path.rstrip('/')}/{_INDEX}"
            place = plain_file(self._folder, path)
            facts = place.lstat()
            stamp = (facts.st_mtime_ns, facts.st_size)
            known = self._held.get(place)
            if known is None or known.stamp != stamp:
                if facts.st_size > _FILE_BYTES_MAX:
                    return None
                known = self._held[place] = _read(place, stamp)
        except (OSError, ValueError, RunNameError):
            return None
        return known


def _found() -> Path:
    tree = source_tree()
    return _PACKED if tree is None else tree / "web" / "dist"


def _read(place: Path, stamp: tuple[int, int]) -> _File:
    with open_plain(place) as file:
        content = file.read(_FILE_BYTES_MAX)
    kind = _TYPES.get(place.suffix) or mimetypes.guess_type(place.name)[0]
    kind = kind or "application/octet-stream"
    is_text = _TEXT.match(kind) is not None
    lasting = _HASHED.search(place.name) is not None
    headers = {
        "content-type": f"{kind}; charset=utf-8" if is_text else kind,
        "cache-control": "public, max-age=31536000, immutable" if lasting else "no-cache",
        "etag": f'"{stamp[0]:x}-{stamp[1]:x}"',
        "vary": "accept-encoding",
    }
    packed = gzip.compress(content, 6) if is_text and len(content) > 1024 else None
    return _File(stamp, content, packed, headers)
