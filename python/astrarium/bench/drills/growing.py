"""What growth costs: seeds beside a host alone, a long life under watch, short runs of PPO."""

from __future__ import annotations

import tempfile
import time
from dataclasses import replace
from pathlib import Path
from typing import Final

from astrarium.bench.drills.scenarios import SEED
from astrarium.bench.drills.settings import SOAK_EPOCHS, DrillSettings, Measured, spread
from astrarium.esper.contracts.actions import WAIT, ActionSpec
from astrarium.esper.contracts.heads import Op
from astrarium.esper.contracts.stages import BLENDED, Stage
from astrarium.esper.controllers import FixedSchedule, Planting
from astrarium.esper.entry import EsperConfig
from astrarium.esper.episode import EpisodeRules, HostEpisode
from astrarium.esper.network import Planted
from astrarium.esper.phases import TaskData
from astrarium.esper.shapes import CnnShape
from astrarium.esper.supervised import SupervisedHost
from astrarium.esper.tasks import load, task
from astrarium.esper.world import EsperWorld
from astrarium.train.config import TrainConfig, layered, preset
from astrarium.train.ppo import PPO

OVERHEAD_EPOCHS: Final = 20
ROUNDS: Final = 3
TASK: Final = "digits_impaired"


def seed_overhead(settings: DrillSettings) -> Measured:
    """Epochs of a host alone, with a seed that learns unfelt, and with three that are felt."""
    data = TaskData(task(TASK), load(TASK), settings.device)
    slots = data.spec.host.slot_ids[:3]
    felt = tuple(Planted(slot, "conv_light") for slot in slots)
    hosts = {
        "alone": HostEpisode(data, EpisodeRules(max_epochs=10**6), SEED),
        "training": HostEpisode(data, EpisodeRules(max_epochs=10**6), SEED),
        "felt": HostEpisode(data, EpisodeRules(max_epochs=10**6, planted=felt), SEED),
    }
    sow = ActionSpec(Op.GERMINATE, slots[0], "conv_light")
    for name, episode in hosts.items():
        for action in (sow, ActionSpec(Op.ADVANCE, slots[0]), WAIT):
            episode.proceed()
            episode.decide(action if name == "training" else WAIT)
    took: dict[str, list[float]] = {name: [] for name in hosts}
    begun_macs = {name: one.spent_macs for name, one in hosts.items()}
    # By turns, so that a slow moment of the machine falls on all of them.
    for _ in range(settings.epochs or OVERHEAD_EPOCHS):
        for name, episode in hosts.items():
            begun = time.perf_counter()
            episode.proceed()
            took[name].append((time.perf_counter() - begun) * 1e3)
            episode.decide(WAIT)
    macs = {name: one.spent_macs - begun_macs[name] for name, one in hosts.items()}
    alone_ms = sum(took["alone"])
    metrics: dict[str, float] = {}
    for name in hosts:
        metrics |= spread(name, took[name])
    for name in ("training", "felt"):
        metrics[f"{name}_time_ratio"] = sum(took[name]) / alone_ms
        metrics[f"{name}_macs_ratio"] = macs[name] / macs["alone"]
    losses = [hosts[name].signals.val_loss for name in ("alone", "training")]
    metrics["training_loss_difference"] = abs(losses[0] - losses[1])
    stages = [state.stage.name for state in hosts["training"].network.states()]
    return Measured("seed_overhead", metrics, {}, {"task": TASK, "training_stages": stages})


def seed_soak(settings: DrillSettings) -> Measured:
    """A hundred supervised epochs in which seeds grow up one after the other, all watched."""
    data = TaskData(task(TASK), load(TASK), settings.device)
    slots = data.spec.host.slot_ids[:3]
    plan = [Planting(1, slot, "conv_light") for slot in slots]
    epochs = settings.epochs or SOAK_EPOCHS
    with tempfile.TemporaryDirectory() as folder:
        episode = HostEpisode(data, EpisodeRules(max_epochs=epochs), SEED)
        host = SupervisedHost(episode, FixedSchedule(plan), Path(folder) / "full.snapshot")
        for _ in range(epochs):
            host.run_epoch()
        states = host.episode.network.states()
        metrics = {
            "epochs": float(host.episode.epoch),
            "epochs_failed": host.metrics().get("tolaria.epochs_failed_total", 0.0),
            "fossils": float(sum(state.stage is Stage.FOSSILIZED for state in states)),
            # In a short soak no seed may have come so far.
            "alpha_min": min((s.alpha.alpha for s in states if s.stage in BLENDED), default=0.0),
            "violations": float(host.episode.monitor.violations),
            "slots_probed": float(len(host.episode.monitor.latest)),
        }
        events = [event.name for event in host.news.take_events()]
        return Measured("seed_soak", metrics, {"events": events}, {"task": TASK})


def short_run(settings: DrillSettings) -> Measured:
    """PPO on noise: one host, five epochs an episode."""
    spec = task("noise")
    return _ppo(
        "short_run", TaskData(spec, load("noise"), settings.device), hosts=1, epochs=5, count=ROUNDS
    )


def cifar_run(settings: DrillSettings) -> Measured:
    """PPO on CIFAR-10: one host, five epochs an episode. One round, which takes long enough."""
    data = TaskData(task("cifar_baseline"), load("cifar_baseline"), settings.device)
    return _ppo("cifar_run", data, hosts=1, epochs=5, count=1)


def vector_run(settings: DrillSettings) -> Measured:
    """PPO on noise: four hosts of three slots, twenty-five epochs an episode, batches of 64."""
    spec = task("noise")
    assert isinstance(spec.host, CnnShape)
    training = replace(spec.training, batch=64)
    spec = replace(spec, host=replace(spec.host, rows=(0,)), training=training)
    return _ppo(
        "vector_run",
        TaskData(spec, load("noise"), settings.device),
        hosts=4,
        epochs=25,
        count=ROUNDS,
    )


def _ppo(name: str, data: TaskData, hosts: int, epochs: int, count: int) -> Measured:
    """Whole rounds: every host's episode, and one update of the policy."""
    config: TrainConfig = layered(
        preset("esper-digits-impaired-v1"),
        {
            "world": {"id": "esper-noise-v1", "worlds": hosts, "settings": {"epochs": epochs}},
            "ppo": {"rollout_steps": epochs, "minibatches": 1},
            "run": {"device": "cpu"},
        },
    )
    threads = 2 if hosts > 1 else 1
    world = EsperWorld("noise", EsperConfig(epochs=epochs), hosts, threads, data=data)
    ppo = PPO(config, world, threads)
    rounds: list[float] = []
    try:
        for _ in range(count):
            begun = time.perf_counter()
            ppo.update(0.0, lambda _: None)
            rounds.append((time.perf_counter() - begun) * 1e3)
    finally:
        ppo.close()
        world.close()
    found = spread("round", rounds)
    metrics = {
        **found,
        "vector_epoch_ms_p50": found["round_ms_p50"] / epochs,
        "episodes_per_s": hosts / found["round_ms_p50"] * 1e3,
    }
    details = {
        "hosts": hosts,
        "epochs": epochs,
        "rounds": count,
        "threads": threads,
        "slots": len(data.spec.host.slot_ids),
        "batch": data.spec.training.batch,
        "images": len(data.train),
    }
    return Measured(name, metrics, {}, details)
