"""Which client a request comes from, as far as limits care: an address or a network."""

from __future__ import annotations

import ipaddress
from collections.abc import Iterable
from functools import lru_cache
from typing import Any

from starlette.types import Scope

Network = ipaddress.IPv4Network | ipaddress.IPv6Network
UNKNOWN = "unknown"


def client_of(scope: Scope) -> str:
    """Return the client of a request or a handshake."""
    client: Any = scope.get("client")
    return client_key(str(client[0])) if client else UNKNOWN


@lru_cache(maxsize=4096)
def client_key(address: str) -> str:
    """Return the name under which limits count an address.

    One IPv6 client usually owns a network of 64 bits, so the network counts as one client.
    """
    try:
        parsed = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return UNKNOWN
    if isinstance(parsed, ipaddress.IPv6Address):
        if parsed.ipv4_mapped is not None:
            return str(parsed.ipv4_mapped)
        if not parsed.is_loopback:
            return str(ipaddress.ip_network((parsed, 64), strict=False))
    return str(parsed)


def networks_of(names: Iterable[str]) -> tuple[Network, ...]:
    """Parse addresses and networks. Raises `ValueError` for anything else."""
    return tuple(ipaddress.ip_network(name) for name in names)


def is_within(address: str, networks: Iterable[Network]) -> bool:
    """Return whether an address lies in one of the networks."""
    try:
        parsed = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return False
    return any(parsed in network for network in networks)
