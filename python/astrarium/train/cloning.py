"""A policy made from captures alone, to begin runs with."""

from __future__ import annotations

from pathlib import Path

from astrarium import worlds
from astrarium.errors import ConfigError
from astrarium.train import captures
from astrarium.train.beginning import save_policy
from astrarium.train.captures import Manifest
from astrarium.train.config import TrainConfig
from astrarium.train.correcting import Correction, ask
from astrarium.train.errors import CaptureError
from astrarium.train.imitation import Imitation, Judgement, Study, one_thread
from astrarium.train.normalise import ObservationScale
from astrarium.train.player import Part, Player
from astrarium.train.policy import Network, Shape
from astrarium.train.ppo import SHARED
from astrarium.train.streams import stream
from astrarium.train.teaching import label_of, teacher_called
from astrarium.worlds.config import parse_config
from astrarium.worlds.registry import WorldEntry


def clone(
    folder: Path,
    to: Path,
    config: TrainConfig,
    study: Study | None = None,
    correction: Correction | None = None,
) -> Judgement:
    """Clone what the captures in `folder` show, into a checkpoint at `to`.

    The policy is written whatever came of it; the judgement, which it carries, says how good it is.
    With a `correction` it also learns from its own mistakes.
    """
    study = study or Study()
    if to.exists():
        raise ConfigError(f"{to} is there already; choose another place for the policy")
    if config.policy.groups:
        raise ConfigError("a clone is one policy for all agents; leave out policy.groups")
    if correction is not None and config.policy.memory != "none":
        raise ConfigError("answers belong to no trajectory; correct a policy without memory")
    manifest = captures.read_manifest(folder)
    entry = worlds.get(config.world.id)
    settings = parse_config(entry.config, config.world.settings, where=entry.id)
    layout = entry.layout or entry.make(settings, 1, 1, "same_step").layout
    seed, gamma = config.run.seed, config.ppo.gamma
    weights = stream(seed, f"weights/{SHARED}")
    network = Network(Shape.of(layout), config.policy, weights)
    _check_fits(folder, manifest, entry, label_of(entry, settings).variant)
    known = captures.read(folder, manifest)
    imitation = Imitation(known, network.shape, seed=seed, gamma=gamma, study=study)
    scale = None
    if config.ppo.normalise_observations:
        scale = ObservationScale(layout.obs_dim)
        imitation.fit_scale(scale)
    imitation.learn(network, scale, epochs=study.epochs)
    if correction is not None:
        teacher = teacher_called(entry, known[0].facts.teacher).policy
        pupil = Player("pupil", [Part(network, scale)], greedy=False)
        for at in range(correction.rounds):
            with one_thread():
                answers = ask(entry, settings, teacher, pupil, correction, seed=seed, round_=at)
            imitation.learned.add(answers)
            imitation.learn(network, scale, epochs=correction.epochs, cycle=1 + at)
    found = imitation.judge(network, scale)
    about = {"world": entry.id, "captures": str(folder), "judgement": found.facts()}
    save_policy(to, network, scale, about)
    return found


def _check_fits(folder: Path, manifest: Manifest, entry: WorldEntry, variant: str) -> None:
    """Refuse captures of another world or way of seeing it, or of too little of it."""
    if (manifest.world, manifest.variant) != (entry.id, variant):
        raise CaptureError(
            f"{folder} shows {manifest.world} ({manifest.variant}), the policy is to play "
            f"{entry.id} ({variant}); give the settings they were captured with"
        )
    required = entry.capturing.required
    captures.check_covered(manifest.missing(required), required)
