"""What a server is told, and what it refuses to be told."""

import pytest

from astrarium.errors import ConfigError
from astrarium.serve.security import Places, RateLimit
from astrarium.serve.settings import Settings, check_reach, from_environment


def test_secrets_come_from_the_environment_and_show_nowhere() -> None:
    told = from_environment({"port": 1}, {"ASTRARIUM_TOKEN": "s3cret", "WANDB_API_KEY": "k3y"})
    assert told.token is not None
    assert told.token.get_secret_value() == "s3cret"
    assert "s3cret" not in repr(told)
    assert "k3y" not in repr(told)


def test_an_unparsable_cache_time_means_the_default() -> None:
    name = "ASTRARIUM_WANDB_CACHE_SECONDS"
    assert from_environment({}, {name: "soon"}).wandb_cache_seconds == 30.0
    assert from_environment({}, {name: "5"}).wandb_cache_seconds == 5.0
    assert from_environment({}, {}).token is None


def test_bad_settings_name_the_field() -> None:
    with pytest.raises(ConfigError, match="port"):
        from_environment({"port": 70_000}, {})
    with pytest.raises(ConfigError, match=r"cors_pattern: .*regular expression"):
        from_environment({"cors_pattern": "("}, {})


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "::1", "127.9.9.9"])
def test_this_machine_needs_no_token(host: str) -> None:
    check_reach(Settings(host=host))


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.168.0.4", "lab.example"])
def test_a_network_needs_a_token_or_a_word(host: str) -> None:
    with pytest.raises(ConfigError, match="ASTRARIUM_TOKEN"):
        check_reach(Settings(host=host))
    check_reach(Settings(host=host, token="t"))
    check_reach(Settings(host=host), without_token=True)


def test_the_rate_of_one_client_is_limited_and_recovers(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [0.0]
    monkeypatch.setattr("astrarium.serve.security.time.monotonic", lambda: now[0])
    rate = RateLimit(10)
    assert [rate.wait_for("a") for _ in range(20)] == [0.0] * 20
    assert rate.wait_for("a") == pytest.approx(0.1)
    assert rate.wait_for("b") == 0
    now[0] += 0.1
    assert rate.wait_for("a") == 0
    assert rate.wait_for("a") > 0
    assert all(RateLimit(0).wait_for("a") == 0 for _ in range(100))


def test_clients_without_number_take_no_memory_without_end(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("astrarium.serve.security._CLIENTS_MAX", 10)
    limit = RateLimit(5.0)
    for number in range(100):
        assert limit.wait_for(f"client-{number}") == 0
    assert len(limit._buckets) == 10


def test_seats_are_bounded_and_given_back() -> None:
    places = Places(3, 2)
    assert [places.take("a"), places.take("a"), places.take("a")] == [True, True, False]
    assert [places.take("b"), places.take("c")] == [True, False]
    places.leave("a")
    assert places.take("c")
    for client in ("a", "b", "c", "c"):
        places.leave(client)
    assert places.taken == 0
