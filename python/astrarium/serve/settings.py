"""What a server is told before it starts. Secrets come from the environment only."""

from __future__ import annotations

import contextlib
import ipaddress
import os
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final, cast

import pydantic

from astrarium.errors import ConfigError, did_you_mean
from astrarium.serve.clients import networks_of

TOKEN: Final = "ASTRARIUM_TOKEN"
WANDB_KEY: Final = "WANDB_API_KEY"

_FROM_ENVIRONMENT: Final = {
    "token": TOKEN,
    "wandb_key": WANDB_KEY,
    "wandb_entity": "WANDB_ENTITY",
    "wandb_project": "WANDB_PROJECT",
}
_TTL: Final = "ASTRARIUM_WANDB_CACHE_SECONDS"


class Settings(pydantic.BaseModel):
    """One server. Limits are per process; a client is an address."""

    model_config = pydantic.ConfigDict(frozen=True, extra="forbid")

    runs_root: Path = Path("runs")
    reports: Path = Path("bench-reports")
    wars: Path = Path("wars")
    host: str = "127.0.0.1"
    port: int = pydantic.Field(default=8000, ge=0, le=65535)
    app_folder: Path | None = None
    """The built web app; found by itself unless told."""

    cors_origins: tuple[str, ...] = ()
    """Other origins whose pages may ask, such as `https://lab.example`."""
    cors_pattern: str | None = None
    """A regular expression for more of them, matched whole."""
    host_names: tuple[str, ...] = ()
    """Names this server answers to without a token, besides its own address."""
    token: pydantic.SecretStr | None = None

    trusted_proxies: tuple[str, ...] = ()
    """Addresses or networks of reverse proxies, whose `X-Forwarded-For` names the client."""

    connections_max: int = pydantic.Field(default=1_024, ge=1)
    connections_per_client: int = pydantic.Field(default=128, ge=1)
    head_seconds_max: float = pydantic.Field(default=10.0, gt=0)
    """How long the head of a request may take to arrive."""
    body_seconds_max: float = pydantic.Field(default=10.0, gt=0)
    body_bytes_max: int = pydantic.Field(default=64 << 10, ge=1)
    requests_at_once: int = pydantic.Field(default=32, ge=1)
    """Requests of one client that are answered at the same time; further ones wait."""
    turn_seconds_max: float = pydantic.Field(default=10.0, gt=0)
    """How long such a request waits before it is refused."""
    answers_bytes_max: int = pydantic.Field(default=256 << 20, ge=1)
    """Large answers held in memory until their clients have taken them; half of it for one."""
    page_bytes_max: int = pydantic.Field(default=64 << 20, ge=1)
    """A page of frames ends before this, whatever was asked for."""
    requests_per_second: float = pydantic.Field(default=500.0, ge=0)
    """Of one client, with twice that at once; 0 is without limit."""
    sockets_max: int = pydantic.Field(default=256, ge=1)
    """Open WebSockets and live streams."""
    sockets_per_client: int = pydantic.Field(default=32, ge=1)
    send_seconds_max: float = pydantic.Field(default=60.0, gt=0)
    """How long a reader may take nothing before it is dropped."""
    cache_bytes: int = pydantic.Field(default=1 << 30, ge=1)
    """Unpacked replays kept in temporary files."""

    sessions_max: int = pydantic.Field(default=64, ge=1)
    sessions_per_client: int = pydantic.Field(default=8, ge=1)
    session_idle_seconds: float = pydantic.Field(default=3600.0, gt=0)
    session_steps_max: int = pydantic.Field(default=20_000, ge=1)
    human_runs_max: int = pydantic.Field(default=1_000, ge=0)
    """Saved episodes in the runs folder; none is saved beyond that."""
    human_runs_per_client: int = pydantic.Field(default=100, ge=0)
    """Of those that this process saved."""
    save_finished: bool = True
    """Whether an episode played to its end is saved by itself."""
    outcome_seconds_max: float = pydantic.Field(default=20.0, gt=0)

    sweep_seconds: float = pydantic.Field(default=1.0, gt=0)
    """How often the runs folder is looked over."""

    wandb_key: pydantic.SecretStr | None = None
    wandb_entity: str | None = None
    wandb_project: str | None = None
    wandb_cache_seconds: float = 30.0
    """0 or less turns the cache off."""

    @pydantic.field_validator("cors_pattern")
    @classmethod
    def _compiles(cls, pattern: str | None) -> str | None:
        if pattern is not None:
            try:
                re.compile(pattern)
            except re.error as error:
                raise ValueError(f"is not a regular expression: {error}") from error
        return pattern

    @pydantic.field_validator("trusted_proxies")
    @classmethod
    def _are_networks(cls, proxies: tuple[str, ...]) -> tuple[str, ...]:
        try:
            networks_of(proxies)
        except ValueError as error:
            raise ValueError(f"give addresses or networks, such as 10.0.0.0/8: {error}") from error
        return proxies

    @property
    def loopback(self) -> bool:
        """Whether only this machine can reach the server."""
        if self.host == "localhost":
            return True
        try:
            return ipaddress.ip_address(self.host).is_loopback
        except ValueError:
            return False


LIMITS: Final = tuple(
    name
    for name, field in Settings.model_fields.items()
    if cast("Any", field.annotation) in (int, float) and name != "port"
)
"""Settings that are numbers; `--limits` sets each by its name."""


def limits_of(given: Sequence[str]) -> dict[str, str]:
    """Parse limits written as `NAME=VALUE`. Raises a `ConfigError` for an unknown name."""
    limits: dict[str, str] = {}
    for text in given:
        name, equals, value = text.partition("=")
        if not equals or name not in LIMITS:
            close = did_you_mean(name, LIMITS)
            known = ", ".join(LIMITS)
            raise ConfigError(f"--limits {text!r}: write NAME=VALUE{close} (names: {known})")
        limits[name] = value
    return limits


def from_environment(
    given: Mapping[str, Any], environment: Mapping[str, str] = os.environ
) -> Settings:
    """Settings with the secrets and defaults of the environment."""
    told: dict[str, Any] = {
        name: environment[variable]
        for name, variable in _FROM_ENVIRONMENT.items()
        if environment.get(variable)
    }
    with contextlib.suppress(ValueError):  # unparsable means the default
        told["wandb_cache_seconds"] = float(environment.get(_TTL, ""))
    try:
        return Settings(**(told | {name: v for name, v in given.items() if v is not None}))
    except pydantic.ValidationError as error:
        words = "; ".join(
            f"{'.'.join(map(str, one['loc']))}: {one['msg']}" for one in error.errors()
        )
        raise ConfigError(words) from None


def check_reach(settings: Settings, *, without_token: bool = False) -> None:
    """Refuse to open the server to a network without a token, unless told to."""
    if settings.loopback or settings.token is not None or without_token:
        return
    raise ConfigError(
        f"{settings.host} can be reached from other machines: set {TOKEN} to a long random text, "
        "or say --without-token where something else guards the way"
    )
