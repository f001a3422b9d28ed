"""Who may ask for what: the table of routes and callers, and the limits."""

from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from pydantic import SecretStr
from served_runs import write_run
from starlette.websockets import WebSocketDisconnect

from astrarium.serve import security

TOKEN = "correct horse battery staple"
OTHER = "https://lab.example"
HOME = "http://localhost:8000"
HERE = {"host": "localhost:8000"}
"""The test client opens sockets under a name of its own."""
REPLAY = "replay-000000-00000000"
SESSION = "A" * 22

ROUTES = [
    ("GET", "/api/v1/runs", True),
    ("GET", "/api/v1/runs/run", True),
    ("GET", "/api/v1/runs/run/config", True),
    ("GET", "/api/v1/runs/run/metrics/windows", True),
    ("GET", "/api/v1/runs/run/analytics/completeness", True),
    ("GET", "/api/v1/runs/run/growth", True),
    ("GET", "/api/v1/runs/run/growth/0/0", True),
    ("GET", "/api/v1/runs/run/replays", True),
    ("GET", f"/api/v1/runs/run/replays/{REPLAY}", True),
    ("GET", f"/api/v1/runs/run/replays/{REPLAY}/frames", True),
    ("GET", f"/api/v1/runs/run/replays/{REPLAY}/timeline", True),
    ("GET", "/api/v1/worlds", True),
    ("GET", "/api/v1/wars", True),
    ("GET", "/api/v1/wars/war", True),
    ("GET", "/api/v1/wars/war/days", True),
    ("GET", "/api/v1/wars/war/battles/none", True),
    ("GET", "/api/v1/reports", True),
    ("GET", "/api/v1/reports/none", True),
    ("GET", "/api/v1/wandb/status", True),
    ("GET", "/api/v1/wandb/runs/latest", True),
    ("GET", "/api/v1/wandb/runs/a/summary", True),
    ("GET", "/api/v1/wandb/runs/a/history", True),
    ("GET", "/api/v1/wandb/runs/a/iteration-view", True),
    ("POST", "/api/v1/play/session", True),
    ("GET", f"/api/v1/play/session/{SESSION}", True),
    ("POST", f"/api/v1/play/session/{SESSION}/reset", True),
    ("POST", f"/api/v1/play/session/{SESSION}/step", True),
    ("POST", f"/api/v1/play/session/{SESSION}/undo", True),
    ("POST", f"/api/v1/play/session/{SESSION}/save", True),
    ("GET", f"/api/v1/play/session/{SESSION}/outcome", True),
    ("DELETE", f"/api/v1/play/session/{SESSION}", True),
    ("GET", "/api/v1/openapi.json", True),
    ("GET", "/api/v1/nothing", True),
    ("GET", "/metrics", True),
    ("GET", "/healthz", False),
    ("GET", "/readyz", False),
    ("GET", "/", False),
]
"""Every route, and whether it needs the token where there is one."""


def test_the_table_has_every_route(client: TestClient) -> None:
    told = client.get("/api/v1/openapi.json").json()["paths"]
    filled = {
        (method.upper(), path)
        for path, methods in told.items()
        for method in methods
        if path != "/api/v1/live"
    }
    words = {"{run_id}": "run", "{replay_id}": REPLAY, "{session_id}": SESSION, "{name}": "none"}
    words |= {"{wandb_id}": "a", "{env}": "0", "{episode}": "0"}
    words |= {"{war_id}": "war", "{battle_id}": "none"}
    for blank, word in words.items():
        filled = {(method, path.replace(blank, word)) for method, path in filled}
    assert filled <= {(method, path) for method, path, _ in ROUTES}


