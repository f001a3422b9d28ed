"""An anneal within the training loop, and runs that begin with a policy they are given."""

import json
from pathlib import Path

import numpy as np
import pytest
import torch
from small_runs import training, weights

from astrarium import worlds
from astrarium.errors import ConfigError
from astrarium.runs import RunFolder
from astrarium.telemetry.events import PolicyCloned, PromotionJudged, UpdateFinished, decode
from astrarium.telemetry.ppo_log import PpoLogSink, log_path
from astrarium.telemetry.ppo_log_checking import check, read
from astrarium.train import captures
from astrarium.train.anneal import Measured
from astrarium.train.annealing import Annealing, halted
from astrarium.train.beginning import begin_from
from astrarium.train.cloning import clone
from astrarium.train.config import TrainConfig, layered
from astrarium.train.demonstrations import Mimic
from astrarium.train.errors import AnnealFailedError, PolicyMismatchError
from astrarium.train.imitation import Study
from astrarium.train.teaching import Lesson, capture, teacher_called
from astrarium.train.training import resume, start

BOT = "nearest_dark_lamp"
ENTRY = worlds.get("lanterns-v1")


@pytest.fixture(scope="module")
def keepers(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("captures") / "keepers"
    settings = ENTRY.config(ticks_max=20)
    shown = capture(ENTRY, BOT, teacher_called(ENTRY, BOT), Lesson(episodes=6), settings)
    captures.write(folder, shown)
    return folder


def config(root: Path, **anneal) -> TrainConfig:
    return layered(
        {
            "world": {"id": "lanterns-v1", "worlds": 4, "settings": {"ticks_max": 20}},
            "policy": {"hidden": [16]},
            "ppo": {"rollout_steps": 16, "epochs": 2, "minibatches": 2},
            "run": {
                "root": root,
                "device": "cpu",
                "threads": 1,
                "eval_episodes": 0,
                "total_env_steps": 512,
                "window_env_steps": 128,
            },
            "sinks": {"ppo_log": True, "ppo_log_entries_max": 3},
            "anneal": anneal,
        }
    )


def schedule(keepers: Path, bc_weight: float = 0.5):
    """Clone, learn beside the teacher, clone again."""
    return {
        "captures": keepers,
        "teacher": BOT,
        "teacher_cycles": 4,
        "accuracy_min": 0.0,
        "schedule": [
            {"cycle": 0, "mode": "bc", "epochs": 2},
            {"cycle": 1, "mode": "ppo", "epochs": 3, "bc_weight": bc_weight},
            {"cycle": 4, "mode": "bc", "epochs": 1},
            {"cycle": 5, "mode": "ppo", "epochs": 1},
        ],
    }


def told(folder: Path, kind: type):
    events = (decode(line) for line in (folder / "events.jsonl").read_bytes().splitlines())
    return [one for one in events if isinstance(one, kind)]


def policy_of(folder: Path) -> dict[str, np.ndarray]:
    return RunFolder.open(folder).load_checkpoint("latest").policy


def test_a_run_follows_its_schedule_and_its_log_is_whole(keepers: Path, tmp_path: Path) -> None:
    outcome = start(config(tmp_path, **schedule(keepers)))
    cloned = told(outcome.folder, PolicyCloned)
    assert [(one.cycle, one.outcome) for one in cloned] == [(0, "PASS"), (4, "PASS")]
    updates = told(outcome.folder, UpdateFinished)
    assert [one.update for one in updates] == [1, 2, 3, 5, 6, 7, 8, 9]
    assert [one.epochs_run for one in updates] == [3, 3, 3, 1, 1, 1, 1, 1]
    shares = [one.anneal["teacher_share"] for one in updates if one.anneal]
    assert shares[0] == pytest.approx(0.6)
    assert shares[-1] == 0.0
    path = log_path(outcome.folder / "sinks")
    report = check(path)
    assert (report.lines, report.faults) == (10, ())
    lines = read(path)[0]
    modes = ["replay", *["mixed"] * 3, "replay", *["rollout"] * 5]
    assert [line["data_mode"] for line in lines] == modes
    assert [line["epoch"] for line in lines] == list(range(1, 11))
    for line, one in zip((lines[0], lines[4]), cloned, strict=True):
        assert (line["cycle_id"], line["rollout_ticks"], line["anneal_stage"]) == (0, 0, "bc")
        assert (line["anneal_cycle"], line["anneal_bc_accuracy"]) == (one.cycle, one.accuracy)
        assert line["loss_total"] == one.loss > 0.0
        assert line["grad_norm_max"] >= line["grad_norm"] > 0.0
        assert line["updates"] > 0
        assert line["steps"] == one.env_steps_total
    lines = [line for line in lines if line["data_mode"] != "replay"]
    assert [line["cycle_id"] for line in lines] == [2, 3, 4, 6, 7, 8, 9, 10]
    shown = captures.read(keepers)
    returns = [float(one.steps.rewards.sum(dtype=np.float64)) for one in shown]
    for line in lines:
        assert line["baseline_sample_count"] == len(shown)
        assert line["baseline_reward_sum"] == pytest.approx(sum(returns))
        assert line["baseline_reward_sum_mean"] == pytest.approx(np.mean(returns))
        steps = sum(one.facts.timesteps for one in shown)
        assert line["baseline_reward_mean"] == pytest.approx(sum(returns) / steps)
        assert line["baseline_log_prob_mean"] == 0.0


def test_a_run_that_was_stopped_goes_on_as_if_not(keepers: Path, tmp_path: Path) -> None:
    settings = schedule(keepers)
    whole = start(config(tmp_path / "whole", **settings))
    parts = start(config(tmp_path / "parts", **settings), stop=lambda: True)
    assert parts.status == "interrupted"
    while parts.status == "interrupted":
        parts = resume(parts.folder, stop=lambda: True)
    for name, array in policy_of(whole.folder).items():
        np.testing.assert_array_equal(array, policy_of(parts.folder)[name])
    assert told(whole.folder, PromotionJudged) == told(parts.folder, PromotionJudged)
    one, other = (read(log_path(run.folder / "sinks"))[0] for run in (whole, parts))
    for line in (*one, *other):
        line.pop("epoch_duration_sec")
    assert one == other


def test_a_clone_below_the_threshold_is_undone_and_ends_the_run(
    keepers: Path, tmp_path: Path
) -> None:
    settings = {**schedule(keepers), "accuracy_min": 1.0}
    with pytest.raises(AnnealFailedError, match="as it was before cycle 0"):
        start(config(tmp_path, **settings))
    (folder,) = tmp_path.iterdir()
    (cloned,) = told(folder, PolicyCloned)
    assert (cloned.outcome, cloned.rolled_back) == ("FAIL", True)
    asked = config(tmp_path, **settings)
    with training(asked) as ppo:
        before = weights(ppo)
        (event,) = Annealing(asked, ppo, ENTRY).clone_if_due(0)
        assert event.rolled_back
        assert torch.equal(weights(ppo), before)


def logged_before(path: Path, **figures: float) -> Path:
    """The log of an earlier run, with these figures in every line."""
    sink = PpoLogSink(path)
    for at in range(3):
        stats = {"queue_conflict_events": 5.0}
        sink.event(UpdateFinished(at, at, at, world_stats=stats, minibatches=1, **figures))
    # Cloning is no part of what a run is compared with.
    sink.event(
        PolicyCloned(
            cycle=3, policy="shared", dataset="d", accuracy=0.9, accuracy_min=0.9, value_miss=0.0,
            outcome="PASS", rolled_back=False, loss=99.0,
        )
    )  # fmt: skip
    return log_path(path)


def figures_of(ppo, **changes) -> dict[str, dict]:
    usual = {"loss": 1.0, "approx_kl": 0.0, "grad_norm": 1.0, "entropy": 1.0, "minibatches": 4}
    return {ppo.learners[0].name: {**usual, **changes}}


def test_a_policy_that_went_astray_is_as_it_was(tmp_path: Path) -> None:
    asked = config(tmp_path, teacher=BOT, teacher_share=0.5)
    with training(asked) as ppo:
        guide = Annealing(asked, ppo, ENTRY)
        rate = ppo.learners[0].optimizer.state
        for changes, stays in (({"approx_kl": 0.06, "grad_norm": 2.6}, True), ({}, False)):
            before, step = weights(ppo), rate["step"].clone()
            ppo.update(0.0, lambda world: None)
            assert not torch.equal(weights(ppo), before)
            (one,) = guide.finish(figures_of(ppo, **changes), {}).values()
            assert torch.equal(weights(ppo), before) is stays
            assert torch.equal(rate["step"], step) is stays
            assert one["rolled_back"] is stays
            assert one["outcome"] == ("FAIL" if stays else "PASS")
        assert halted({"shared": one}) is None


def test_a_policy_that_follows_its_teacher_no_longer_is_taken_back(
    keepers: Path, tmp_path: Path
) -> None:
    """Its likeness is measured anew after every update in which it is guided."""
    asked = config(tmp_path, **schedule(keepers))
    with training(asked) as ppo:
        guide = Annealing(asked, ppo, ENTRY)
        guide.clone_if_due(0)
        (one,) = guide.finish(ppo.update(0.0, lambda world: None).policies, {}).values()
        assert one["rolled_back"] is False
        first = one["anneal_bc_accuracy"]
        ppo.update(0.0, lambda world: None)
        with torch.no_grad():
            ppo.learners[0].network.flat.mul_(-1.0)
        guide._rehearsals._accuracy_min = first
        (one,) = guide.finish(figures_of(ppo), {}).values()
        assert one["anneal_bc_accuracy"] < first
        assert one["rolled_back"]
        assert guide.state()["accuracy"] == {"shared": first}


def test_a_policy_far_off_ends_the_run_as_it_was(keepers: Path, tmp_path: Path) -> None:
    baseline = logged_before(tmp_path / "log", entropy=9.0, loss=1.0)
    asked = config(tmp_path / "runs", teacher=BOT, baseline=baseline)
    with pytest.raises(AnnealFailedError, match=r"entropy shifted by more than 0\.2"):
        start(asked)
    (folder,) = (tmp_path / "runs").iterdir()
    (update,) = told(folder, UpdateFinished)
    assert update.anneal is not None
    assert (update.anneal["rolled_back"], update.anneal["halts"]) == (True, True)


@pytest.mark.parametrize(
    ("figures", "stats", "outcome"),
    [
        ({}, {}, "PASS"),
        ({"loss": 1.2}, {}, "HOLD"),
        ({}, {"queue_conflict_events": 4.0}, "HOLD"),
        ({}, {"queue_conflict_events": 4.5}, "PASS"),
        # Taken back: the policy learned nothing for which its teacher should give less.
        ({"approx_kl": 0.06, "grad_norm": 2.6}, {}, "FAIL"),
    ],
)
def test_the_mix_is_held_where_a_cycle_is(tmp_path: Path, figures, stats, outcome: str) -> None:
    baseline = logged_before(tmp_path / "log", entropy=1.0, loss=1.0)
    asked = config(tmp_path, teacher=BOT, baseline=baseline)
    usual = {"queue_conflict_events": 5.0}
    with training(asked) as ppo:
        guide = Annealing(asked, ppo, ENTRY)
        guide.begin(0)
        guide.finish(figures_of(ppo), usual)
        guide.begin(1)
        (one,) = guide.finish(figures_of(ppo, **figures), usual | stats).values()
        assert one["outcome"] == outcome
        guide.begin(2)
        (later,) = guide.finish(figures_of(ppo), usual).values()
        held = outcome != "PASS"
        assert (later["teacher_share"] == one["teacher_share"]) is held
        assert guide.state()["frozen"] == int(held)


def test_whether_a_policy_may_be_promoted_is_told_at_the_end(keepers: Path, tmp_path: Path) -> None:
    outcome = start(config(tmp_path, **schedule(keepers)))
    (judged,) = told(outcome.folder, PromotionJudged)
    assert judged.policy == "shared"
    assert not judged.ready
    assert any("BC accuracy" in fault for fault in judged.faults)
    plain = start(config(tmp_path / "plain"))
    assert told(plain.folder, PromotionJudged) == []


def test_a_policy_that_did_well_three_times_is_ready(tmp_path: Path) -> None:
    asked = config(tmp_path, teacher=BOT)
    with training(asked) as ppo:
        guide = Annealing(asked, ppo, ENTRY)
        good = Measured(loss=1.0, bc_accuracy=0.95, grad_norm=1.0)
        for _ in range(3):
            assert all(not one.ready for one in guide.judged())
            guide._rehearsals.begin()
            guide._rehearsals.note(ppo.learners[0], good)
        (judged,) = guide.judged()
        assert (judged.ready, judged.faults) == (True, ())
        again = Annealing(asked, ppo, ENTRY)
        again.load(json.loads(json.dumps(guide.state())))
        assert again.judged() == [judged]


def test_nothing_is_learned_from_what_the_teacher_ordered(keepers: Path, tmp_path: Path) -> None:
    asked = config(tmp_path, teacher=BOT, teacher_share=1.0, teacher_cycles=1)
    with training(asked) as ppo:
        Annealing(asked, ppo, ENTRY)
        before = weights(ppo)
        (figures,) = ppo.update(0.0, lambda world: None).policies.values()
        assert figures["transitions"] == 0
        assert torch.equal(weights(ppo), before)
        # The teacher has no share any more.
        (figures,) = ppo.update(0.0, lambda world: None).policies.values()
        assert figures["transitions"] > 0
        assert not torch.equal(weights(ppo), before)


def test_the_teachers_orders_are_the_ones_the_world_takes(tmp_path: Path) -> None:
    asked = config(tmp_path, teacher=BOT, teacher_share=0.5)
    with training(asked) as ppo:
        guide = Annealing(asked, ppo, ENTRY)
        seen = []
        steer = guide.steer

        def watched(t: int, world) -> None:
            own = world.actions.copy()
            taught = ENTRY.bots[BOT](world.obs, world.mask)
            steer(t, world)
            seen.append((own, taught, world.actions.copy(), world.alive.copy()))

        guide.steer = watched
        ppo.update(0.0, lambda world: None)
        own = ppo.learners[0].rollout.own.numpy().reshape(16, 4, 2)
        for t, (mine, taught, given, _) in enumerate(seen):
            expected = np.where(own[t][..., None], mine, taught)
            np.testing.assert_array_equal(given, expected)
        assert 0.3 < own.mean() < 0.7


def test_a_weight_of_imitation_pulls_towards_the_teacher(keepers: Path, tmp_path: Path) -> None:
    unlikely = {}
    for weight in (0.0, 50.0):
        asked = config(tmp_path, **schedule(keepers, weight))
        with training(asked) as ppo:
            guide = Annealing(asked, ppo, ENTRY)
            ppo.updates = 1
            for _ in range(3):
                ppo.update(0.0, lambda world: None)
            shown = guide._imitations["shared"].learned
            mimic = Mimic(ppo.learners[0].network, None, shown)
            unlikely[weight] = float(mimic._compare(np.arange(len(shown.obs)))[0].detach().mean())
    assert unlikely[50.0] < unlikely[0.0]


@pytest.mark.parametrize(
    ("anneal", "words"),
    [
        ({"schedule": [{"cycle": 0, "mode": "bc", "epochs": 1}]}, "no captures"),
        (
            {"schedule": [{"cycle": 1, "mode": "ppo", "epochs": 1, "bc_weight": 0.1}]},
            "no captures",
        ),
        (
            {
                "schedule": [
                    {"cycle": 2, "mode": "ppo", "epochs": 1},
                    {"cycle": 1, "mode": "ppo", "epochs": 1},
                ]
            },
            "each once, in order",
        ),
        ({"schedule": [{"cycle": 1, "mode": "dqn", "epochs": 1}]}, "mode"),
    ],
)
def test_an_impossible_schedule_is_refused(tmp_path: Path, anneal, words: str) -> None:
    with pytest.raises(ConfigError, match=words):
        config(tmp_path, **anneal)


def test_a_teacher_nobody_knows_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="no bot called"):
        start(config(tmp_path, teacher="nearest_dark_lmp"))


