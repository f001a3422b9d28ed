"""Replays: one recorded episode as a gzip file, a header and then one frame a line.

The same episode gives the same bytes and the same id. Readers take nothing on trust: a frame that
lacks a field, a file of another format, one cut short or one that unpacks without end is refused.
"""

from __future__ import annotations

import gzip
import hashlib
import io
import os
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, BinaryIO, Final, Literal, NotRequired, TypedDict

import msgspec

from astrarium.runs import documents
from astrarium.runs.errors import ReplayError

FORMAT: Final = 1
SCHEMA_VERSION: Final = 1

REPLAY_BYTES_MAX: Final = 256 << 20
"""Unpacked: some fifty thousand frames of Prospector."""
EXPANSION_MAX: Final = 200
"""Unpacked bytes for each packed one; recorded episodes have 5 to 40."""
EXPANSION_FREE_BYTES: Final = 8 << 20
"""A replay this small may expand as it likes."""
LINE_BYTES_MAX: Final = 16 << 20
_GZIP_LEVEL: Final = 6


class Build(TypedDict):
    """The program that recorded a replay."""

    version: str
    commit: str


class Header(TypedDict):
    """What a replay is of: enough to play it again and compare."""

    kind: Literal["header"]
    format: Literal[1]
    world: str
    world_config: dict[str, Any]
    config_hash: str
    implementation: NotRequired[Literal["reference"]]
    """Given where a readable reference computed the world, whose digests are its own."""
    build: Build
    seed: Annotated[int, msgspec.Meta(ge=0)]
    """Of the episode."""
    policy: dict[str, Any]
    action_names: list[list[str]]
    """By head."""
    obs_names: list[str]
    terms: list[str]
    events: list[str]
    agents: list[str]


class Frame(TypedDict):
    """One step. With several agents, what belongs to an agent is a list over them."""

    schema_version: Literal[1]
    frame_index: Annotated[int, msgspec.Meta(ge=0)]
    t: int
    """Ticks so far, this step included."""
    dt: Annotated[int, msgspec.Meta(ge=1)]
    action: int | list[list[int]]
    """An index, or where there are several agents or heads, agents by heads."""
    controls: NotRequired[list[list[float]]]
    reward: float | list[float]
    terminated: bool | list[bool]
    truncated: bool | list[bool]
    render_state: dict[str, Any]
    events: list[str]
    info: NotRequired[dict[str, Any]]
    digest: NotRequired[str]
    """Of the world after the step, in hexadecimal."""
    terms: NotRequired[dict[str, float] | list[dict[str, float]]]
    policy: NotRequired[dict[str, Any] | list[dict[str, Any] | None] | None]
    since: NotRequired[Annotated[int, msgspec.Meta(ge=0)]]
    """The frame before, where `render_state` and `info` are merge patches (RFC 7396) to its own."""


class FrameFacts(msgspec.Struct, frozen=True):
    """As much of a frame as tells that it is one, and what a timeline shows of it.

    Decoding this takes a fraction of the time a whole frame takes: what is shown is only skipped.
    """

    schema_version: Literal[1]
    frame_index: Annotated[int, msgspec.Meta(ge=0)]
    t: int
    dt: Annotated[int, msgspec.Meta(ge=1)]
    action: int | list[list[int]]
    reward: float | list[float]
    terminated: bool | list[bool]
    truncated: bool | list[bool]
    render_state: msgspec.Raw
    events: list[str]
    terms: dict[str, float] | list[dict[str, float]] | None = None


_header: Final = msgspec.json.Decoder(Header)
_facts: Final = msgspec.json.Decoder(FrameFacts)
_frame: Final = msgspec.json.Decoder(Frame)


class _Format(TypedDict):
    """As much of a header as every format has."""

    kind: Literal["header"]
    format: int


@dataclass(frozen=True, slots=True)
class Replay:
    """One episode."""

    header: Mapping[str, Any]
    """As `Header` says."""
    frames: Sequence[Mapping[str, Any]]
    """As `Frame` says, from 0."""


def encode(replay: Replay) -> bytes:
    """The lines of a replay, each checked as a reader would."""
    lines = [documents.encode(replay.header)]
    decode_header(lines[0], "the header")
    for index, frame in enumerate(replay.frames):
        line = documents.encode(frame)
        _decode_frame(line, index, f"frame {index}")
        lines.append(line)
    content = b"\n".join(lines) + b"\n"
    if len(content) > REPLAY_BYTES_MAX:
        raise ReplayError(
            f"a replay of {len(content)} bytes (at most {REPLAY_BYTES_MAX}); record fewer steps"
        )
    return content


def new_replay_id(window_id: int, content: bytes) -> str:
    """The id of a replay, from what it holds."""
    return _replay_id(window_id, _id_digest(content))


def _id_digest(content: bytes) -> hashlib.blake2b:
    return hashlib.blake2b(content, digest_size=4)


def _replay_id(window_id: int, digest: hashlib.blake2b) -> str:
    return f"replay-{window_id:06d}-{digest.hexdigest()}"


def compress(content: bytes) -> bytes:
    """The lines of a replay as a file: the same bytes for the same lines."""
    packed = io.BytesIO()
    with gzip.GzipFile("", "wb", _GZIP_LEVEL, packed, mtime=0) as file:
        file.write(content)
    return packed.getvalue()


