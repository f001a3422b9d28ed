"""A training run from its first window to its last: what is written when.

After an update in which windows closed, in this order: their rows, a checkpoint, an evaluation of
it and the best episode as a replay. A run killed at any moment continues from its last checkpoint
as if nothing had happened.
"""

from __future__ import annotations

import contextlib
import itertools
import math
import os
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal

from astrarium import machine, worlds
from astrarium.errors import AstrariumError
from astrarium.runs import (
    Checkpoint,
    ReplayEntry,
    RunFacts,
    RunFolder,
    RunWriter,
    WindowMeter,
    run_config,
)
from astrarium.runs.replay_index import BEST_SO_FAR
from astrarium.telemetry import events
from astrarium.telemetry.choosing import chosen_sinks
from astrarium.telemetry.following import Follower
from astrarium.telemetry.ppo_log import LOGGED_STATS
from astrarium.telemetry.wandb import WandbSink
from astrarium.train import world_news
from astrarium.train.annealing import Annealing, annealing_of, failures, halted
from astrarium.train.beginning import begin_from
from astrarium.train.checkpointing import checkpoint_of, restore
from astrarium.train.config import TrainConfig
from astrarium.train.errors import AnnealFailedError
from astrarium.train.keeping import keep_best_episode
from astrarium.train.league import League, league_of
from astrarium.train.ppo import PPO, Update, Watch
from astrarium.train.random_play import RandomPlay
from astrarium.train.stat_meter import StatMeter
from astrarium.worlds.config import parse_config
from astrarium.worlds.registry import WorldEntry
from astrarium.worlds.vector import VectorWorld


@dataclass(frozen=True, slots=True)
class Progress:
    """Where a run stands, told before the first update and after every one."""

    folder: Path
    env_steps_total: int
    target_env_steps: int
    calls_total: int
    closed: tuple[dict[str, Any], ...]
    """Windows that closed in this update."""
    replay: ReplayEntry | None
    """The best one so far."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a run ended, by the rows of its windows, those before a resumption included."""

    folder: Path
    status: Literal["completed", "interrupted"]
    env_steps_total: int
    """Ticks up to the end of the last window."""
    calls_total: int
    """Steps of all windows."""
    seconds: float
    """Wall time of all windows."""
    best_replay: ReplayEntry | None


Tell = Callable[[Progress], None]
Clock = Callable[[], float]


def start(
    config: TrainConfig,
    *,
    tell: Tell = lambda _: None,
    stop: Callable[[], bool] = lambda: False,
    clock: Clock = time.perf_counter,
) -> Outcome:
    """Train from nothing, in a new run folder."""
    with contextlib.closing(_Run(config, clock)) as run:
        if config.run.init_from is not None and isinstance(run.ppo, PPO):
            begin_from(config.run.init_from, run.ppo)
        saved = config.model_dump(mode="json")
        run.writer = RunWriter.create(config.run.root, saved, run.facts(), config.run.id)
        run.say(
            events.RunStarted(
                run_id=run.writer.run_id,
                world=config.world.id,
                seed=config.run.seed,
                config_hash=run.writer.metadata["config_hash"],
            )
        )
        if run.newsroom is not None:
            world_news.begin(run.newsroom, config)
        return run.go(tell, stop)


def resume(
    folder: Path,
    *,
    tell: Tell = lambda _: None,
    stop: Callable[[], bool] = lambda: False,
    clock: Clock = time.perf_counter,
    threads: int | None = None,
    allow_config_change: bool = False,
) -> Outcome:
    """Go on with a run that was killed, interrupted or broke, from its last checkpoint.

    With `allow_config_change` its config.json may have been edited; the metadata notes that.
    """
    run_folder = RunFolder.open(folder)
    saved = run_config.read_changed(folder) if allow_config_change else run_folder.config()
    config = parse_config(TrainConfig, saved, where=str(folder))
    if threads is not None:
        # The one setting that changes no result.
        config = config.model_copy(
            update={"run": config.run.model_copy(update={"threads": threads})}
        )
    with contextlib.closing(_Run(config, clock)) as run:
        run.writer, checkpoint = RunWriter.resume(folder, allow_config_change=allow_config_change)
        try:
            run.go_back(checkpoint)
        except BaseException as error:
            run.writer.fail(error)
            raise
        return run.go(tell, stop)


