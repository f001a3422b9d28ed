"""Changes between JSON objects, as merge patches."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from astrarium.worlds.patches import changes, patched

KEYS = st.sampled_from("abcd")
PLAIN = st.sampled_from([True, 0, 2, 0.5, "", "x", [], [1, 2]])
OBJECTS: st.SearchStrategy[dict[str, Any]] = st.dictionaries(
    KEYS, st.recursive(PLAIN, lambda inner: st.dictionaries(KEYS, inner), max_leaves=6)
)


@given(OBJECTS, OBJECTS)
def test_a_patch_leads_from_one_object_to_the_other(
    before: dict[str, Any], after: dict[str, Any]
) -> None:
    assert patched(before, changes(before, after)) == after


@given(OBJECTS)
def test_without_a_change_there_is_nothing_to_tell(state: dict[str, Any]) -> None:
    assert changes(state, state) == {}


def test_only_what_changed_is_told() -> None:
    before = {"tick": 1, "agents": {"ann": {"x": 1, "aim": "bed"}, "bob": {"x": 2}}, "queue": []}
    after = {"tick": 2, "agents": {"ann": {"x": 1}, "cat": {"x": 3}}, "queue": []}
    told = {"tick": 2, "agents": {"ann": {"aim": None}, "bob": None, "cat": {"x": 3}}}
    assert changes(before, after) == told


def test_what_did_not_change_is_shared() -> None:
    before: dict[str, Any] = {"ground": {"size": [48, 48]}, "tick": 1}
    assert patched(before, {"tick": 2})["ground"] is before["ground"]
