"""What a server is told, and what it refuses to be told."""

import asyncio
import re
from pathlib import Path

import pytest

from astrarium.errors import ConfigError
from astrarium.serve.clients import UNKNOWN, client_key, is_within, networks_of
from astrarium.serve.security import RateLimit
from astrarium.serve.settings import LIMITS, Settings, check_reach, from_environment, limits_of
from astrarium.serve.turns import Places, Turns


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


def test_places_of_several_at_once_are_taken_together() -> None:
    places = Places(10, 6)
    assert places.take("a", 6)
    assert not places.take("a", 1)
    assert not places.take("b", 5)
    places.leave("a", 6)
    assert places.take("b", 5)
    assert places.taken == 5


def test_turns_come_in_order_and_only_for_a_while() -> None:
    async def act() -> list[str]:
        turns, said = Turns(1, 0.05), list[str]()

        async def one(name: str, seconds: float) -> None:
            async with turns.turn("me") as came:
                said.append(name if came else f"no {name}")
                await asyncio.sleep(seconds)

        first, second, third = (
            asyncio.create_task(one(name, seconds))
            for name, seconds in (("a", 0.01), ("b", 0.2), ("c", 0))
        )
        async with turns.turn("other") as came:
            assert came
        await asyncio.gather(first, second, third)
        late = asyncio.create_task(one("d", 0))
        await late
        assert not turns._taken
        assert not turns._waiting
        return said

    assert asyncio.run(act()) == ["a", "b", "no c", "d"]


def test_a_request_that_is_dropped_in_the_line_takes_no_turn() -> None:
    async def act() -> None:
        turns = Turns(1, 10)

        async def wait() -> None:
            async with turns.turn("me"):
                pass

        async with turns.turn("me"):
            waiting = asyncio.create_task(wait())
            await asyncio.sleep(0)
            waiting.cancel()
            with pytest.raises(asyncio.CancelledError):
                await waiting
        assert not turns._taken
        assert not turns._waiting

    asyncio.run(act())


def test_clients_are_addresses_and_networks() -> None:
    assert client_key("10.1.2.3") == client_key("::ffff:10.1.2.3") == "10.1.2.3"
    assert client_key("2001:db8::1") == client_key("2001:db8::ffff") == "2001:db8::/64"
    assert client_key("fe80::1%eth0") == "fe80::/64"
    assert client_key("::1") == "::1"
    assert client_key("no address" * 1000) == UNKNOWN
    assert is_within("10.1.2.3", networks_of(["10.0.0.0/8"]))
    assert not is_within("no address", networks_of(["10.0.0.0/8"]))


def test_proxies_are_addresses_or_networks() -> None:
    Settings(trusted_proxies=("10.0.0.1", "fd00::/8"))
    for bad in ("*", "proxy.example", "10.0.0.1/8", ""):
        with pytest.raises(ConfigError, match=r"trusted_proxies: .*addresses or networks"):
            from_environment({"trusted_proxies": [bad]}, {})


def test_limits_are_set_by_name() -> None:
    told = from_environment(limits_of(["connections_max=7", "send_seconds_max=0.5"]), {})
    assert (told.connections_max, told.send_seconds_max) == (7, 0.5)
    with pytest.raises(ConfigError, match="did you mean 'connections_max'"):
        limits_of(["conections_max=7"])
    for bad in ("connections_max", "token=x", "port=1"):
        with pytest.raises(ConfigError, match="NAME=VALUE"):
            limits_of([bad])
    with pytest.raises(ConfigError, match="connections_max"):
        from_environment(limits_of(["connections_max=many"]), {})


def test_the_page_lists_every_limit_with_its_default() -> None:
    page = (Path(__file__).parents[3] / "docs" / "serving.md").read_text("utf-8")
    rows = re.findall(r"^\| `(\w+)` \| ([\d.]+) \|", page, re.MULTILINE)
    settings = Settings()
    assert {name: float(value) for name, value in rows} == {
        name: getattr(settings, name)
        for name in LIMITS
        if name not in ("sweep_seconds", "wandb_cache_seconds")
    }
