"""Numbers, names and long lines, as a transcript writes them."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Iterator
from typing import Final

WIDTH: Final = 100
_NUMBER: Final = re.compile(r"\d+")
_MEMBER: Final = re.compile(r"(?P<array>[^\[\]]+)\[(?P<key>[^\[\]]+)\]")


def number(value: float) -> str:
    """Four digits: enough to read, while the digest beside it keeps every bit."""
    return f"{value:.4g}"


def signed(value: float) -> str:
    """The same, with its sign."""
    return f"{value:+.4g}"


def wrapped(label: str, words: Iterable[str]) -> Iterator[str]:
    """`label` and words, on as many lines as needed; each further line is indented once more."""
    indent = " " * (len(label) - len(label.lstrip()) + 4)
    line = label
    for word in words:
        if len(line) + 2 + len(word) > WIDTH and line.strip():
            yield line.rstrip()
            line = indent + word
        else:
            line += "  " + word
    yield line.rstrip()


def listed(label: str, fields: Iterable[tuple[str, str]]) -> Iterator[str]:
    """Named values: those of one part (`rock[3].size`) on a line of their own, members of one
    array (`price[iron]`, `price[ice]`) in one bracket."""
    parts: dict[str, list[tuple[str, str]]] = {}
    for name, value in fields:
        part, _, field = name.rpartition(".")
        parts.setdefault(part, []).append((field, value))
    plain = parts.pop("", [])
    yield from wrapped(label, _bracketed(plain))
    for part, members in parts.items():
        yield from wrapped(f"    {part}", _bracketed(members))


def _bracketed(fields: list[tuple[str, str]]) -> Iterator[str]:
    split = [(_MEMBER.fullmatch(name), name, value) for name, value in fields]
    for array, group in itertools.groupby(split, lambda one: one[0]["array"] if one[0] else None):
        if array is None:
            yield from (f"{name} {value}" for _, name, value in group)
        else:
            members = [f"{found['key']} {value}" for found, _, value in group if found]
            # Word by word, so that a long array may be broken over lines.
            yield from f"{array}[{'  '.join(members)}]".split("  ")


def summary(names: Iterable[str]) -> list[str]:
    """Names, those that differ only in their numbers written as one: `SELECT_ROCK_0..7`."""
    groups: dict[str, list[str]] = {}
    for name in names:
        groups.setdefault(_NUMBER.sub("#", name), []).append(name)
    return [word for pattern, members in groups.items() for word in _together(pattern, members)]


def _together(pattern: str, members: list[str]) -> list[str]:
    numbers = [tuple(int(found) for found in _NUMBER.findall(name)) for name in members]
    columns = [sorted(set(column)) for column in zip(*numbers, strict=True)]
    # Only a full grid may be folded; a gap would read as if it were filled.
    if len(members) < 2 or list(itertools.product(*columns)) != sorted(numbers):
        return members
    pieces = pattern.split("#")
    folded = [piece + _span(column) for piece, column in zip(pieces, columns, strict=False)]
    return ["".join(folded) + pieces[-1]]


def _span(column: list[int]) -> str:
    if len(column) > 2 and column == list(range(column[0], column[-1] + 1)):
        return f"{column[0]}..{column[-1]}"
    return "|".join(str(one) for one in column)
