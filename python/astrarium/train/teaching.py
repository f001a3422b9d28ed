"""Teachers at work: whoever fills the orders of a batch, watched and written down.

A teacher is called with the batch and the number of steps taken, and leaves its orders in
`world.actions`: a scripted bot, an oracle, a trained player, or the world's own advice.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from astrarium.errors import ConfigError
from astrarium.runs.replaying import config_hash
from astrarium.train import captures
from astrarium.train.captures import Capture, Ending, Facts, Steps
from astrarium.train.config import merged
from astrarium.train.errors import CaptureError, UnlearnableWorldError
from astrarium.train.recording import Thinking
from astrarium.worlds import VectorWorld, WorldConfig, WorldEntry, ladder, parse_config
from astrarium.worlds.capturing import Label
from astrarium.worlds.vector import Layout

BATCH: Final = 16
"""Worlds captured side by side; what is captured does not depend on it."""

Teacher = Callable[[VectorWorld, int], None]


@dataclass(frozen=True, slots=True)
class Lesson:
    """What is to be captured."""

    episodes: int = 32
    seed: int = 200_000
    """Of the first episode; evaluations and the checkpoints of runs use others."""
    steps_max: int = 4096
    """Steps after which an episode is left."""
    tags: tuple[str, ...] = ()
    """Words for what all of it covers, besides what happens."""
    hard_share: float = 0.25
    """Of the episodes, the last ones, played in hard times where the world knows such."""


class PolicyTeacher:
    """Whoever can play a ladder, as a teacher."""

    def __init__(self, policy: ladder.Policy) -> None:
        self.policy = policy

    def __call__(self, world: VectorWorld, step: int) -> None:
        """Leave its orders in the batch."""
        world.actions[...] = self.policy(world, step)


def teacher_called(entry: WorldEntry, name: str) -> PolicyTeacher:
    """A world's own player by its name: a bot, an oracle, chance."""
    return PolicyTeacher(ladder.policies(entry, [name])[name])


def capture(
    entry: WorldEntry,
    name: str,
    teacher: Teacher,
    lesson: Lesson,
    config: WorldConfig | Mapping[str, Any] | None = None,
) -> list[Capture]:
    """Every trajectory of the lesson's episodes, in order of episodes and agents.

    Refused where they do not show what the world requires of captures.
    """
    settings = parse_config(entry.config, config, where=entry.id)
    hard = _hard_episodes(entry, lesson)
    usual = range(lesson.episodes - hard)
    found = _captured(entry, name, teacher, lesson, settings, usual)
    if hard:
        changed = merged(settings.model_dump(), entry.capturing.hard_times)
        harder = parse_config(entry.config, changed, where=entry.id)
        last = range(len(usual), lesson.episodes)
        found += _captured(entry, name, teacher, lesson, harder, last)
    required = entry.capturing.required
    shown = {tag for one in found for tag in one.facts.tags}
    captures.check_covered((tag for tag in required if tag not in shown), required)
    return found


def label_of(entry: WorldEntry, settings: WorldConfig) -> Label:
    """What a world is called under some settings."""
    own = entry.capturing.label
    return Label(config_hash(settings), entry.id) if own is None else own(settings)


def _hard_episodes(entry: WorldEntry, lesson: Lesson) -> int:
    """How many of a lesson's episodes show hard times: at least one, if any are to."""
    if not 0.0 <= lesson.hard_share <= 1.0:
        raise ConfigError(f"hard_share is {lesson.hard_share}; give a share from 0 to 1")
    if not entry.capturing.hard_times or lesson.hard_share == 0.0:
        return 0
    return max(1, round(lesson.hard_share * lesson.episodes))


def _captured(
    entry: WorldEntry,
    name: str,
    teacher: Teacher,
    lesson: Lesson,
    settings: WorldConfig,
    episodes: range,
) -> list[Capture]:
    """Some of a lesson's episodes under the same settings."""
    found: list[Capture] = []
    label = label_of(entry, settings)
    for first in range(episodes.start, episodes.stop, BATCH):
        count = min(BATCH, episodes.stop - first)
        world = entry.make(settings, count, 1, "same_step")
        _check_teachable(world)
        _check_words(world, lesson)
        world.reset_with_seeds([lesson.seed + first + at for at in range(count)])
        notes = _Notes(entry.under(settings), name, label, lesson, world)
        for step in range(lesson.steps_max):
            teacher(world, step)
            notes.before(world, teacher)
            world.step()
            if not notes.after(world):
                break
        found += notes.captures()
        world.close()
    return found


def _check_teachable(world: VectorWorld) -> None:
    if world.layout.controls or not world.layout.heads:
        raise UnlearnableWorldError(
            f"{world.world_id} takes continuous controls or no orders at all; only choices of "
            "discrete heads can be imitated"
        )


def _check_words(world: VectorWorld, lesson: Lesson) -> None:
    claimed = sorted({*lesson.tags} & {*world.layout.events})
    if claimed:
        raise CaptureError(
            f"{', '.join(claimed)} cannot be given as a tag: it is an event of {world.world_id}, "
            "and captures in which it happens have it anyway"
        )


@dataclass(slots=True)
class _Trajectory:
    """One agent's way, while it goes on."""

    world: int
    agent: int
    seed: int
    began: int
    terms: npt.NDArray[np.float64]
    """Sums of the reward's terms."""
    rows: list[tuple[Any, ...]] = field(default_factory=list[tuple[Any, ...]])
    events: int = 0
    ending: Ending = "open"


