"""The server as a process: uvicorn with limits, and a socket one can find."""

from __future__ import annotations

import os
import resource
import socket
from functools import partial
from typing import Any, Final

import uvicorn

from astrarium.errors import ConfigError
from astrarium.serve.app import create_app
from astrarium.serve.connections import Connections, HttpConnection, SocketConnection
from astrarium.serve.frame_store import REPLAYS_MAX
from astrarium.serve.settings import Settings

_GRACE_SECONDS: Final = 3
_SOCKET_BYTES_MAX: Final = 64 << 10
"""Readers of a stream have nothing to say."""
_OTHER_HANDLES: Final = 128
"""Files that are open besides connections and unpacked replays."""


def config_of(settings: Settings, **changed: Any) -> uvicorn.Config:
    """How uvicorn runs the app."""
    connections = Connections(settings)
    told: dict[str, Any] = {
        "host": settings.host,
        "port": settings.port,
        "log_level": "warning",
        "access_log": False,
        "server_header": False,
        # Connections are limited by their own classes; this bounds requests whose clients left.
        "limit_concurrency": 2 * settings.connections_max,
        "proxy_headers": bool(settings.trusted_proxies),
        "forwarded_allow_ips": list(settings.trusted_proxies),
        "http": partial(HttpConnection, connections=connections),
        "timeout_graceful_shutdown": _GRACE_SECONDS,
        "ws": partial(SocketConnection, connections=connections),
        "ws_max_size": _SOCKET_BYTES_MAX,
        # Packing every chunk again would cost more than sending it.
        "ws_per_message_deflate": False,
    }
    return uvicorn.Config(create_app(settings), **(told | changed))


def listen(settings: Settings) -> socket.socket:
    """A socket at the address told; refused where somebody else listens there already."""
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    # Only for a socket that says TCP does asyncio switch off the wait for more to send.
    listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        if os.name == "posix":  # elsewhere it would let two servers share a port
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((settings.host, settings.port))
        listening.listen()
    except OSError as error:
        listening.close()
        raise ConfigError(
            f"cannot listen at {settings.host}, port {settings.port}: {error.strerror or error}; "
            "choose another with --port"
        ) from error
    return listening


def serve(settings: Settings, listening: socket.socket) -> None:
    """Serve until interrupted."""
    _allow_handles(settings.connections_max + REPLAYS_MAX + _OTHER_HANDLES)
    uvicorn.Server(config_of(settings)).run(sockets=[listening])


def _allow_handles(wanted: int) -> None:
    """Raise the process's limit on open files as far as the system allows and it is needed."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        most = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
