"""The table of tasks: complete, true to the figures it was specified by, and strict."""

from __future__ import annotations

import dataclasses
import sys
from typing import Any

import numpy as np
import pytest

from astrarium.errors import ConfigError, MissingPackageError
from astrarium.esper import tasks
from astrarium.esper.contracts.errors import DatasetError
from astrarium.esper.shapes import CnnShape, TransformerShape
from astrarium.esper.tasks import digits, sources
from astrarium.esper.tasks.dataset import Dataset, Part, check
from astrarium.esper.tasks.spec import USER_DATA, Training

# As specified: parameters of the host, and its slots.
SPECIFIED = {
    "digits_impaired": (1_090, 5),
    "digits_baseline": (1_702, 5),
    "textures_impaired": (364, 5),
    "copy_lm": (14_880, 3),
    "cifar_baseline": (6_418, 6),
    "cifar_scale": (99_922, 10),
    "cifar_impaired": (77, 6),
    "cifar_minimal": (164, 3),
    "cifar_multichannel": (6_418, 6),
    "cifar_postpool": (24_346, 3),
    "cifar_highres": (24_346, 3),
    "cifar_deep_multichannel": (99_922, 10),
    "cifar_deep_impaired": (1_140, 10),
    "tinystories": (30_044_544, 3),
    "noise": (6_418, 6),
}


def test_every_specified_task_is_in_the_table() -> None:
    assert set(tasks.task_names()) == set(SPECIFIED)


@pytest.mark.parametrize("name", SPECIFIED)
def test_hosts_have_the_specified_size_and_slots(name: str) -> None:
    host = tasks.task(name).host
    assert (host.parameters, len(host.slot_ids)) == SPECIFIED[name]


def test_slots_are_named_row_by_row() -> None:
    assert tasks.task("digits_impaired").host.slot_ids == ("r0c0", "r0c1", "r0c2", "r1c0", "r1c1")
    assert tasks.task("cifar_postpool").host.slot_ids == ("r1c0", "r1c1", "r1c2")


def test_language_diverges_later_than_images() -> None:
    limits = {spec.topology: spec.loss_limit for spec in map(tasks.task, tasks.task_names())}
    assert limits == {"cnn": 12.0, "transformer": 15.0}


def test_small_images_are_trained_as_specified() -> None:
    for name in ("digits_impaired", "digits_baseline", "textures_impaired"):
        assert tasks.task(name).training == Training(0.05, 64, 0.9, 5e-4, 1.0, augment=False)
    assert tasks.task("cifar_scale").training == Training(0.01, 128, 0.9, 5e-4, 1.0, augment=True)


def test_an_unknown_task_is_refused_with_the_nearest_name() -> None:
    with pytest.raises(ConfigError, match="did you mean 'digits_impaired'"):
        tasks.task("digit_impaired")


def test_noise_is_refused_where_results_count() -> None:
    assert [n for n in tasks.task_names() if tasks.task(n).timing_only] == ["noise"]
    assert tasks.experiment_task("copy_lm") is tasks.task("copy_lm")
    with pytest.raises(ConfigError, match="noise for timing"):
        tasks.experiment_task("noise")


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"kernel": 2}, "kernel is 2"),
        ({"pools": 4}, "pools is 4"),
        ({"rows": (1, 0)}, "rows is"),
        ({"rows": (2,)}, "rows is"),
        ({"pools": 0}, "rows is"),
        ({"base": 0}, "base is 0"),
    ],
)
def test_impossible_cnn_hosts_are_refused(change: dict[str, Any], said: str) -> None:
    with pytest.raises(ConfigError, match=said):
        dataclasses.replace(CnnShape(8, 3, 3, 3), **change)


@pytest.mark.parametrize(
    ("change", "said"),
    [({"segments": 2}, "segments is 2"), ({"heads": 5}, "heads is 5"), ({"dropout": 1.0}, "drop")],
)
def test_impossible_transformers_are_refused(change: dict[str, Any], said: str) -> None:
    with pytest.raises(ConfigError, match=said):
        dataclasses.replace(TransformerShape(32, 4, 3, 32, 16, 3), **change)


@pytest.mark.parametrize("field", ["plateau_points", "budget_epochs", "input_shape"])
def test_impossible_tasks_are_refused(field: str) -> None:
    value = (3,) if field == "input_shape" else 0
    with pytest.raises(ConfigError, match=field):
        dataclasses.replace(tasks.task("digits_impaired"), **{field: value})


@pytest.mark.parametrize("name", [n for n in SPECIFIED if tasks.task(n).data in USER_DATA])
def test_missing_data_is_an_error_that_says_what_to_give(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    variable = sources.VARIABLES[tasks.task(name).data]
    monkeypatch.delenv(variable, raising=False)
    with pytest.raises(DatasetError, match=f"{name}.*{variable}"):
        tasks.load(name)
    monkeypatch.setenv(variable, "nowhere")
    with pytest.raises(DatasetError, match=f"nowhere does not exist.*{variable}"):
        tasks.load(name)


def test_a_place_for_data_that_needs_none_is_refused() -> None:
    with pytest.raises(ConfigError, match="brings its own"):
        tasks.load("digits_impaired", "somewhere")


def test_a_missing_library_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sklearn.datasets", None)
    with pytest.raises(MissingPackageError, match=r"astrarium\[esper\]"):
        digits.load()


def part_of(count: int, label: int = 0, side: int = 8) -> Part:
    return Part(np.zeros((count, 1, side, side), np.float32), np.full(count, label, np.int64))


def test_data_that_does_not_fit_its_task_is_refused() -> None:
    spec = tasks.task("digits_impaired")
    whole = Dataset(part_of(1079), part_of(359), part_of(359))
    assert check(whole, spec) is whole
    for wrong, said in (
        (dataclasses.replace(whole, train=part_of(1078)), "train part has 1078"),
        (dataclasses.replace(whole, test=part_of(359, side=9)), "test part is"),
        (dataclasses.replace(whole, validation=part_of(359, label=10)), "0 to 10|10 to 10"),
        (dataclasses.replace(whole, validation=part_of(359, label=-1)), "from -1"),
    ):
        with pytest.raises(DatasetError, match=said):
            check(wrong, spec)


def test_parts_need_as_many_labels_as_samples_and_cannot_be_written_to() -> None:
    with pytest.raises(DatasetError, match="3 samples have 2 labels"):
        Part(np.zeros((3, 4)), np.zeros(2, np.int64))
    with pytest.raises(ValueError, match="read-only"):
        part_of(2).inputs[0] = 1
