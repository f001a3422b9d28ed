"""One YAML file as plain values, read with distrust.

The words `on`, `off`, `yes` and `no` are words here, as in YAML 1.2, not truths. Tags, anchors and
aliases, keys that are not words, keys given twice, and documents too large or too deep are refused.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, Final

import yaml

from astrarium.worlds.config import KeyPath

BYTES_MAX: Final = 1_048_576
DEPTH_MAX: Final = 16

_INTEGER: Final = re.compile(r"[-+]?[0-9]{1,20}")
_NUMBER: Final = re.compile(r"[-+]?([.][0-9]+|[0-9]+([.][0-9]*)?)([eE][-+]?[0-9]{1,4})?")
_WORDS: Final[dict[str, Any]] = {
    "": None,
    "~": None,
    "null": None,
    "true": True,
    "false": False,
    ".inf": float("inf"),
    "-.inf": float("-inf"),
    ".nan": float("nan"),
}
_STANDARD_TAGS: Final = ("tag:yaml.org,2002:str", "tag:yaml.org,2002:seq", "tag:yaml.org,2002:map")


class FaultError(ValueError):
    """What is wrong with a file, and the line where."""

    def __init__(self, words: str, line: int | None = None) -> None:
        super().__init__(words)
        self.line = line


def parse(path: Path) -> tuple[Any, dict[KeyPath, int], bytes]:
    """The values of the file, the line of every one of them, and its bytes.

    Raises a `FaultError`.
    """
    data = _bytes(path)
    try:
        node = _composed(data.decode("utf-8"))
    except UnicodeDecodeError:
        raise FaultError("is not UTF-8 text") from None
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        words = f"is not YAML: {error.problem or error.context}"
        raise FaultError(words, mark.line + 1 if mark else None) from None
    except yaml.YAMLError as error:
        raise FaultError(f"is not YAML: {error}") from None
    lines: dict[KeyPath, int] = {}
    return (None if node is None else _value(node, (), lines)), lines, data


def _bytes(path: Path) -> bytes:
    try:
        # One byte more than allowed tells that a file is too large, whatever size it claims.
        with path.open("rb") as file:
            data = file.read(BYTES_MAX + 1)
    except OSError as error:
        raise FaultError(f"cannot be read: {error.strerror or error}") from None
    if len(data) > BYTES_MAX:
        raise FaultError(f"is larger than {BYTES_MAX} bytes")
    return data


class _Loader(yaml.SafeLoader):
    """Composes nodes of bounded depth; what scalars mean is decided here, not by YAML 1.1."""

    yaml_implicit_resolvers = {}  # noqa: RUF012 (the library's own spelling)
    depth = 0

    def compose_node(self, parent: Any, index: Any) -> Any:
        parser: Any = super()  # the library types neither arguments nor results
        event: Any = parser.peek_event()
        if isinstance(event, yaml.AliasEvent):
            raise FaultError("has an alias; write the value out", event.start_mark.line + 1)
        self.depth += 1
        if self.depth > DEPTH_MAX:
            words = f"is nested more than {DEPTH_MAX} deep"
            raise FaultError(words, event.start_mark.line + 1)
        node = parser.compose_node(parent, index)
        self.depth -= 1
        return node


def _composed(text: str) -> Any:
    loader: Any = _Loader(text)
    try:
        return loader.get_single_node()
    finally:
        loader.dispose()


def _value(node: yaml.Node, path: KeyPath, lines: dict[KeyPath, int]) -> Any:
    lines[path] = line = node.start_mark.line + 1
    if node.tag not in _STANDARD_TAGS:
        raise FaultError(f"has the tag {node.tag!r}; plain values need none", line)
    if isinstance(node, yaml.MappingNode):
        return _mapping(node, path, lines)
    if isinstance(node, yaml.SequenceNode):
        return [_value(item, (*path, index), lines) for index, item in enumerate(node.value)]
    assert isinstance(node, yaml.ScalarNode)
    return _scalar(node)


def _mapping(node: yaml.MappingNode, path: KeyPath, lines: dict[KeyPath, int]) -> dict[str, Any]:
    values: dict[str, Any] = {}
    for key_node, value_node in node.value:
        line = key_node.start_mark.line + 1
        key = _scalar(key_node) if isinstance(key_node, yaml.ScalarNode) else None
        if not isinstance(key, str):
            raise FaultError(f"has the key {key!r}; keys are words", line)
        if key in values:
            raise FaultError(f"gives the key {'.'.join(map(str, (*path, key)))!r} twice", line)
        values[key] = _value(value_node, (*path, key), lines)
        lines[(*path, key)] = line
    return values


def _scalar(node: yaml.ScalarNode) -> Any:
    text: str = node.value
    if node.style is not None:  # quoted or a block: a text, whatever it looks like
        return text
    if text in _WORDS:
        return _WORDS[text]
    if _INTEGER.fullmatch(text):
        return int(text)
    if _NUMBER.fullmatch(text):
        return float(text)
    return text
