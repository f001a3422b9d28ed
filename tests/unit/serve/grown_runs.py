"""Run folders in which networks grow, told by the table of what can happen."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from astrarium.esper.contracts import anomalies as odd
from astrarium.esper.contracts import host_happenings as told
from astrarium.esper.contracts import seed_happenings as seeds
from astrarium.esper.contracts.happening import Happening
from astrarium.esper.contracts.happenings import encode, placed
from astrarium.esper.contracts.round_happenings import SlotPlace, TrainingStarted
from astrarium.runs import RunFacts, RunWriter, names
from astrarium.runs.seals import START, seal_line, seal_of

WORLD = "esper-digits-impaired-v1"
EPOCHS = 36
HOST_PARAMS = 1_090
PLACES = [("r0c0", 0, 0), ("r0c1", 0, 1), ("r0c2", 0, 2), ("r1c0", 1, 0), ("r1c1", 1, 1)]
ORDER = ["r0c0", "r1c0", "r0c1", "r1c1", "r0c2"]

# Of each seed: slot, blueprint, parameters, worth in points, and the epoch each stage begins at.
LIVES: list[tuple[str, str, int, float, dict[int, str]]] = [
    (
        *("r0c1", "conv_light", 612, 21.0),
        {3: "GERMINATED", 4: "TRAINING", 10: "BLENDING", 16: "HOLDING", 19: "FOSSILIZED"},
    ),
    (
        *("r0c2", "norm", 48, -1.5),
        {10: "GERMINATED", 11: "TRAINING", 16: "BLENDING"}
        | {21: "PRUNED", 22: "EMBARGOED", 26: "RESETTING", 28: "DORMANT"},
    ),
    (
        *("r1c0", "attention", 324, 9.0),
        {27: "GERMINATED", 28: "TRAINING", 32: "BLENDING"},
    ),
]
OPS = {"GERMINATED": "GERMINATE", "BLENDING": "ADVANCE", "FOSSILIZED": "FOSSILIZE"}
FELT = ("BLENDING", "HOLDING", "FOSSILIZED")


def started() -> TrainingStarted:
    """How such a run begins."""
    slots = tuple(
        SlotPlace(
            slot_id=slot,
            row=row,
            col=col,
            order=ORDER.index(slot),
            position=(col + 0.5 + 0.5 * row) / 3,
            surface="POST_POOL" if row else "PRE_POOL",
            channels=8 << col,
        )
        for slot, row, col in PLACES
    )
    return TrainingStarted(
        task="digits_impaired",
        world=WORLD,
        controller="heuristic_probe",
        n_envs=2,
        max_epochs=EPOCHS,
        max_rounds=None,
        seed=7,
        topology="cnn",
        classes=10,
        host_params=HOST_PARAMS,
        slots=slots,
        seed_limit=3,
        gates="permissive",
        reward_mode="shaped",
        budget_epochs=300.0,
        device="cpu",
        lr=None,
        clip_ratio=None,
        entropy_coef=None,
    )


def stage_at(life: dict[int, str], epoch: int) -> tuple[str, int]:
    """A stage and the epoch it began at; nothing before the first."""
    first = max((at for at in life if at < epoch or at == min(life) == epoch), default=0)
    return (life[first], first) if first and first < epoch else ("DORMANT", 0)


def alpha_at(life: dict[int, str], epoch: int) -> float:
    """Five epochs from nothing to all."""
    stage, since = stage_at(life, epoch)
    if stage == "BLENDING":
        return min(1.0, (epoch - since) / 5)
    return 1.0 if stage in ("HOLDING", "FOSSILIZED") else 0.0


def seeds_at(epoch: int, accuracy: float) -> Iterator[told.SeedSeen]:
    """What stands in the slots at the end of an epoch."""
    for number, (slot, blueprint, params, worth, life) in enumerate(LIVES):
        stage, since = stage_at(life, epoch)
        if stage == "DORMANT":
            continue
        alpha = alpha_at(life, epoch)
        felt = stage in FELT
        yield told.SeedSeen(
            slot_id=slot,
            seed_id=f"seed-{number:03d}",
            blueprint=blueprint,
            stage=stage,
            epochs_in_stage=epoch - since,
            age_epochs=epoch - min(life),
            alpha=alpha,
            alpha_target=1.0,
            alpha_mode="UP" if stage == "BLENDING" and alpha < 1 else "HOLD",
            blend="ADD",
            params=params if stage in ("GERMINATED", "TRAINING", *FELT) else 0,
            contribution=worth * alpha if felt else None,
            accuracy_without=accuracy - worth * alpha if felt else None,
            interaction_sum=0.0,
            gradient_norm=0.4 if stage == "TRAINING" else None,
            gradient_health=0.93 if stage == "TRAINING" else None,
            isolation_violations=0,
        )


def epoch_of(epoch: int, env: int) -> list[Happening]:
    """An epoch, and what is remarkable about it."""
    host = 38.0 + 14.0 * (1 - 0.9**epoch) - env
    worth = sum(one[3] * alpha_at(one[4], epoch) for one in LIVES)
    accuracy = host + worth
    kept = host + sum(one[3] for one in LIVES if stage_at(one[4], epoch)[0] == "FOSSILIZED")
    seen = tuple(seeds_at(epoch, accuracy))
    felt = [one for one in seen if one.stage in FELT]
    total = HOST_PARAMS + sum(one.params for one in seen)
    news: list[Happening] = [
        told.EpochCompleted(
            epoch=epoch,
            val_accuracy=accuracy,
            val_loss=2.3 - accuracy / 50,
            train_accuracy=accuracy + 2,
            train_loss=2.1 - accuracy / 50,
            host_accuracy=host,
            committed_accuracy=kept,
            counterfactual_total=worth if felt else None,
            host_params=HOST_PARAMS,
            total_params=total,
            param_ratio=total / HOST_PARAMS,
            spent_epochs=epoch * 1.4,
            budget_epochs=300.0,
            plateau_epochs=epoch % 7,
            stabilised=epoch > 2,
            seeds=seen,
        )
    ]
    if epoch == 8:
        news.append(
            odd.GradientPathologyDetected(
                epoch=epoch, slot_id="r0c1", seed_id="seed-000", norm=41.0, health=0.3
            )
        )
    if felt:
        off = tuple(tuple(one is not other for other in felt) for one in felt)
        news.append(
            told.CounterfactualMatrixComputed(
                epoch=epoch,
                slot_ids=tuple(one.slot_id for one in felt),
                strategy="leave_one_out",
                configs=((True,) * len(felt), *off),
                accuracies=(accuracy, *(one.accuracy_without or 0.0 for one in felt)),
            )
        )
    return news


def changes_after(epoch: int) -> Iterator[Happening]:
    """What became of seeds after an epoch was decided on."""
    for number, (slot, blueprint, params, worth, life) in enumerate(LIVES):
        if epoch not in life:
            continue
        after, (before, since) = life[epoch], stage_at(life, epoch)
        seed: dict[str, Any] = {
            "epoch": epoch,
            "slot_id": slot,
            "seed_id": f"seed-{number:03d}",
            "blueprint": blueprint,
            "action_id": f"morph-e{epoch}-{slot}",
        }
        if after in OPS:
            yield seeds.SeedGateEvaluated(
                **seed,
                gate={"GERMINATED": "G0", "BLENDING": "G2", "FOSSILIZED": "G5"}[after],
                passed=True,
                score=0.9,
                checks_passed=("gradient_health", "min_epochs"),
                checks_failed=(),
                message="",
                severity="info",
            )
        if after == "GERMINATED":
            yield seeds.SeedGerminated(
                **seed,
                initiator="heuristic",
                params=params,
                blend="ADD",
                tempo_epochs=5,
                val_accuracy=50.0,
            )
        yield seeds.SeedStageChanged(
            **seed,
            before=before,
            after=after,
            epochs_in_stage=epoch - since,
            alpha=alpha_at(life, epoch),
            reason="",
        )
        ending = {"params": params, "age_epochs": epoch - min(life), "improvement": worth}
        if after == "FOSSILIZED":
            yield seeds.SeedFossilized(
                **seed,
                **ending,
                initiator="heuristic",
                contribution=worth,
                counterfactual_total=worth,
            )
        if after == "PRUNED":
            yield seeds.SeedPruned(
                **seed, **ending, initiator="heuristic", reason="no use", contribution=worth
            )


def decision_after(epoch: int) -> list[Happening]:
    """What was asked for after an epoch, and what it earned."""
    op, slot, kind, news = "WAIT", "", None, list[Happening]()
    for where, blueprint, _, _, life in LIVES:
        if life.get(epoch) in (*OPS, "PRUNED"):
            op, slot = OPS.get(life[epoch], "PRUNE"), where
            kind = blueprint if op == "GERMINATE" else None
    refused = epoch == 13
    if refused:
        op, slot = "ADVANCE", "r0c2"
        news.append(
            seeds.SeedGateEvaluated(
                epoch=epoch,
                slot_id=slot,
                seed_id="seed-001",
                blueprint="norm",
                action_id="morph-e13-r0c2",
                gate="G2",
                passed=False,
                score=0.2,
                checks_passed=("min_epochs",),
                checks_failed=("gradient_health", "improvement"),
                message="too early",
                severity="critical",
            )
        )
    parts = {"contribution": 0.4 * (epoch % 5), "rent": -0.05 * (epoch // 4)}
    reward = sum(parts.values())
    news.append(
        told.LastAction(
            epoch=epoch,
            action_id=f"morph-e{epoch}-{slot or 'none'}",
            initiator="heuristic",
            op=op,
            slot_id=slot,
            blueprint=kind,
            style="SIGMOID_ADD" if kind else None,
            tempo="STANDARD" if kind else None,
            alpha_target="FULL" if kind else None,
            alpha_speed=None,
            alpha_curve=None,
            success=not refused,
            effective_op="WAIT" if refused else op,
            reason="gate G2 did not open" if refused else "",
            legal_ops=("WAIT", "GERMINATE", "ADVANCE"),
            forced_heads=("style",),
            reward=reward,
            reward_total=reward * epoch,
            components=parts,
        )
    )
    return news


def ending(epoch: int, env: int) -> list[Happening]:
    """How an episode ends."""
    last = epoch_of(epoch, env)[0]
    assert isinstance(last, told.EpochCompleted)
    return [
        told.ShapleyComputed(
            epoch=epoch,
            slot_ids=("r1c0", "r0c1"),
            means=(6.1, 20.4),
            stds=(0.4, 0.7),
            samples=24,
        ),
        told.EpisodeOutcome(
            epoch=epoch,
            outcome_type="finished",
            episode_seed=11,
            final_accuracy=last.val_accuracy,
            committed_accuracy=last.committed_accuracy,
            param_ratio=last.param_ratio,
            num_fossilized=1,
            num_contributing_fossilized=1,
            episode_reward=12.5,
            stability_score=0.97,
            reward_mode="shaped",
            spent_epochs=last.spent_epochs,
            germinated=3,
            pruned=1,
            succeeded=last.val_accuracy > told.SUCCESS_ACCURACY,
        ),
    ]


def lines_of(news: list[Happening], env: int, episode: int) -> bytes:
    """Happenings as a run writes them."""
    return b"".join(
        msgspec.json.encode(
            encode(placed(one, round=episode, env=env, episode=episode))
            | {"at": "2031-01-01T00:00:00Z"}
        )
        + b"\n"
        for one in news
    )


def epoch_lines(epoch: int, env: int = 0, episode: int = 0) -> bytes:
    """Everything about one epoch of one host, its episode's end included where it is the last."""
    last = ending(epoch, env) if epoch == EPOCHS else []
    news = [*epoch_of(epoch, env), *changes_after(epoch), *decision_after(epoch), *last]
    return lines_of(news, env, episode)


