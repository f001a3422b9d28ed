"""The server as a process: uvicorn with limits, and a socket one can find."""

from __future__ import annotations

import os
import socket
from typing import Any, Final

import uvicorn

from astrarium.errors import ConfigError
from astrarium.serve.app import create_app
from astrarium.serve.settings import Settings

_CONNECTIONS_MAX: Final = 1_024
_GRACE_SECONDS: Final = 3
_SOCKET_BYTES_MAX: Final = 64 << 10
"""Readers of a stream have nothing to say."""


def config_of(settings: Settings, **changed: Any) -> uvicorn.Config:
    """How uvicorn runs the app."""
    told: dict[str, Any] = {
        "host": settings.host,
        "port": settings.port,
        "log_level": "warning",
        "access_log": False,
        "server_header": False,
        "limit_concurrency": _CONNECTIONS_MAX,
        "timeout_graceful_shutdown": _GRACE_SECONDS,
        "ws": "websockets-sansio",
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
    uvicorn.Server(config_of(settings)).run(sockets=[listening])
