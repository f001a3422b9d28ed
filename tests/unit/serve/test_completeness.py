"""What a run has and lacks."""

from pathlib import Path
from typing import Any

import pytest
from served_runs import write_run

from astrarium.runs import RunFolder, documents, names
from astrarium.runs.journal import Journal
from astrarium.serve.catalogue import Catalogue
from astrarium.serve.completeness import Question, report
from astrarium.serve.settings import Settings
from astrarium.serve.wandb_proxy import HISTORY_KEYS, WandbProxy

QUESTION = Question(21_600, None, None, None, 100)


def told(root: Path, question: Question = QUESTION, wandb: WandbProxy | None = None) -> dict:
    return report(Catalogue(root, 1).find("run"), question, wandb or WandbProxy(Settings()))


def edited(place: Path, **fields: Any) -> None:
    """Change a document of a run as its writer would, seal included."""
    documents.write(place, documents.read(place, dict[str, Any]) | fields)


def rewritten(run: Path, windows: list[dict[str, Any]]) -> None:
    """Write the windows of a run again, as its writer would."""
    (run / names.WINDOWS).unlink()
    log = Journal(run / names.WINDOWS)
    for row in windows:
        log.append(row)
    journals = documents.read(run / names.METADATA, dict[str, Any])["journals"]
    edited(run / names.METADATA, journals=journals | {names.WINDOWS: log.end})
    log.close()


def by_key(answer: dict) -> dict[str, dict]:
    return {one["key"]: one for one in answer["coverage"]}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    write_run(tmp_path, "run", windows=2, frames=3)
    return tmp_path


def config_with(root: Path, **sinks: str) -> None:
    place = root / "run" / names.CONFIG
    edited(place, sinks=sinks)
    config = documents.read(place, dict[str, Any])
    edited(root / "run" / names.METADATA, config_hash=documents.hash_of(config))


def test_a_whole_run_without_wandb_lacks_nothing(root: Path) -> None:
    for sinks in ({}, {"wandb": "disabled"}):
        config_with(root, **sinks)
        answer = told(root)
        assert list(by_key(answer)) == ["run_metadata", "window_metrics", "replay_timeline"]
        assert answer["overall_status"] == "ok"


def test_each_world_is_asked_for_its_own_fields(root: Path) -> None:
    metadata = root / "run" / names.METADATA
    required: dict[str, list[str]] = {}
    for world in ("prospector-v2", "tidebreak-v1", "townlet-v1", "gone-v9"):
        edited(metadata, world=world)
        required[world] = by_key(told(root))["window_metrics"]["required_fields"]
    assert {"profit_mean", "mining_ticks_mean"} <= set(required["prospector-v2"])
    assert "won" in required["tidebreak-v1"]
    assert "well" in required["townlet-v1"]
    for world in ("tidebreak-v1", "townlet-v1", "gone-v9"):
        assert not {"profit_mean", "mining_ticks_mean"} & set(required[world])


def test_a_whole_run_lacks_only_what_is_at_wandb(root: Path) -> None:
    config_with(root, wandb="online")
    answer = told(root)
    sources = by_key(answer)
    assert [sources[key]["status"] for key in sources] == ["ok", "ok", "ok", "missing", "missing"]
    assert answer["overall_status"] == "missing"
    assert answer["status_counts"] == {"error": 0, "missing": 2, "stale": 0, "ok": 3}
    assert sources["window_metrics"]["observed_count"] == 2
    assert sources["wandb_summary"]["notes"] == ["the run has no W&B run id"]
    assert answer["wandb_scope"]["scope_error"] == "the run has no W&B run id"
    assert answer["run_context"]["run_config_path"] == "config.json"


def test_a_null_profit_is_a_value_but_a_missing_one_is_not(root: Path) -> None:
    windows = RunFolder.find(root, "run").windows()
    for row in windows:
        del row["profit_mean"]
    rewritten(root / "run", windows)
    source = by_key(told(root))["window_metrics"]
    assert (source["status"], source["missing_fields"]) == ("missing", ["profit_mean"])


def test_what_is_old_is_stale_and_what_is_damaged_an_error(root: Path) -> None:
    edited(root / "run" / names.METADATA, updated_at="1999-01-01T00:00:00Z")
    (root / "run" / names.WINDOWS).write_text("{}\n")
    answer = told(root)
    assert by_key(answer)["run_metadata"]["status"] == "stale"
    broken = by_key(answer)["window_metrics"]
    assert broken["status"] == "error"
    assert str(root) not in str(broken)
    assert answer["overall_status"] == "error"


def test_an_index_that_was_copied_is_as_old_as_it_says(root: Path) -> None:
    edited(root / "run" / names.REPLAY_INDEX, updated_at="1999-01-01T00:00:00Z")
    source = by_key(told(root))["replay_timeline"]
    assert source["status"] == "stale"
    assert source["lineage"]["updated_at"] == "1999-01-01T00:00:00Z"


def test_wandb_sources_are_filled_where_they_can_be_asked(root: Path) -> None:
    class Proxy(WandbProxy):
        def summary(self, entity, project, run_id):
            assert (entity, project, run_id) == ("me", "belt", "abc")
            return {
                "summary": dict.fromkeys(HISTORY_KEYS, 1.0),
                "updated_at": "2999-01-01T00:00:00Z",
            }

        def history(self, entity, project, run_id, keys, points):
            return [dict.fromkeys(HISTORY_KEYS, 1.0)]

    question = Question(60, "abc", "me", "belt", 100)
    answer = told(root, question, Proxy(Settings()))
    assert by_key(answer)["wandb_summary"]["status"] == "ok"
    assert by_key(answer)["wandb_history"]["status"] == "ok"
    assert answer["wandb_scope"] == {
        "entity": "me",
        "project": "belt",
        "run_id": "abc",
        "scope_error": None,
    }
    keyless = told(root, question)
    assert by_key(keyless)["wandb_summary"]["status"] == "missing"
    assert "WANDB_API_KEY" in by_key(keyless)["wandb_summary"]["notes"][0]
