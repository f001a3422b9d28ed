"""The way back from a failed epoch: two tiers, and what is damaged."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from little_hosts import grow_next
from supervised_cases import Scripted, break_weights, supervised, waits

from astrarium.esper.contracts.actions import ActionSpec
from astrarium.esper.episode_snapshots import pack
from astrarium.esper.host_view import HostView
from astrarium.esper.news import HaltError
from astrarium.esper.supervised import SupervisedHost, SupervisionRules


def grown(tmp_path: Path, epochs: int) -> SupervisedHost:
    class Growing(Scripted):
        def decide(self, view: HostView) -> ActionSpec:
            return grow_next(host.episode)

    host = supervised(tmp_path, Growing(waits))
    for _ in range(epochs):
        assert host.run_epoch().failure == ""
    return host


def test_both_tiers_bring_back_the_same_bits(tmp_path: Path) -> None:
    host = grown(tmp_path, 21)  # a file is written every ten epochs, so the newest is in both
    good = pack(host.episode)
    host.run_epoch()
    host.snapshots.forget(22)
    break_weights(host)
    assert host.snapshots.load(host.episode) == "fast"
    assert pack(host.episode) == good
    host.snapshots.fast.clear()
    break_weights(host)
    assert host.snapshots.load(host.episode) == "full"
    assert pack(host.episode) == good


def test_the_fast_tier_forgets_the_oldest_and_skips_what_is_damaged(tmp_path: Path) -> None:
    host = supervised(tmp_path, rules=SupervisionRules(fast_bytes=40_000))
    for _ in range(8):
        host.run_epoch()
    kept = list(host.snapshots.fast)
    assert kept[-1] == 8
    assert 1 < len(kept) < 8
    assert sum(one.size_bytes for one in host.snapshots.fast.values()) <= 40_000
    del host.snapshots.fast[8].network.tensors["host.momentum"]  # type: ignore[attr-defined]
    assert host.snapshots.load(host.episode) == "fast"
    assert host.episode.epoch == 7


def test_a_host_too_large_for_the_fast_tier_returns_to_its_file(tmp_path: Path) -> None:
    host = supervised(tmp_path, rules=SupervisionRules(fast_bytes=10))
    host.run_epoch()
    host.run_epoch()
    break_weights(host)
    assert host.run_epoch().failure
    assert host.news.counters["tolaria.rollback.full_total"] == 1
    assert host.run_epoch().failure == ""


@pytest.mark.parametrize("damage", [lambda raw: raw[:-1], lambda raw: raw[:-1] + b"?", None])
def test_no_way_back_halts(tmp_path: Path, damage: Callable[[bytes], bytes] | None) -> None:
    host = supervised(tmp_path, rules=SupervisionRules(fast_bytes=10))
    host.run_epoch()
    if damage is None:
        host.snapshots.file.unlink()
    else:
        host.snapshots.file.write_bytes(damage(host.snapshots.file.read_bytes()))
    break_weights(host)
    with pytest.raises(HaltError, match="no way back"):
        host.run_epoch()
