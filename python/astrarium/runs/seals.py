"""Seals: short checksums inside JSON files, so that a flipped bit or a cut file is noticed.

The last member of a sealed line or document is `"seal"`: 16 hexadecimal digits of BLAKE2b. It
covers every byte before itself, so the file stays ordinary JSON for other tools. The lines of a
journal are chained: a seal covers the one of the line before it too. Seals find accidents and
careless edits; they are no protection against an attacker who computes them.
"""

from __future__ import annotations

import re
from hashlib import blake2b
from typing import Final

START: Final = "0" * 16
"""Stands where the first line of a journal has no line before it."""

_DIGEST_BYTES: Final = 8
_LINE_TAIL: Final = len(b'"seal":"0123456789abcdef"}\n')
_DOCUMENT_TAILS: Final = (
    re.compile(rb',\n  "seal": "([0-9a-f]{16})"\n}\n\Z'),
    re.compile(rb',"seal":"([0-9a-f]{16})"}\n\Z'),
)
"""Of an indented document and of a compact one."""
_DOCUMENT_TAIL_MAX: Final = 64


class SealError(ValueError):
    """Bytes that are not as they were sealed; says why, without the place."""


def seal_line(body: bytes, before: str) -> tuple[bytes, str]:
    """Return a JSON object as a sealed line with its newline, and the seal.

    `body` is a compact object; `before` is the seal of the line before it, or `START`.
    """
    seal = _digest(before.encode("ascii"), body)
    comma = b"" if len(body) == 2 else b","
    return b'%s%s"seal":"%s"}\n' % (body[:-1], comma, seal.encode("ascii")), seal


def open_line(line: bytes, before: str | None) -> bytes:
    """Return the object that was sealed as this line. Raises `SealError` where it is another.

    Without a known seal `before`, no line can be checked: that is an error too.
    """
    seal = seal_of(line)
    if seal is None:
        raise SealError("it does not end with a seal")
    head = line[:-_LINE_TAIL]
    if head != b"{" and not head.endswith(b","):
        raise SealError("it is not in the form in which lines are sealed")
    body = (head if head == b"{" else head[:-1]) + b"}"
    if before is None or _digest(before.encode("ascii"), body) != seal:
        raise SealError("its seal does not match")
    return body


def seal_of(line: bytes) -> str | None:
    """Return the seal that ends a line, not yet checked; None where there is none."""
    tail = line[-_LINE_TAIL:]
    if len(tail) < _LINE_TAIL or not tail.startswith(b'"seal":"') or not tail.endswith(b'"}\n'):
        return None
    return tail[8:24].decode("ascii", "replace")


def seal_document(text: bytes) -> bytes:
    """Return a JSON object with its seal and a newline, indented by two spaces or compact."""
    indented = text.endswith(b"\n}")
    head = text[:-2] if indented else text[:-1]
    seal = _digest(head).encode("ascii")
    form = b'%s,\n  "seal": "%s"\n}\n' if indented else b'%s,"seal":"%s"}\n'
    return form % (head, seal)


def open_document(content: bytes) -> bytes:
    """Return the JSON object that was sealed. Raises `SealError` where it is another."""
    for tail in _DOCUMENT_TAILS:
        found = tail.search(content, max(0, len(content) - _DOCUMENT_TAIL_MAX))
        if found is not None:
            head = content[: found.start()]
            if _digest(head) != found[1].decode("ascii"):
                raise SealError("its seal does not match")
            return head + b"}"
    raise SealError("it does not end with a seal")


def strip_document(content: bytes) -> tuple[bytes, bool]:
    """Return a JSON object without its seal, unchecked, and whether it had one."""
    for tail in _DOCUMENT_TAILS:
        found = tail.search(content, max(0, len(content) - _DOCUMENT_TAIL_MAX))
        if found is not None:
            return content[: found.start()] + b"}", True
    return content, False


def _digest(*parts: bytes) -> str:
    digest = blake2b(digest_size=_DIGEST_BYTES)
    for part in parts:
        digest.update(part)
    return digest.hexdigest()