def episode_lines(episode: int, hosts: int = 2, epochs: int = EPOCHS) -> bytes:
    """An episode of every host, side by side."""
    return b"".join(
        epoch_lines(epoch, env, episode) for epoch in range(1, epochs + 1) for env in range(hosts)
    )


def new_grown_run(root: Path, run_id: str = "grown", content: bytes = b"") -> RunWriter:
    """A run that has begun to grow, and its first events."""
    config = {"world": {"id": WORLD, "settings": {}}, "run": {"seed": 7}}
    facts = RunFacts("esper", EPOCHS, EPOCHS, WORLD, {"cpu": "abacus"}, "0123abc", ("accuracy",))
    writer = RunWriter.create(root, config, facts, run_id)
    tell(root / run_id, lines_of([started()], 0, 0) + content)
    return writer


def tell(folder: Path, content: bytes) -> None:
    """Write more events."""
    place = folder / names.WORLD_EVENTS
    last = place.read_bytes().splitlines(keepends=True)[-1:] if place.exists() else []
    with place.open("ab") as file:
        file.write(sealed(content, str(seal_of(last[0])) if last else START))


def sealed(content: bytes, before: str = START) -> bytes:
    """Objects, one a line, as the lines of a journal after one with this seal."""
    whole = b""
    for body in content.splitlines():
        line, before = seal_line(body, before)
        whole += line
    return whole
