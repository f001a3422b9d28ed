"""A replay in forms that other programs read."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping
from typing import Any, cast

from astrarium.runs import documents
from astrarium.runs.replays import Replay

_PLAIN = ("frame_index", "t", "dt")


def action_words(replay: Replay, frame: Mapping[str, Any]) -> str:
    """What was ordered, by name; several agents and heads as `agent=choice,choice`."""
    names: list[list[str]] = replay.header["action_names"]
    agents: list[str] = replay.header["agents"]
    action = frame["action"]
    rows = cast("list[list[int]]", action if isinstance(action, list) else [[action]])
    words = [
        ",".join(_choice(names[head], choice) for head, choice in enumerate(row)) for row in rows
    ]
    if len(agents) == 1:
        return words[0]
    return " ".join(f"{agent}={said}" for agent, said in zip(agents, words, strict=False))


def _choice(names: list[str], index: int) -> str:
    return names[index] if 0 <= index < len(names) else f"no_such_choice({index})"


def as_csv(replay: Replay) -> str:
    """One row a frame: orders, rewards with their terms, events and figures; no observations."""
    rows = [_row(replay, frame) for frame in replay.frames]
    columns = list(dict.fromkeys(name for row in rows for name in row))
    text = io.StringIO()
    writer = csv.DictWriter(text, columns, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


def as_lines(replay: Replay) -> str:
    """The header and every frame as one JSON object a line."""
    lines = [documents.encode(replay.header), *map(documents.encode, replay.frames)]
    return b"\n".join(lines).decode() + "\n"


def _row(replay: Replay, frame: Mapping[str, Any]) -> dict[str, Any]:
    thought = frame.get("policy")
    figures = {
        "reward": frame["reward"],
        "terminated": frame["terminated"],
        "truncated": frame["truncated"],
        "terms": frame.get("terms"),
        "info": frame.get("info"),
        "controls": frame.get("controls"),
        "policy": _spoken(thought),
    }
    return {
        **{name: frame[name] for name in _PLAIN},
        "action": documents.encode(frame["action"]).decode(),
        "action_words": action_words(replay, frame),
        **dict(_flat("", figures, replay.header["agents"])),
        "events": " ".join(frame["events"]),
        "digest": frame.get("digest"),
    }


def _spoken(thought: Any) -> Any:
    """Value and probability, without the list of all choices."""
    if isinstance(thought, list):
        return [_spoken(one) for one in cast("list[Any]", thought)]
    if not isinstance(thought, dict):
        return None
    told = cast("dict[str, Any]", thought)
    return {name: told.get(name) for name in ("value", "probability")}


def _flat(path: str, value: Any, agents: list[str]) -> Iterator[tuple[str, Any]]:
    """Nested values under dotted names; a list over agents under theirs."""
    if isinstance(value, dict):
        inner = list(cast("dict[str, Any]", value).items())
    elif isinstance(value, list):
        entries = cast("list[Any]", value)
        names = agents if len(entries) == len(agents) else list(map(str, range(len(entries))))
        inner = list(zip(names, entries, strict=True))
    elif value is None:
        return
    else:
        yield path, value
        return
    for name, one in inner:
        yield from _flat(f"{path}.{name}" if path else name, one, agents)
