"""Apprentices side by side, a process each; none of them knows of the others."""

from __future__ import annotations

import queue
from collections.abc import Callable
from concurrent.futures import Future, ProcessPoolExecutor, wait
from multiprocessing import active_children, get_context
from multiprocessing.queues import Queue
from typing import Final

from astrarium.train.apprentice.plan import Plan

_POLL_S: Final = 0.2

News = tuple[int, str, float]
"""A seed, what its apprentice is at, and how much of that is done."""


def learn_all(plan: Plan, workers: int, tell: Callable[[News], None]) -> None:
    """Every apprentice to its end; what is finished already costs nothing."""
    if workers == 1:
        for seed in plan.seeds:
            _learn_here(plan, seed, tell)
        return
    context = get_context("spawn")
    news: Queue[News] = context.Queue()
    pool = ProcessPoolExecutor(workers, context, initializer=_listen, initargs=(news,))
    try:
        asked = [pool.submit(_learn, plan, seed) for seed in plan.seeds]
        while not _settled(asked):
            _pass_on(news, tell)
        _pass_on(news, tell)
        for one in asked:
            one.result()
    except BaseException:
        # Whoever waited for the others after an error or Ctrl-C would wait for hours; each goes on
        # from its last checkpoint when asked again.
        pool.shutdown(wait=False, cancel_futures=True)
        for process in active_children():
            process.terminate()
        raise
    finally:
        pool.shutdown()


def _settled(asked: list[Future[None]]) -> bool:
    """Whether all have ended, or one has failed."""
    done, rest = wait(asked, timeout=_POLL_S)
    return not rest or any(one.exception() is not None for one in done)


def _pass_on(news: Queue[News], tell: Callable[[News], None]) -> None:
    while True:
        try:
            tell(news.get_nowait())
        except queue.Empty:
            return


_line: list[Queue[News]] = []
"""In a process of the crew: to whoever started it."""


def _listen(news: Queue[News]) -> None:
    _line.append(news)


def _learn(plan: Plan, seed: int) -> None:
    _learn_here(plan, seed, _line[0].put)


def _learn_here(plan: Plan, seed: int, tell: Callable[[News], None]) -> None:
    # Here: a process that only waits needs no torch.
    from astrarium.train.apprentice.course import learn

    learn(plan, seed, lambda what, share: tell((seed, what, share)))
