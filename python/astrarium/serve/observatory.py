"""The parts of one server, made together and let go of together."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncGenerator
from typing import Final, cast

from starlette.requests import HTTPConnection

from astrarium.serve.catalogue import Catalogue
from astrarium.serve.frame_store import FrameStore
from astrarium.serve.growth import Growth
from astrarium.serve.live import Live
from astrarium.serve.long_work import LongWork
from astrarium.serve.metrics import Metrics
from astrarium.serve.outcomes import Outcomes
from astrarium.serve.saving import Saves
from astrarium.serve.sessions import Sessions
from astrarium.serve.settings import Settings
from astrarium.serve.static import WebApp
from astrarium.serve.turns import Places
from astrarium.serve.wandb_proxy import WandbProxy
from astrarium.serve.wars import Wars

_EXPIRY_SECONDS: Final = 30.0


class Observatory:
    """Everything the routes ask."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.root = settings.runs_root.absolute()
        self.catalogue = Catalogue(self.root, settings.sweep_seconds)
        self.frames = FrameStore(settings.cache_bytes)
        self.growth = Growth()
        self.live = Live(self.catalogue, settings.sweep_seconds)
        self.places = Places(settings.sockets_max, settings.sockets_per_client)
        self.memory = Places(settings.answers_bytes_max, max(1, settings.answers_bytes_max // 2))
        """Bytes of answers that clients have not taken yet."""
        self.sessions = Sessions(settings)
        self.saves = Saves(self.root, settings)
        self.saving = LongWork("saves", threads=1, waiting_max=16, per_client=4)
        self.outcomes = Outcomes(self.catalogue, settings.outcome_seconds_max)
        self.comparing = LongWork("comparisons", threads=2, waiting_max=8, per_client=2)
        self.wandb = WandbProxy(settings)
        self.asking_wandb = LongWork("questions to W&B", threads=4, waiting_max=16, per_client=8)
        self.wars = Wars(settings.wars.absolute())
        self.web_app = WebApp(settings.app_folder)
        self.metrics = Metrics()
        self.metrics.watch(self)

    @contextlib.asynccontextmanager
    async def at_work(self) -> AsyncGenerator[None]:
        """The watcher and the expiry of sessions, while the server runs."""
        self.outcomes.start()
        await self.live.start()
        expiry = asyncio.create_task(self._expire())
        try:
            yield
        finally:
            expiry.cancel()
            await self.live.stop()
            self.outcomes.stop()
            for work in (self.saving, self.comparing, self.asking_wandb):
                work.close()
            await asyncio.to_thread(self.sessions.close)
            await asyncio.to_thread(self.frames.close)

    async def _expire(self) -> None:
        while True:
            await asyncio.sleep(_EXPIRY_SECONDS)
            await asyncio.to_thread(self.sessions.expire)


def observatory_of(connection: HTTPConnection) -> Observatory:
    """The server that a request came to."""
    return cast("Observatory", connection.app.state.observatory)


async def asked_observatory(connection: HTTPConnection) -> Observatory:
    """The same for routes: what is not async would cost each of them a change of threads."""
    return observatory_of(connection)
