"""A config says which sinks there are."""

from __future__ import annotations

from typing import Any

from astrarium.telemetry import chosen_sinks


def test_a_config_chooses_its_sinks(run: Any) -> None:
    log: Any = {"ppo_log_version": "1.1", "ppo_log_entries_max": 10, "wandb_project": "belt"}
    none = chosen_sinks(
        run.folder, tensorboard=False, wandb="disabled", parquet=False, ppo_log=False, **log
    )
    every = chosen_sinks(
        run.folder, tensorboard=True, wandb="offline", parquet=True, ppo_log=True, **log
    )
    assert none == []
    assert [sink.name for sink in every] == ["tensorboard", "wandb", "parquet", "ppo_log"]
    for sink in every:
        sink.close()
