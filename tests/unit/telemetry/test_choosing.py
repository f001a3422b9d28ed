"""A config says which sinks there are."""

from __future__ import annotations

from typing import Any

from astrarium.telemetry import chosen_sinks


def test_a_config_chooses_its_sinks(run: Any) -> None:
    none = chosen_sinks(
        run.folder, tensorboard=False, wandb="disabled", wandb_project="belt", parquet=False
    )
    every = chosen_sinks(
        run.folder, tensorboard=True, wandb="offline", wandb_project="belt", parquet=True
    )
    assert none == []
    assert [sink.name for sink in every] == ["tensorboard", "wandb", "parquet"]
    for sink in every:
        sink.close()
