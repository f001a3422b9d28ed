"""Shares of what is scarce: turns of clients, places for streams, memory for answers."""

from __future__ import annotations

import asyncio
import contextlib
from collections import Counter, deque
from collections.abc import AsyncGenerator


class Places:
    """A bounded number of places, and of places for each client.

    Used by the thread of the event loop only, so that taking a place is one action.
    """

    def __init__(self, most: int, per_client: int) -> None:
        self._most = most
        self._per_client = per_client
        self._taken: Counter[str] = Counter()

    @property
    def taken(self) -> int:
        """Places in use, of all clients."""
        return self._taken.total()

    def take(self, client: str, count: int = 1) -> bool:
        """Take places, and return whether they were free."""
        if self.taken + count > self._most or self._taken[client] + count > self._per_client:
            return False
        self._taken[client] += count
        return True

    def leave(self, client: str, count: int = 1) -> None:
        """Give places back."""
        self._taken[client] -= count
        if self._taken[client] <= 0:
            del self._taken[client]


class Turns:
    """Lets each client do so many things at once; more of them wait their turn, for a while."""

    def __init__(self, per_client: int, seconds_max: float) -> None:
        self._per_client = per_client
        self._seconds_max = seconds_max
        self._taken: Counter[str] = Counter()
        self._waiting: dict[str, deque[asyncio.Future[None]]] = {}

    @contextlib.asynccontextmanager
    async def turn(self, client: str) -> AsyncGenerator[bool]:
        """Wait for a turn and hold it; yields whether it came in time."""
        if not await self._take(client):
            yield False
            return
        try:
            yield True
        finally:
            self._leave(client)

    async def _take(self, client: str) -> bool:
        if self._taken[client] < self._per_client:
            self._taken[client] += 1
            return True
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        line = self._waiting.setdefault(client, deque())
        line.append(turn)
        try:
            async with asyncio.timeout(self._seconds_max):
                await turn
        except TimeoutError:
            return self._give_up(client, turn)
        except asyncio.CancelledError:
            if self._give_up(client, turn):
                self._leave(client)
            raise
        return True

    def _give_up(self, client: str, turn: asyncio.Future[None]) -> bool:
        """Leave the line; returns whether the turn came at the last moment."""
        if turn.done() and not turn.cancelled():
            return True
        line = self._waiting[client]
        line.remove(turn)
        if not line:
            del self._waiting[client]
        return False

    def _leave(self, client: str) -> None:
        """Hand the turn to the request that waits longest, or give it back."""
        line = self._waiting.get(client)
        while line:
            turn = line.popleft()
            if not line:
                del self._waiting[client]
            if not turn.done():
                turn.set_result(None)
                return
        self._taken[client] -= 1
        if self._taken[client] <= 0:
            del self._taken[client]