class _Notes:
    """The trajectories of one batch."""

    def __init__(
        self, entry: WorldEntry, name: str, label: Label, lesson: Lesson, world: VectorWorld
    ) -> None:
        self._entry, self._name, self._label, self._lesson = entry, name, label, lesson
        self._layout: Layout = world.layout
        self._seeds = world.episode_seed.copy()
        self._open: dict[tuple[int, int], _Trajectory] = {}
        self._whole: list[_Trajectory] = []
        self._step = 0

    def before(self, world: VectorWorld, teacher: Teacher) -> None:
        """Write down what each agent sees and is told to do."""
        values, log_probs = _thoughts(teacher, world)
        for at, agent in np.argwhere((world.alive != 0) & self._running(world)):
            key = (int(at), int(agent))
            if key not in self._open:
                terms = np.zeros(len(self._layout.terms))
                self._open[key] = _Trajectory(*key, int(self._seeds[at]), self._step, terms)
            row = (world.obs[key], world.actions[key], world.mask[key])
            self._open[key].rows.append((*(one.copy() for one in row), log_probs[key], values[key]))

    def after(self, world: VectorWorld) -> bool:
        """Write down what came of it; whether anybody goes on."""
        self._step += 1
        ended = (world.terminated | world.truncated) != 0
        for key, one in list(self._open.items()):
            one.rows[-1] = (*one.rows[-1], float(world.reward[key]), bool(ended[key]))
            one.events |= int(world.events[key])
            one.terms += world.terms[key]
            over = world.episode[key[0]] != 0
            if ended[key] or over or not world.alive[key]:
                one.ending = "terminated" if world.terminated[key] else "truncated"
                self._whole.append(self._open.pop(key))
        return bool(self._running(world).any())

    def captures(self) -> list[Capture]:
        """All of it; what is still going on is left open."""
        whole = [*self._whole, *self._open.values()]
        whole.sort(key=lambda one: (one.world, one.agent, one.began))
        return [self._capture(one) for one in whole]

    def _running(self, world: VectorWorld) -> npt.NDArray[np.bool_]:
        """(n, 1): worlds in their first episode."""
        return (world.episode == 0)[:, np.newaxis]

    def _capture(self, one: _Trajectory) -> Capture:
        obs, actions, masks, log_probs, values, rewards, dones = zip(*one.rows, strict=True)
        entry, lesson = self._entry, self._lesson
        # Nobody asked the teacher about the last sight; what it expected a step before stands in.
        after = 0.0 if one.ending == "terminated" else values[-1]
        steps = Steps(
            obs=np.stack(obs),
            actions=np.stack(actions),
            action_mask=np.stack(masks),
            old_log_probs=np.array(log_probs, np.float32),
            value_preds=np.array([*values, after], np.float32),
            rewards=np.array(rewards, np.float32),
            dones=np.array(dones, np.uint8),
        )
        names = self._layout.events
        happened = {name for bit, name in enumerate(names) if one.events >> bit & 1}
        agent = entry.agent_names[one.agent]
        facts = Facts(
            agent_id=agent,
            trajectory_id=f"{one.seed}-{agent}-{one.began}",
            feature_names=list(entry.obs_names),
            action_names=[list(head) for head in entry.action_names],
            timesteps=len(one.rows),
            tags=sorted(happened | {*lesson.tags}),
            quality_metrics=self._quality(steps, one.terms),
            world=entry.id,
            config_id=self._label.config_id,
            variant=self._label.variant,
            teacher=self._name,
            episode_seed=one.seed,
            ending=one.ending,
        )
        return Capture(steps, facts)

    def _quality(self, steps: Steps, terms: npt.NDArray[np.float64]) -> dict[str, float]:
        """How good a trajectory is to learn from."""
        firsts = np.cumsum([0, *self._layout.heads[:-1]])
        allowed = np.take_along_axis(steps.action_mask, steps.actions + firsts, 1) != 0
        chosen = steps.actions[captures.had_choice(steps)]
        return {
            "return_total": float(steps.rewards.sum(dtype=np.float64)),
            "reward_mean": float(steps.rewards.mean(dtype=np.float64)),
            "choices": float(len(chosen)),
            "one_action_share": captures.commonest(chosen)[1] if len(chosen) else 1.0,
            "illegal_orders": float((~allowed.all(1)).sum()),
            **{
                f"term_{name}": float(total)
                for name, total in zip(self._layout.terms, terms, strict=True)
            },
        }


Thought = npt.NDArray[np.float32]


def _thoughts(teacher: Teacher, world: VectorWorld) -> tuple[Thought, Thought]:
    """(n, m) each: what the teacher expects, and how likely it was to choose so."""
    values = np.zeros(world.alive.shape, np.float32)
    log_probs = np.zeros(world.alive.shape, np.float32)
    policy = teacher.policy if isinstance(teacher, PolicyTeacher) else teacher
    thoughts = policy.thoughts if isinstance(policy, Thinking) else None
    if thoughts is None:
        return values, log_probs
    first = 0
    for head, count in enumerate(world.layout.heads):
        shares = thoughts.probabilities[..., first : first + count]
        chosen = np.take_along_axis(shares, world.actions[..., head : head + 1], -1)[..., 0]
        log_probs += np.log(np.maximum(chosen, np.finfo(np.float32).tiny))
        first += count
    return thoughts.value, log_probs
