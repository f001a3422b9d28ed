"""Asking a controller without waiting for it longer than it may take."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from pydantic import JsonValue

from astrarium.esper.contracts.errors import EsperError
from astrarium.esper.host_view import Controller, HostView


class LateAnswerError(EsperError, RuntimeError):
    """A controller that did not answer in time."""


@dataclass(slots=True)
class _Call:
    """One question, filled in by the thread that asks it."""

    memory: Mapping[str, JsonValue] | None = None
    """What the controller remembered before."""
    answer: object = None
    error: BaseException | None = None


class Asking:
    """A controller that is asked on a thread of its own, one question at a time.

    Controllers need not be safe against being asked twice at once: while one is still busy with an
    old question it is not asked again. What comes late is forgotten, by the controller too.
    """

    def __init__(self, controller: Controller, now_s: Callable[[], float]) -> None:
        self.controller = controller
        self._now_s = now_s
        self._late: tuple[threading.Thread, _Call] | None = None

    @property
    def busy(self) -> bool:
        """Whether an old question is still out."""
        return self._late is not None and self._late[0].is_alive()

    def settle(self, timeout_s: float) -> bool:
        """Wait for an old question; whether there is none any more."""
        if self._late is not None:
            self._late[0].join(timeout_s)
        return not self.busy

    def ask(self, view: HostView, limit_s: float) -> object:
        """What the controller answers; whatever it raises is raised here."""
        if self.busy:
            raise LateAnswerError("the controller is still busy with an earlier epoch")
        if self._late is not None:
            self._forget(self._late[1])
            self._late = None
        call = _Call()
        # A daemon: a controller that hangs for good must not keep the process from ending.
        thread = threading.Thread(
            target=self._run, args=(call, view), name="controller", daemon=True
        )
        begun = self._now_s()
        thread.start()
        thread.join(limit_s)
        if thread.is_alive():
            self._late = (thread, call)
            raise LateAnswerError(f"the controller took more than {limit_s:g} s")
        if call.error is not None:
            self._forget(call)
            raise call.error
        if self._now_s() - begun > limit_s:
            self._forget(call)
            raise LateAnswerError(f"the controller answered after more than {limit_s:g} s")
        return call.answer

    def _run(self, call: _Call, view: HostView) -> None:
        try:
            call.memory = self.controller.snapshot()
            call.answer = self.controller.decide(view)
        except BaseException as error:
            call.error = error

    def _forget(self, call: _Call) -> None:
        """A controller that believes it has planted what nobody planted would never do it."""
        if call.memory is not None:
            self.controller.restore(call.memory)