@pytest.mark.parametrize(("method", "path", "guarded"), ROUTES)
def test_a_token_opens_what_nothing_else_does(
    asking, method: str, path: str, guarded: bool
) -> None:
    client = asking(token=SecretStr(TOKEN))
    wrong = (
        "",
        "Bearer",
        "Bearer wrong",
        f"Basic {TOKEN}",
        f"Bearer {TOKEN}x",
        f"Bearer {TOKEN[:-1]}",
    )
    callers = [{}] + [{"authorization": one} for one in wrong]
    for headers in callers:
        answer = client.request(method, path, headers=headers)
        assert (answer.status_code == 401) == guarded, headers
        if guarded:
            assert answer.headers["www-authenticate"] == "Bearer"
            assert TOKEN not in answer.text
    right = client.request(method, path, headers={"authorization": f"bearer {TOKEN}"})
    assert right.status_code not in (401, 403)
    query = client.request(method, f"{path}?access_token={TOKEN}")
    assert (query.status_code == 401) == guarded


def test_tokens_are_compared_in_constant_time(asking, monkeypatch: pytest.MonkeyPatch) -> None:
    """No time tells how much of a guess was right: every guess goes through that comparison."""
    compared: list[tuple[bytes, bytes]] = []

    def compare(given: bytes, wanted: bytes) -> bool:
        compared.append((given, wanted))
        return False

    monkeypatch.setattr(security.hmac, "compare_digest", compare)
    client = asking(token=SecretStr(TOKEN))
    answer = client.get("/api/v1/runs", headers={"authorization": f"Bearer {TOKEN}"})
    assert answer.status_code == 401
    assert compared == [(TOKEN.encode(), TOKEN.encode())]


@pytest.mark.parametrize(("method", "path", "_guarded"), ROUTES)
def test_pages_of_other_origins_read_nothing_and_change_nothing(
    client: TestClient, method: str, path: str, _guarded: bool
) -> None:
    answer = client.request(method, path, headers={"origin": OTHER})
    assert "access-control-allow-origin" not in answer.headers
    assert (answer.status_code == 403) == (method != "GET")
    same = client.request(method, path, headers={"origin": "http://localhost:8000"})
    assert same.status_code != 403


@pytest.mark.parametrize(("method", "path", "_guarded"), ROUTES)
def test_an_origin_that_was_named_may_ask(asking, method: str, path: str, _guarded: bool) -> None:
    client = asking(cors_origins=(OTHER,), cors_pattern=r"https://.*\.lab\.example")
    for origin, allowed in (
        (OTHER, True),
        ("https://a.lab.example", True),
        ("https://a.lab.example.evil.example", False),
        ("null", False),
    ):
        answer = client.request(method, path, headers={"origin": origin})
        assert (answer.headers.get("access-control-allow-origin") == origin) == allowed, origin
        assert "access-control-allow-credentials" not in answer.headers
        assert (answer.status_code == 403) == (not allowed and method != "GET")
        preflight = client.options(
            path,
            headers={
                "origin": origin,
                "access-control-request-method": method,
                "access-control-request-headers": "authorization,content-type",
            },
        )
        assert (preflight.status_code == 200) == allowed


@pytest.mark.parametrize(("method", "path", "_guarded"), ROUTES)
def test_every_answer_tells_browsers_to_be_strict(
    client: TestClient, method: str, path: str, _guarded: bool
) -> None:
    headers = client.request(method, path).headers
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["x-frame-options"] == "DENY"
    assert headers["referrer-policy"] == "no-referrer"
    policy = headers["content-security-policy"]
    assert "frame-ancestors 'none'" in policy
    assert "unsafe" not in policy
    assert ("default-src 'none'; frame-ancestors" in policy) == (path != "/")
    assert "server" not in headers


def test_a_page_under_a_foreign_name_is_turned_away(client: TestClient, asking) -> None:
    """A name that is made to point at this machine must not open it to that name's pages."""
    for name in ("evil.example", "evil.example:8000", "localhost.evil.example", ""):
        answer = client.get("/api/v1/runs", headers={"host": name})
        assert answer.status_code == 421, name
    for name in ("localhost", "127.0.0.1:9", "[::1]:8000", "LOCALHOST:1"):
        assert client.get("/api/v1/runs", headers={"host": name}).status_code == 200, name
    named = asking(host_names=("lab.example",))
    assert named.get("/api/v1/runs", headers={"host": "lab.example"}).status_code == 200


