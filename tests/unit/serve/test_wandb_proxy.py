"""The proxy to Weights & Biases: no network here, and no key in any answer."""

import importlib.util
from types import SimpleNamespace
from typing import Any

import pytest

from astrarium.serve import wandb_proxy as module
from astrarium.serve.problems import Problem
from astrarium.serve.settings import Settings
from astrarium.serve.wandb_proxy import Cache, WandbProxy, kpis, safe

KEY = "k" * 40


class FakeApi:
    """Two runs, and a count of how often it was asked."""

    def __init__(self) -> None:
        self.asked = 0
        self.fails: Exception | None = None

    def _made(self, run_id: str) -> Any:
        rows = [{"_step": 10, "return_mean": 2.0, "other": 1}]
        return SimpleNamespace(
            id=run_id,
            name=run_id,
            state="finished",
            url="https://example.org/x",
            created_at="2031-01-01",
            heartbeat_at="2031-01-02",
            summary={"return_mean": float("nan"), "window_id": 3, "noise": 1},
            config={"deep": {"er": [1, float("inf")]}},
            history=lambda **told: rows,
        )

    def _ask(self) -> None:
        self.asked += 1
        if self.fails is not None:
            raise self.fails

    def runs(self, path: str, **told: Any) -> list[Any]:
        self._ask()
        return [self._made("a"), self._made("b")]

    def run(self, path: str) -> Any:
        self._ask()
        return self._made(path.split("/")[-1])


@pytest.fixture
def api() -> FakeApi:
    return FakeApi()


def proxy(api: FakeApi, **changed: Any) -> WandbProxy:
    settings = Settings(wandb_key=KEY, wandb_entity="me", wandb_project="belt", **changed)
    return WandbProxy(settings, lambda key: api)


def test_answers_are_cached_for_their_time(api: FakeApi, monkeypatch: pytest.MonkeyPatch) -> None:
    asked, now = proxy(api), [0.0]
    monkeypatch.setattr(module.time, "monotonic", lambda: now[0])
    first = asked.latest_runs("me", "belt", 2)
    assert asked.latest_runs("me", "belt", 2) == first
    assert api.asked == 1
    assert asked.latest_runs("me", "belt", 1) == first[:1]
    assert api.asked == 2
    now[0] = 31.0
    asked.latest_runs("me", "belt", 2)
    assert api.asked == 3
    cache = asked.status()["cache"]
    assert (cache["hits"], cache["misses"], cache["expired"], cache["sets"]) == (1, 3, 1, 3)


def test_the_cache_is_bounded_and_can_be_off(api: FakeApi) -> None:
    cache = Cache(30.0)
    for number in range(1_000):
        cache.put((number,), number)
    assert len(cache) == 256
    off = proxy(api, wandb_cache_seconds=0)
    off.summary("me", "belt", "a")
    off.summary("me", "belt", "a")
    assert api.asked == 2
    assert "the cache is off" in off.status()["notes"]


def test_previews_and_summaries_hold_plain_json(api: FakeApi) -> None:
    (run, _) = proxy(api).latest_runs("me", "belt", 2)
    assert run["summary_preview"] == {"return_mean": None, "window_id": 3}
    whole = proxy(api).summary("me", "belt", "a")
    assert whole["config"] == {"deep": {"er": [1, None]}}
    assert whole["updated_at"] == "2031-01-02"
    rows = proxy(api).history("me", "belt", "a", ["return_mean"], 5)
    assert rows == [{"_step": 10, "return_mean": 2.0}]


def test_kpis_come_from_the_last_row_else_from_the_summary() -> None:
    found = kpis([{"_step": 4, "return_mean": None, "reward_mean": 1.0}], {"return_mean": 7.0})
    assert (found["return_mean"], found["reward_mean"], found["step"]) == (7.0, 1.0, 4)
    assert kpis([], {})["step"] is None


def test_failures_become_statuses_without_their_text(api: FakeApi) -> None:
    asked = proxy(api)
    for error, status in ((RuntimeError(f"key {KEY}"), 502), (ValueError(KEY), 400)):
        api.fails = error
        with pytest.raises(Problem) as caught:
            asked.summary("me", "belt", "a")
        assert caught.value.status == status
        assert KEY not in caught.value.detail
    assert asked.status()["operations"]["run_summary"]["errors"] == 2
    assert "run_summary failed: 2/2" in asked.status()["notes"]
    assert KEY not in str(asked.status())


def test_without_a_key_or_the_library_it_is_not_available(
    api: FakeApi, monkeypatch: pytest.MonkeyPatch
) -> None:
    keyless = WandbProxy(Settings(), lambda key: api)
    with pytest.raises(Problem, match="WANDB_API_KEY") as caught:
        keyless.summary("me", "belt", "a")
    assert caught.value.status == 503
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    assert "astrarium[track]" in str(proxy(api).status()["reason"])
    assert api.asked == 0


def test_a_question_needs_a_scope(api: FakeApi) -> None:
    assert proxy(api).scope(None, "other") == ("me", "other")
    with pytest.raises(Problem) as caught:
        WandbProxy(Settings(wandb_key=KEY)).scope("me", None)
    assert caught.value.status == 400


def test_values_are_cut_to_size() -> None:
    deep: Any = 1
    for _ in range(9):
        deep = [deep]
    assert safe(deep) == [[[[[None]]]]]
    assert len(safe({str(n): n for n in range(999)})) == 256
    assert len(safe(list(range(9_999)))) == 512
    assert isinstance(safe(object()), str)
