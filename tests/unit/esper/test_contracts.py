"""The types between Esper's rooms: complete, frozen, and true to their tables."""

from __future__ import annotations

import ast
import dataclasses
import importlib
import inspect
import pkgutil
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from astrarium.esper import contracts
from astrarium.esper.contracts import heads, stages
from astrarium.esper.contracts.errors import IllegalTransitionError
from astrarium.esper.contracts.heads import HEADS, Op, head_sizes, relevant
from astrarium.esper.contracts.rewards import TERMS, RewardComponents
from astrarium.esper.contracts.stages import Stage, check_transition


def modules() -> list[ModuleType]:
    names = [one.name for one in pkgutil.iter_modules(contracts.__path__)]
    return [importlib.import_module(f"{contracts.__name__}.{name}") for name in names]


def contract_types() -> list[type[Any]]:
    found = {
        value
        for module in modules()
        for value in vars(module).values()
        if inspect.isclass(value)
        and dataclasses.is_dataclass(value)
        and value.__module__.startswith(contracts.__name__)
    }
    return sorted(found, key=lambda one: one.__name__)


@pytest.mark.parametrize("contract", contract_types(), ids=lambda one: one.__name__)
def test_contracts_are_frozen_and_slotted(contract: type[Any]) -> None:
    assert contract.__dataclass_params__.frozen
    assert "__slots__" in vars(contract)
    assert not any("Any" in str(field.type) for field in dataclasses.fields(contract))


def test_contracts_import_nothing_but_each_other() -> None:
    for module in modules():
        tree = ast.parse(Path(str(module.__file__)).read_text("utf-8"))
        sources = [node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
        ours = [name for name in sources if name.startswith("astrarium")]
        allowed = (contracts.__name__, "astrarium.errors")
        assert all(name.startswith(allowed) for name in ours), (module.__name__, ours)


def test_every_transition_of_the_table_and_no_other_is_legal() -> None:
    legal = {
        ("UNKNOWN", "DORMANT"),
        ("DORMANT", "GERMINATED"),
        ("GERMINATED", "TRAINING"),
        ("GERMINATED", "PRUNED"),
        ("TRAINING", "BLENDING"),
        ("TRAINING", "PRUNED"),
        ("BLENDING", "HOLDING"),
        ("BLENDING", "PRUNED"),
        ("HOLDING", "FOSSILIZED"),
        ("HOLDING", "BLENDING"),
        ("HOLDING", "PRUNED"),
        ("PRUNED", "EMBARGOED"),
        ("EMBARGOED", "RESETTING"),
        ("RESETTING", "DORMANT"),
    }
    for before in Stage:
        for after in Stage:
            if (before.name, after.name) in legal:
                check_transition(before, after)
            else:
                with pytest.raises(IllegalTransitionError, match=f"cannot become {after.name}"):
                    check_transition(before, after)


def test_the_reserved_number_is_no_stage() -> None:
    assert [stage.value for stage in stages.STAGES] == [0, 1, 2, 3, 4, 6, 7, 8, 9, 10]


def test_the_head_table_is_the_published_one() -> None:
    assert heads.HEAD_NAMES == (
        "slot",
        "blueprint",
        "style",
        "tempo",
        "alpha_target",
        "alpha_speed",
        "alpha_curve",
        "op",
    )
    assert head_sizes(3) == (3, 13, 4, 3, 3, 4, 5, 6)
    rows = {
        Op.WAIT: "op",
        Op.GERMINATE: "slot blueprint style tempo alpha_target op",
        Op.SET_ALPHA_TARGET: "slot style alpha_target alpha_speed alpha_curve op",
        Op.PRUNE: "slot alpha_speed alpha_curve op",
        Op.FOSSILIZE: "slot op",
        Op.ADVANCE: "slot op",
    }
    for op, names in rows.items():
        chosen = [head.name for head, matters in zip(HEADS, relevant(op), strict=True) if matters]
        assert chosen == names.split(), op


@given(st.lists(st.floats(-10, 10), min_size=len(TERMS), max_size=len(TERMS)))
def test_a_reward_is_the_sum_of_its_terms_in_order(values: list[float]) -> None:
    parts = RewardComponents(**dict(zip(TERMS, values, strict=True)))
    total = 0.0
    for value in values:
        total += value
    assert parts.total() == total


def test_deciding_and_rewarding_need_no_torch() -> None:
    """They run once per host and epoch, beside the network: loading one must stay optional."""
    parts = "aggregation_metrics attribution conservative controllers deadlines emergency governor"
    parts += " observation rewards.dispatcher rewards.infos rewards.hindsight breaker"
    lines = [f"import astrarium.esper.{part}" for part in parts.split()]
    code = "; ".join(["import sys", *lines, "sys.exit('torch' in sys.modules)"])
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