class _Run:
    """A run in progress."""

    writer: RunWriter

    def __init__(self, config: TrainConfig, clock: Clock) -> None:
        # A sink that cannot be made is refused here, before a run folder is made or reopened.
        chosen_sinks(config.run.root, **config.sinks.model_dump())
        self.config = config
        self._clock = clock
        self._entry: WorldEntry = worlds.get(config.world.id).implemented(
            config.world.implementation
        )
        self._threads = config.run.threads or os.cpu_count() or 1
        world = worlds.make_vec(
            config.world.id,
            config.world.worlds,
            threads=self._threads,
            seed=config.run.seed,
            config=config.world.settings,
            implementation=config.world.implementation,
        )
        self.annealing: Annealing | None = None
        self.league: League | None = None
        self.ppo: PPO | RandomPlay
        if config.algorithm == "random":
            self.ppo = RandomPlay(config, world)
        else:
            self.ppo = ppo = PPO(config, world, self._threads)
            self.annealing = annealing_of(config, ppo, self._entry)
            self.league = league_of(config, ppo)
        self.newsroom = world_news.newsroom_of(world)
        self.calls_total = 0
        self.meter: WindowMeter = WindowMeter(
            "", world.layout, world.num_worlds, config.run.window_env_steps, self._entry.outcomes
        )
        self.stats = StatMeter(
            world.layout, world.num_worlds, LOGGED_STATS, self._entry.counts, self._entry.ratios
        )
        self._best: ReplayEntry | None = None
        self._follower: Follower | None = None
        self._wandb: WandbSink | None = None
        self._told: set[str] = set()
        """Sinks whose failure is in the log."""
        self._window_id = self._checkpointed = -1
        """The window that closed last, and that of the last checkpoint."""
        self._window_began = (clock(), 0, 0)
        """When the open window began, and the ticks and calls before it."""

    def facts(self) -> RunFacts:
        """What is known before anything happened."""
        config, world = self.config, self.ppo.world
        here = machine.facts()
        return RunFacts(
            kind="baseline" if config.algorithm == "random" else "training",
            trainer_backend=config.algorithm,
            target_env_steps=config.run.total_env_steps,
            window_env_steps=config.run.window_env_steps,
            world=config.world.id,
            machine=asdict(here),
            commit=here.commit,
            info_metric_keys=world.layout.stats,
            milestones={
                "profit": config.run.milestones_profit,
                "return": config.run.milestones_return,
                "survival": config.run.milestones_survival,
            },
            extra={"world_implementation": self._implementation, **self._ppo_facts()},
        )

    @property
    def _implementation(self) -> str:
        return "reference" if self._entry.is_reference else "native"

    def _ppo_facts(self) -> dict[str, Any]:
        """What a run that learns adds to the metadata."""
        if isinstance(self.ppo, RandomPlay):
            return {}
        backend = f"{self._implementation}_batch"
        return {
            "ppo_device": str(self.ppo.device),
            "ppo_num_envs": self.ppo.world.num_worlds,
            "ppo_num_workers": self._threads,
            "ppo_rollout_steps": self.config.ppo.rollout_steps,
            "ppo_policy_updates": 0,
            "ppo_vector_backend": backend,
            "ppo_vector_backend_selected": backend,
            "ppo_env_impl_requested": self.config.world.implementation,
            "ppo_env_impl_selected": self._implementation,
            "ppo_policy_arch": self.ppo.policy_arch,
        }

    def go(self, tell: Tell, stop: Callable[[], bool]) -> Outcome:
        """Train to the end, or until asked to stop and a window has closed."""
        writer = self.writer
        try:
            sinks = chosen_sinks(writer.folder, **self.config.sinks.model_dump())
            self._follower = Follower(writer.folder, sinks) if sinks else None
            self._wandb = next((sink for sink in sinks if isinstance(sink, WandbSink)), None)
            status = self._train(tell, stop)
            if status == "completed":
                for judged in () if self.annealing is None else self.annealing.judged():
                    self.say(judged)
                self.say(events.RunCompleted(env_steps_total=self.meter.env_steps_total))
                writer.finish()
            else:
                self.say(events.RunInterrupted(env_steps_total=self.meter.env_steps_total))
                writer.pause()
        except KeyboardInterrupt:
            # Whoever could not wait for the window goes on from the checkpoint before it. It may
            # also have come after the end, when there is nothing left to write.
            with contextlib.suppress(AstrariumError):
                self.say(events.RunInterrupted(env_steps_total=self.meter.env_steps_total))
                writer.pause()
            raise
        except BaseException as error:
            # A disk that is full refuses this too; the first error is the one to tell.
            with contextlib.suppress(AstrariumError):
                self.say(events.RunFailed(error=f"{type(error).__name__}: {error}"))
            writer.fail(error)
            raise
        finally:
            if self._follower is not None:
                self._follower.close()
        rows = RunFolder.open(writer.folder).windows()
        return Outcome(
            folder=writer.folder,
            status=status,
            env_steps_total=rows[-1]["env_steps_total"] if rows else 0,
            calls_total=sum(row["steps_in_window"] for row in rows),
            seconds=math.fsum(row["wall_seconds"] for row in rows),
            best_replay=self._best,
        )

    def close(self) -> None:
        """Let go of threads and worlds."""
        self.ppo.close()
        self.ppo.world.close()

    def _train(self, tell: Tell, stop: Callable[[], bool]) -> Literal["completed", "interrupted"]:
        target = self.config.run.total_env_steps
        self._window_began = (self._clock(), self.meter.env_steps_total, self.calls_total)
        tell(self._progress([]))
        while self.meter.env_steps_total < target:
            if self._cloned():
                continue
            if self.league is not None:
                self.league.follow(RunFolder.open(self.writer.folder), self._window_id + 1)
            closed: list[dict[str, Any]] = []
            before = self.meter.env_steps_total
            update = self.ppo.update(before / target, self._watching(closed))
            self.calls_total += self.config.ppo.rollout_steps * self.ppo.world.num_worlds
            self._note(update, self.meter.env_steps_total - before)
            if self.newsroom is not None:
                world_news.write_round(self.newsroom, self.writer, update)
            if closed:
                self._close(closed)
            tell(self._progress(closed))
            if closed and self.meter.env_steps_total < target and stop():
                self._checkpoint()
                return "interrupted"
        # A run shorter than its window would end with nothing to show for it.
        wanted = self.config.run.flush_partial_window or self._window_id < 0
        partial = self.meter.partial() if wanted else None
        # A run resumed from its last checkpoint has written it already.
        if partial is not None and partial["window_id"] != self._window_id:
            self._close([partial])
            tell(self._progress([partial]))
        self._checkpoint()
        return "completed"

    def _watching(self, closed: list[dict[str, Any]]) -> Watch:
        """What looks at every step: windows that close are added to `closed`."""

        steps = itertools.count()

        def watch(world: VectorWorld) -> None:
            closed.extend(self.meter.note(world))
            self.stats.note(world)
            if self.annealing is not None:
                self.annealing.note(world)
            if self.newsroom is not None:
                world_news.write_step(self.newsroom, self.writer, self.ppo, next(steps))

        return watch

    def _progress(self, closed: list[dict[str, Any]]) -> Progress:
        return Progress(
            folder=self.writer.folder,
            env_steps_total=self.meter.env_steps_total,
            target_env_steps=self.config.run.total_env_steps,
            calls_total=self.calls_total,
            closed=tuple(closed),
            replay=self._best,
        )

    def say(self, event: events.Event) -> None:
        """Add to the log of events."""
        self.writer.append_event(event)

    def _cloned(self) -> bool:
        """Whether this cycle went into cloning a teacher, which needs no rollout."""
        total = self.meter.env_steps_total
        told = [] if self.annealing is None else self.annealing.clone_if_due(total)
        for one in told:
            self.say(one)
        failed = failures(told)
        if failed is not None:
            raise AnnealFailedError(failed)
        return bool(told)

    def _note(self, update: Update, ticks: int) -> None:
        stats = self.stats.take()
        guided = self.annealing
        told = {} if guided is None else guided.finish(update.policies, stats)
        for name, figures in update.policies.items():
            self.say(
                events.UpdateFinished(
                    update=update.number,
                    policy=name,
                    env_steps_total=self.meter.env_steps_total,
                    calls_total=self.calls_total,
                    learning_rate=update.learning_rate,
                    entropy_coef=update.entropy_coef,
                    rollout_ticks=ticks,
                    world_stats=stats or None,
                    anneal=told.get(name),
                    **figures,
                )
            )
        astray = halted(told)
        if astray is not None:
            raise AnnealFailedError(astray)

    def _close(self, rows: list[dict[str, Any]]) -> None:
        """Write windows that closed in one update, and a checkpoint if one is due."""
        for row in rows:
            row |= {"run_id": self.writer.run_id, **self._rates(len(rows))}
            self.writer.append_window(row)
            window_id = row["window_id"]
            self.say(
                events.WindowClosed(window_id=window_id, env_steps_total=row["env_steps_total"])
            )
        self._note_sinks()
        self._window_began = (self._clock(), self.meter.env_steps_total, self.calls_total)
        every = self.config.run.checkpoint_every_windows
        self._window_id = rows[-1]["window_id"]
        last = not rows[-1]["window_complete"]
        if last or any(row["window_id"] % every == 0 for row in rows):
            self._checkpoint()
        # Known once their server has answered, at some window or other.
        url = None if self._wandb is None else self._wandb.url
        found: dict[str, Any] = {} if url is None else {"wandb_run_url": url}
        if isinstance(self.ppo, PPO):
            found["ppo_policy_updates"] = self.ppo.updates
        self.writer.update(**found)

    def _note_sinks(self) -> None:
        """Put into the log which sinks were dropped; the training goes on without them."""
        failures = {} if self._follower is None else dict(self._follower.failures)
        for sink in sorted(failures.keys() - self._told):
            self._told.add(sink)
            self.say(events.SinkFailed(sink=sink, error=failures[sink]))

    def _checkpoint(self) -> None:
        """Write the checkpoint of the window that closed last, unless it is there."""
        window_id = self._window_id
        if self._checkpointed != window_id:
            state = None if self.annealing is None else self.annealing.state()
            checkpoint = checkpoint_of(
                self.ppo, self.meter, self.stats, window_id, self.calls_total, state
            )
            self.writer.save_checkpoint(checkpoint)
            self._checkpointed = window_id
            self._after_checkpoint(window_id)

    def go_back(self, checkpoint: Checkpoint) -> None:
        """To where a checkpoint was taken, and what is known of the windows before."""
        self.calls_total = restore(checkpoint, self.ppo, self.meter, self.stats)
        if self.annealing is not None:
            self.annealing.load(checkpoint.state.get("anneal", {}))
        self._window_id = self._checkpointed = checkpoint.window_id
        before = RunFolder.open(self.writer.folder).replay_index().select(tag=BEST_SO_FAR)
        self._best = before[0] if before else None
        self.say(
            events.RunResumed(
                window_id=checkpoint.window_id,
                update=self.ppo.updates,
                env_steps_total=checkpoint.env_steps_total,
            )
        )
        # What followed the checkpoint was forgotten with everything after it.
        self._after_checkpoint(checkpoint.window_id)

    def _rates(self, rows: int) -> dict[str, float | None]:
        """How fast it went, over the updates since the last window that closed."""
        at, ticks, calls = self._window_began
        seconds = self._clock() - at
        took = seconds > 0 and self.calls_total > calls
        return {
            "wall_seconds": seconds / rows,
            "steps_per_second": (self.calls_total - calls) / seconds if took else None,
            "ticks_per_second": (self.meter.env_steps_total - ticks) / seconds if took else None,
        }

    def _after_checkpoint(self, window_id: int) -> None:
        """Say that it is there, play its policy, and keep the best episode."""
        path = f"checkpoints/{window_id:06d}"
        self.say(events.CheckpointWritten(window_id=window_id, path=path))
        if self.config.run.eval_episodes == 0:
            return
        entry = keep_best_episode(self.writer, self.config, self.ppo.world, window_id)
        if BEST_SO_FAR in entry.tags:
            self._best = entry
        self.say(
            events.ReplayRecorded(
                window_id=window_id,
                replay_id=entry.replay_id,
                return_total=entry.return_total,
                tags=tuple(entry.tags),
            )
        )
