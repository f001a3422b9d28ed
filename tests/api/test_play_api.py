"""Play sessions over HTTP."""

from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from served_runs import write_run

from astrarium.train.config import layered
from astrarium.train.training import start

PLAY = "/api/v1/play/session"


def new(client: TestClient, **body) -> dict:
    answer = client.post(PLAY, json={"seed": 5, **body})
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_a_session_from_beginning_to_end(root: Path, client: TestClient) -> None:
    session = new(client)
    address = f"{PLAY}/{session['session_id']}"
    assert client.get(address).json() == session
    stepped = client.post(f"{address}/step", json={"action": 8}).json()
    assert (stepped["steps"], stepped["ticks"], stepped["can_undo"]) == (1, 3, True)
    assert stepped["frame"]["action"] == 8
    assert stepped["frame"]["frame_index"] == 0
    assert client.post(f"{address}/undo").json()["steps"] == 0
    assert client.post(f"{address}/undo").status_code == 409
    client.post(f"{address}/step", json={"action": 8})
    over = client.post(f"{address}/step", json={"action": 68}).json()
    assert over["over"] is True
    assert over["terminated"] is True
    assert client.post(f"{address}/step", json={"action": 6}).status_code == 409
    saved = client.post(f"{address}/save").json()
    client.app.state.observatory.catalogue.sweep()
    runs = client.get("/api/v1/runs").json()["runs"]
    assert [(run["run_id"], run["trainer_backend"]) for run in runs] == [(saved["run_id"], "human")]
    frames = client.get(f"/api/v1/runs/{saved['run_id']}/replays/{saved['replay_id']}/frames")
    assert [frame["action"] for frame in frames.json()["frames"]] == [8, 68]
    assert frames.json()["frames"][-1]["digest"] == over["frame"]["digest"]
    again = client.post(f"{address}/reset", json={"seed": 9}).json()
    assert (again["seed"], again["steps"], again["frame"]) == (9, 0, None)
    assert client.post(f"{address}/reset").json()["seed"] == 10
    gone = client.delete(address).json()
    assert (gone["session_id"], gone["deleted"]) == (session["session_id"], True)
    for answer in (client.get(address), client.delete(address), client.post(f"{address}/undo")):
        assert answer.status_code == 404


def test_an_unsaved_episode_that_ended_is_kept_by_itself(root: Path, client: TestClient) -> None:
    address = f"{PLAY}/{new(client)['session_id']}"
    client.post(f"{address}/step", json={"action": 6})
    client.post(f"{address}/step", json={"action": 68})
    runs = [path.name for path in root.iterdir()]
    assert len(runs) == 1
    # Asking for it then gives that same run.
    assert client.post(f"{address}/save").json()["run_id"] == runs[0]


def test_saving_has_a_limit(root: Path, asking) -> None:
    client = asking(human_runs_max=0)
    address = f"{PLAY}/{new(client)['session_id']}"
    client.post(f"{address}/step", json={"action": 6})
    client.post(f"{address}/step", json={"action": 68})
    assert client.post(f"{address}/save").status_code == 409
    assert not root.exists() or not list(root.iterdir())


@pytest.mark.parametrize(
    "body",
    [
        {"seed": -1},
        {"seed": 2**53},
        {"seed": 1.5},
        {"seed": True},
        {"seed": "7"},
        {"world": "nowhere"},
        {"settings": {"time_max": 0}},
        {"settings": {"odd": 1}},
        {"odd": 1},
        [],
    ],
)
def test_bad_bodies_are_422_in_words(client: TestClient, body) -> None:
    answer = client.post(PLAY, json=body)
    assert answer.status_code == 422
    assert isinstance(answer.json()["detail"], str)


@pytest.mark.parametrize("action", [69, -1, "8", None, [[1, 2]], 1.5, [[[1]]], True, 2**70])
def test_bad_actions_are_422(client: TestClient, action) -> None:
    address = f"{PLAY}/{new(client)['session_id']}"
    answer = client.post(f"{address}/step", json={"action": action})
    assert answer.status_code == 422
    assert client.get(address).json()["steps"] == 0


def test_a_session_without_a_body_is_the_default_world(client: TestClient) -> None:
    told = client.post(PLAY).json()
    assert told["world"] == "prospector-v2"
    assert 0 <= told["seed"] < 2**31


def test_one_client_has_so_many_sessions(asking) -> None:
    client = asking(sessions_per_client=2)
    new(client)
    new(client)
    assert client.post(PLAY).status_code == 429


def test_the_outcome_stands_beside_every_bot(root: Path, client: TestClient) -> None:
    # A run whose policy cannot be loaded is passed over, not a failure.
    write_run(root, windows=1, frames=3)
    session = new(client, settings={"time_max": 30})
    address = f"{PLAY}/{session['session_id']}"
    client.post(f"{address}/step", json={"action": 8})
    told = client.get(f"{address}/outcome").json()
    assert (told["you"]["steps"], told["you"]["ticks"]) == (1, 3)
    players = {one["name"]: one for one in told["players"]}
    assert {"hauler", "random_legal", "planner"} <= set(players)
    assert players["planner"]["kind"] == "oracle"
    assert players["hauler"]["kind"] == "bot"
    assert players["hauler"]["outcome"]["ticks"] <= 38
    assert "net_profit" in players["hauler"]["outcome"]["stats"]
    assert client.get(f"{address}/outcome").json() == told


def test_the_outcome_stands_beside_the_best_trained_policy(root: Path, client: TestClient) -> None:
    settings = {"time_max": 60}
    for seed in (0, 1):
        start(layered(tiny_training(root, seed, settings)))
    client.app.state.observatory.catalogue.sweep()
    runs = client.get("/api/v1/runs").json()["runs"]
    best = max(runs, key=lambda run: run["best_replay"]["return_total"])
    # The episode of a recorded replay: the policy must come to what it came to then.
    replay = f"/api/v1/runs/{best['run_id']}/replays/{best['best_replay']['replay_id']}"
    seed = client.get(f"{replay}/timeline").json()["header"]["seed"]
    session = new(client, seed=seed, settings=settings)
    address = f"{PLAY}/{session['session_id']}"
    client.post(f"{address}/step", json={"action": 8})
    told = client.get(f"{address}/outcome").json()
    (policy,) = [one for one in told["players"] if one["kind"] == "policy"]
    assert best["run_id"] in policy["name"]
    assert policy["outcome"]["steps"] > 0
    assert policy["outcome"]["return_total"] == pytest.approx(best["best_replay"]["return_total"])
    assert policy["outcome"]["steps"] == best["best_replay"]["steps"]
    assert set(policy["outcome"]["stats"]) == set(told["you"]["stats"])


def tiny_training(root: Path, seed: int, settings: dict) -> dict:
    """A run of one window with a replay, over in seconds."""
    return {
        "world": {"id": "prospector-v2", "settings": settings, "worlds": 4},
        "ppo": {"rollout_steps": 16, "minibatches": 2, "epochs": 1},
        "run": {
            "root": str(root),
            "id": f"trained-{seed}",
            "seed": seed,
            "total_env_steps": 300,
            "window_env_steps": 300,
            "eval_episodes": 2,
            "threads": 1,
            "device": "cpu",
        },
    }


def test_players_that_take_too_long_are_left_out(asking) -> None:
    client = asking(outcome_seconds_max=1e-9)
    address = f"{PLAY}/{new(client)['session_id']}"
    told = client.get(f"{address}/outcome").json()
    assert told["players"] == []