class ReplayFile:
    """A replay read from its file frame by frame, so that only one is in memory at a time."""

    def __init__(self, path: Path, sha256: str | None = None) -> None:
        """Read the header. With `sha256`, refuse a file that is not the one the index names."""
        if sha256 is not None:
            check_file(path, sha256)
        self._path = path
        self._lines = read_lines(path)
        first = next(self._lines, b"")
        self.header: Mapping[str, Any] = decode_header(first, f"{path}:1")
        self._digest = _id_digest(first)

    def frames(self) -> Iterator[Frame]:
        """The frames not read yet."""
        for index, line in enumerate(self._lines):
            self._digest.update(line)
            yield _decode_frame(line, index, f"{self._path}:{index + 2}")

    def replay_id(self, window_id: int) -> str:
        """The id of a replay that holds what was read so far."""
        return _replay_id(window_id, self._digest)


def read(path: Path, sha256: str | None = None) -> Replay:
    """A whole replay file. With `sha256`, one that is not the file the index names is refused."""
    stored = ReplayFile(path, sha256)
    return Replay(stored.header, list(stored.frames()))


def check_file(path: Path, sha256: str) -> None:
    """Refuse a replay file whose bytes are not those that were written."""
    try:
        with path.open("rb") as file:
            check_bytes(path, file, sha256)
    except FileNotFoundError as error:
        raise ReplayError(f"there is no {path}; it may have been deleted") from error
    except OSError as error:
        raise ReplayError(f"cannot read {path}: {error.strerror or error}") from error


def check_bytes(path: Path, file: BinaryIO, sha256: str) -> None:
    """Refuse an open replay file whose bytes are not those that were written."""
    digest = hashlib.sha256()
    while piece := file.read(1 << 20):
        digest.update(piece)
    if digest.hexdigest() != sha256:
        raise ReplayError(
            f"{path} is not the file that was written there (its SHA-256 differs from the replay "
            "index); restore it from a copy, or record it again"
        )


def read_lines(path: Path) -> Iterator[bytes]:
    """The lines of a replay file as they are unpacked, within the limits on size.

    Plain lines, as `astrarium replay export` writes them, are read as they are.
    """
    total = 0
    try:
        with path.open("rb") as stored:
            plain, packed = stored.peek(1).startswith(b"{"), os.fstat(stored.fileno()).st_size
            file = stored if plain else gzip.GzipFile(fileobj=stored)
            while line := file.readline(LINE_BYTES_MAX + 1):
                total += len(line)
                check_line(path, len(line))
                check_size(path, total, REPLAY_BYTES_MAX if plain else packed)
                if not line.endswith(b"\n"):
                    raise ReplayError(f"{path} ends within a line; record it again")
                yield line
    except FileNotFoundError as error:
        raise ReplayError(f"there is no {path}; it may have been deleted") from error
    except (OSError, EOFError, zlib.error) as error:
        raise ReplayError(f"{path} cannot be unpacked: {error}; record it again") from error


def check_line(path: Path, length: int) -> None:
    """Refuse a line that is longer than a frame may be."""
    if length > LINE_BYTES_MAX:
        raise ReplayError(
            f"{path} unpacks to more than a replay may hold (lines of {LINE_BYTES_MAX} bytes); "
            "it is not one"
        )


def check_size(path: Path, unpacked: int, packed: int) -> None:
    """Refuse a replay that unpacks to more than one may hold, or to far more than its file."""
    if unpacked > REPLAY_BYTES_MAX:
        raise ReplayError(
            f"{path} unpacks to more than a replay may hold ({REPLAY_BYTES_MAX} bytes); "
            "it is not one"
        )
    if unpacked > max(EXPANSION_FREE_BYTES, EXPANSION_MAX * packed):
        raise ReplayError(
            f"{path} unpacks to more than {EXPANSION_MAX} times its {packed} bytes; no recorded "
            "episode does, it is not a replay"
        )


def decode_header(line: bytes, where: str) -> Header:
    """The first line of a replay; `where` says in an error which line it is."""
    try:
        told = msgspec.json.decode(line, type=_Format)
        if told["format"] != FORMAT:
            raise ReplayError(
                f"{where} has format {told['format']}; this build reads {FORMAT}: "
                "play it with the version of Astrarium that recorded it"
            )
        return _header.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise ReplayError(f"{where} is no header of a replay: {error}") from error


def frame_facts(line: bytes, index: int, where: str) -> FrameFacts:
    """What there is to know of a line without unpacking it; refuses what is not frame `index`."""
    try:
        facts = _facts.decode(line)
        if bytes(memoryview(facts.render_state)[:1]) != b"{":
            raise ReplayError(f"{where} is no frame: render_state is not an object")
        if not line.isascii():
            line.decode("utf-8")
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise ReplayError(f"{where} is no frame: {error}") from error
    if facts.frame_index != index:
        raise _misplaced(where, facts.frame_index, index)
    return facts


def _misplaced(where: str, found: int, index: int) -> ReplayError:
    return ReplayError(f"{where} has frame_index {found}, not {index}: frames are missing")


def _decode_frame(line: bytes, index: int, where: str) -> Frame:
    try:
        frame = _frame.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise ReplayError(f"{where} is no frame: {error}") from error
    if frame["frame_index"] != index:
        raise _misplaced(where, frame["frame_index"], index)
    return frame