def test_sockets_are_for_those_who_may_ask(root: Path, asking) -> None:
    (replay_id,) = write_run(root, windows=1, frames=3)
    path = f"/api/v1/ws/runs/run/replays/{replay_id}/frames"
    open_to_all = asking()
    with (
        pytest.raises(WebSocketDisconnect),
        open_to_all.websocket_connect(path, headers={**HERE, "origin": OTHER}),
    ):
        pass
    with open_to_all.websocket_connect(path, headers={**HERE, "origin": HOME}) as one:
        assert one.receive_json()["prelude"] is True
    named = asking(cors_origins=(OTHER,), cors_pattern=r"https://.*\.lab\.example")
    with (
        pytest.raises(WebSocketDisconnect),
        named.websocket_connect(path, headers={**HERE, "origin": f"{OTHER}.evil.example"}),
    ):
        pass
    with named.websocket_connect(path, headers={**HERE, "origin": OTHER}) as one:
        assert one.receive_json()["prelude"] is True
    closed = asking(token=SecretStr(TOKEN))
    for tried in (path, f"{path}?access_token=wrong"):
        with pytest.raises(WebSocketDisconnect), closed.websocket_connect(tried):
            pass
    with closed.websocket_connect(f"{path}?access_token={TOKEN}") as one:
        assert one.receive_json()["prelude"] is True
    with closed.websocket_connect(path, headers={"authorization": f"Bearer {TOKEN}"}) as one:
        assert one.receive_json()["prelude"] is True


def test_large_bodies_are_turned_away_however_they_come(client: TestClient) -> None:
    large = b'{"seed": 1, "world": "' + b"x" * 70_000 + b'"}'
    told = {"content-type": "application/json"}
    assert client.post("/api/v1/play/session", content=large, headers=told).status_code == 413
    pieces = (large[at : at + 1000] for at in range(0, len(large), 1000))
    assert client.post("/api/v1/play/session", content=pieces, headers=told).status_code == 413


def test_too_many_requests_are_told_when_to_come_back(asking) -> None:
    client = asking(requests_per_second=2)
    answers = [client.get("/api/v1/worlds") for _ in range(8)]
    late = [answer for answer in answers if answer.status_code == 429]
    assert len(late) >= 3
    assert int(late[0].headers["retry-after"]) >= 1


def test_the_web_app_is_served_with_care(asking, tmp_path: Path) -> None:
    folder = tmp_path / "app"
    (folder / "assets").mkdir(parents=True)
    (folder / "index.html").write_text("<!doctype html><title>app</title>")
    (folder / "assets" / "index-abcd1234.js").write_text("1;" * 2_000)
    (folder / "assets" / "ship.svg").write_text("<svg/>")
    (tmp_path / "secret.txt").write_text("secret")
    (folder / "link.txt").symlink_to(tmp_path / "secret.txt")
    client = asking(app_folder=folder)
    front = client.get("/")
    assert "<title>app" in front.text
    assert front.headers["cache-control"] == "no-cache"
    assert front.headers["content-type"].startswith("text/html")
    again = client.get("/", headers={"if-none-match": front.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    script = client.get("/assets/index-abcd1234.js")
    assert "immutable" in script.headers["cache-control"]
    assert script.headers["content-encoding"] == "gzip"
    assert script.headers["content-type"].startswith("text/javascript")
    assert client.get("/assets/ship.svg").headers["content-type"].startswith("image/svg+xml")
    for path in ("/link.txt", "/..%2Fsecret.txt", "/%2e%2e/secret.txt", "/gone", "/%00"):
        answer = client.get(path)
        assert answer.status_code == 404, path
        assert "secret" not in answer.text


def test_without_the_web_app_a_page_says_how_to_build_it(asking, tmp_path: Path) -> None:
    client = asking(app_folder=tmp_path / "nowhere")
    assert "make web" in client.get("/").text
    assert client.get("/anything").status_code == 404


def test_what_the_server_did_not_expect_is_500_without_its_text(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken() -> None:
        raise RuntimeError("secret of the house")

    monkeypatch.setattr(client.app.state.observatory.catalogue, "runs", broken)
    quiet = TestClient(client.app, "http://localhost:8000", raise_server_exceptions=False)
    answer = quiet.get("/api/v1/runs")
    assert answer.status_code == 500
    assert "secret" not in answer.text