@pytest.mark.parametrize("normalised", [False, True])
def test_a_run_begins_with_the_policy_it_is_given(
    keepers: Path, tmp_path: Path, normalised: bool
) -> None:
    settings = {"ppo": {"normalise_observations": normalised}}
    asked = layered(config(tmp_path).model_dump(), settings)
    clone(keepers, tmp_path / "policy", asked, Study(epochs=1))
    first = start(asked)
    for place in (tmp_path / "policy", first.folder):
        with training(asked) as ppo:
            fresh = weights(ppo)
            begin_from(place, ppo)
            assert not torch.equal(weights(ppo), fresh)
            expected = weights(ppo)
        begun = layered(asked.model_dump(), {"run": {"init_from": place, "total_env_steps": 1}})
        lazy = layered(
            begun.model_dump(), {"ppo": {"learning_rate": 1e-30, "final_learning_rate": 0}}
        )
        after = policy_of(start(lazy).folder)
        with training(asked) as ppo:
            names = [name for name, _ in ppo.learners[0].network.named_parameters()]
        flat = np.concatenate([after[f"shared.{name}"].reshape(-1) for name in names])
        np.testing.assert_array_equal(flat, expected.numpy())


def test_a_policy_of_another_shape_is_refused_with_both(keepers: Path, tmp_path: Path) -> None:
    asked = config(tmp_path)
    clone(keepers, tmp_path / "policy", asked, Study(epochs=1))
    wider = layered(asked.model_dump(), {"policy": {"hidden": [17]}})
    with training(wider) as ppo, pytest.raises(PolicyMismatchError) as caught:
        begin_from(tmp_path / "policy", ppo)
    for arch in ("mlp-13-16-relu-3+2-v1", "mlp-13-17-relu-3+2-v1"):
        assert arch in str(caught.value)
    scaled = layered(asked.model_dump(), {"ppo": {"normalise_observations": True}})
    with (
        training(scaled) as ppo,
        pytest.raises(PolicyMismatchError, match="normalise_observations"),
    ):
        begin_from(tmp_path / "policy", ppo)
