"""Every file that the server opens: plain, below its folders, and never through a link.

An audit hook sees each call that opens a file, in whatever module it is made. Every route is asked
with hostile ids, over folders in which links and pipes lie in the place of each file in turn.
"""

from __future__ import annotations

import os
import shutil
import stat
import sys
import sysconfig
import threading
from collections.abc import Iterator
from pathlib import Path
from tempfile import gettempdir
from typing import Any
from urllib.parse import quote

import pytest
from fastapi.testclient import TestClient
from grown_runs import episode_lines, lines_of, started, tell
from served_runs import add_replay, add_window, long_replay, new_run

import astrarium
from astrarium.runs import RunNameError, documents, names
from astrarium.runs.documents import open_plain
from astrarium.serve.app import create_app
from astrarium.serve.paths import is_plain_folder, plain_file, plain_tree
from astrarium.serve.settings import Settings

SAMPLE = Path(__file__).parents[2] / "docs" / "samples" / "war"
SECRET = b"SECRET-FROM-OUTSIDE"
HOSTILE = (
    *("..", "../..", "../../secret", "..%2f..", ".", "", "/etc/passwd", "//etc/passwd", "-rf"),
    *("run/../../secret", "a\\..\\b", "a\0b", "a\nb", "😀", "a" * 300, "~", "linked", "nothing"),
    *("file:///etc/passwd", "con", "%00", "*", "$HOME"),
)
_watched: list[str] | None = None


def _hook(event: str, arguments: tuple[Any, ...]) -> None:
    if event == "open" and _watched is not None and isinstance(arguments[0], str | bytes):
        _watched.append(os.fsdecode(arguments[0]))


sys.addaudithook(_hook)  # stays for the process, and does nothing while nobody watches

INSTALLED = tuple(
    str(Path(one).resolve())
    for one in {
        *(sysconfig.get_path(name) for name in ("stdlib", "platstdlib", "purelib", "platlib")),
        Path(astrarium.__file__).parent,
        sys.prefix,
        sys.base_prefix,
    }
)
SYSTEM = ("/dev/null", "/dev/urandom", "/etc/mime.types", "/etc/localtime", "/proc/", "/sys/")


class Lab:
    """Folders with something in each, and the files that are in them."""

    def __init__(self, place: Path) -> None:
        self.place = place
        self.runs, self.wars = place / "runs", place / "wars"
        self.reports, self.app = place / "reports", place / "app"
        self.secret = place / "outside" / "secret"
        self.secret.parent.mkdir(parents=True)
        self.secret.write_bytes(SECRET)
        writer = new_run(self.runs)
        add_window(writer, 0)
        self.replay_id = add_replay(writer, long_replay(5))
        writer.finish()
        tell(self.runs / "run", lines_of([started()], 0, 0) + episode_lines(0, epochs=2))
        shutil.copytree(SAMPLE, self.wars / "war")
        (self.wars / "war" / "battles").mkdir(exist_ok=True)
        battle = {"id": "b", "controllers": {}, "result": {}}
        documents.write(self.wars / "war" / "battles" / "b.json", battle)
        self.reports.mkdir()
        (self.reports / "report.json").write_text('{"kind":"bench"}')
        (self.app / "assets").mkdir(parents=True)
        (self.app / "index.html").write_text("<!doctype html>")
        (self.app / "assets" / "app.js").write_text("1")
        for folder in (self.runs, self.wars, self.reports):
            (folder / "linked").symlink_to(self.secret.parent, target_is_directory=True)

    @property
    def settings(self) -> Settings:
        return Settings(
            runs_root=self.runs,
            wars=self.wars,
            reports=self.reports,
            app_folder=self.app,
            requests_per_second=0,
            sweep_seconds=0.02,
            outcome_seconds_max=0.01,
        )

    @property
    def paths(self) -> list[str]:
        """What reads every file, by its proper name."""
        run, war = "/api/v1/runs/run", "/api/v1/wars/war"
        replay = f"{run}/replays/{self.replay_id}"
        return [
            *("/", "/assets/app.js", "/healthz", "/readyz", "/metrics"),
            *("/api/v1/runs", run, f"{run}/config", f"{run}/metrics/windows"),
            *(f"{run}/analytics/completeness", f"{run}/growth", f"{run}/growth/1/0"),
            *(f"{run}/replays", replay, f"{replay}/frames", f"{replay}/timeline"),
            *("/api/v1/wars", war, f"{war}/days", f"{war}/battles/b"),
            *("/api/v1/reports", "/api/v1/reports/report", "/api/v1/worlds"),
        ]

    def files(self) -> list[Path]:
        """Every file below the folders that the server serves."""
        folders = (self.runs / "run", self.wars / "war", self.reports, self.app)
        return sorted(
            path
            for folder in folders
            for path in folder.rglob("*")
            if path.is_file() and not path.is_symlink()
        )


@pytest.fixture
def lab(tmp_path: Path) -> Lab:
    return Lab(tmp_path / "lab")


@pytest.fixture
def opened() -> Iterator[list[str]]:
    """Every path that is opened meanwhile, by whatever thread."""
    global _watched
    _watched = seen = []
    yield seen
    _watched = None


def refused(path: str, lab: Lab) -> str | None:
    """Why a path must not be opened; None where it may be."""
    if not os.path.isabs(path):
        return "not an absolute path"
    if not path.startswith(f"{lab.place}/"):
        real = os.path.realpath(path)
        # Temporary files without a name are opened by the name of their folder.
        allowed = path.startswith(SYSTEM) or real.startswith(INSTALLED) or path == gettempdir()
        return None if allowed else "outside of the folders"
    folders = (lab.runs, lab.wars, lab.reports, lab.app)
    folder = next((one for one in folders if path.startswith(f"{one}/")), None)
    if folder is None:
        return "beside the folders"
    if os.path.realpath(path) != path:
        return "through a link, or not in its plain form"
    if os.path.lexists(path) and not stat.S_ISREG(os.lstat(path).st_mode):
        return "not a plain file"
    return None


def check(opened: list[str], lab: Lab) -> None:
    wrong = {path: why for path in opened if (why := refused(path, lab)) is not None}
    assert wrong == {}


def ask(client: TestClient, path: str, method: str = "GET") -> bytes:
    """An answer, which must come soon: whoever opens a pipe waits for ever."""
    answers: list[Any] = []
    thread = threading.Thread(
        target=lambda: answers.append(client.request(method, path)), daemon=True
    )
    thread.start()
    thread.join(20)
    assert answers, f"{path} is not answered"
    assert answers[0].status_code < 500 or answers[0].status_code in (500, 503), path
    return answers[0].content


def test_the_check_refuses_what_it_is_for(lab: Lab, opened: list[str]) -> None:
    """The checker is itself tried on what must fail."""
    plain = lab.runs / "run" / names.METADATA
    link = lab.runs / "run" / "link"
    link.symlink_to(lab.secret)
    pipe = lab.runs / "run" / "pipe"
    os.mkfifo(pipe)
    assert refused(str(plain), lab) is None
    bad = [lab.secret, link, pipe, lab.runs / "linked" / "secret", Path("/etc/passwd")]
    for path in (*map(str, bad), f"{lab.runs}/run/../run/{names.METADATA}", "relative"):
        assert refused(path, lab) is not None, path
    plain.read_bytes()
    assert str(plain) in opened
    check(opened, lab)
    link.read_bytes()
    with pytest.raises(AssertionError):
        check(opened, lab)


def test_every_route_opens_only_files_of_its_folders(lab: Lab, opened: list[str]) -> None:
    with TestClient(create_app(lab.settings), "http://localhost:8000") as client:
        for path in lab.paths:
            answer = client.get(path)
            assert answer.status_code == 200, (path, answer.text)
        read = {path for path in opened if path.startswith(f"{lab.place}/")}
    check(opened, lab)
    # Or the test would see nothing: each of these was read.
    for path in (
        *(lab.runs / "run" / name for name in (names.METADATA, names.CONFIG, names.WINDOWS)),
        lab.runs / "run" / names.replay_path(lab.replay_id),
        *(lab.wars / "war" / name for name in ("war.json", "days.jsonl", "battles/b.json")),
        *(lab.reports / "report.json", lab.app / "index.html", lab.app / "assets" / "app.js"),
    ):
        assert str(path) in read, path


def test_no_hostile_id_opens_anything_else(lab: Lab, opened: list[str]) -> None:
    app = create_app(lab.settings)
    routes = [
        (method.upper(), path)
        for path, methods in app.openapi()["paths"].items()
        for method in methods
        if path != "/api/v1/live" and "wandb" not in path
    ]
    assert len(routes) > 25
    real = {"run_id": "run", "war_id": "war", "replay_id": lab.replay_id}
    with TestClient(app, "http://localhost:8000", raise_server_exceptions=False) as client:
        for method, path in routes:
            fields = [part[1:-1] for part in path.split("/") if part.startswith("{")]
            for field in fields:
                for value in HOSTILE:
                    for written in {quote(value, safe=""), quote(value, safe="/.")}:
                        filled = path.replace(f"{{{field}}}", written)
                        for other in fields:
                            filled = filled.replace(f"{{{other}}}", real.get(other, "0"))
                        answer = client.request(method, filled)
                        assert answer.status_code < 500, (method, filled, answer.text)
                        assert SECRET not in answer.content
        for value in HOSTILE:
            for written in (quote(value, safe=""), f"assets/{quote(value, safe='/.')}"):
                answer = client.get(f"/{written}")
                assert answer.status_code < 500
                assert SECRET not in answer.content
    check(opened, lab)


@pytest.mark.parametrize("instead", ["link", "pipe", "linked folder"])
def test_nothing_in_the_place_of_a_file_is_followed_or_waited_for(
    lab: Lab, opened: list[str], instead: str
) -> None:
    """In the place of each file in turn: a link to a secret, a pipe, a link to its own folder."""
    files = lab.files()
    assert len(files) > 12
    for number, path in enumerate(files):
        kept = path.parent if instead == "linked folder" else path
        if kept in (lab.reports, lab.app):
            continue  # the folders themselves are the operator's choice
        aside = lab.place / "outside" / f"aside-{number}"
        kept.rename(aside)
        if instead == "pipe":
            os.mkfifo(kept)
        else:
            kept.symlink_to(lab.secret if instead == "link" else aside)
        if path.name == names.LOCK:
            # Only the lock of a run that says that it is running is looked at.
            metadata = path.parent / names.METADATA
            told = metadata.read_bytes()
            metadata.write_bytes(told.replace(b'"completed"', b'"running"'))
        with TestClient(create_app(lab.settings), "http://localhost:8000") as client:
            for asked in lab.paths:
                assert SECRET not in ask(client, asked), (path, asked)
        kept.unlink()
        aside.rename(kept)
        check(opened, lab)
        opened.clear()


@pytest.mark.parametrize("path", ["a\0b", "../../x", "/etc/passwd", "a" * 5000, "a//b", "./a", ""])
def test_hostile_paths_in_an_index_are_404(lab: Lab, opened: list[str], path: str) -> None:
    index = lab.runs / "run" / names.REPLAY_INDEX
    document = documents.read(index, dict[str, Any])
    document["replays" if "replays" in document else "entries"][0]["replay_path"] = path
    documents.write(index, document)
    opened.clear()
    with TestClient(create_app(lab.settings), "http://localhost:8000") as client:
        for part in ("frames", "timeline"):
            address = f"/api/v1/runs/run/replays/{lab.replay_id}/{part}"
            answer = client.get(address)
            assert answer.status_code in (404, 500 if path == "" else 404), answer.text
            assert "unexpected" not in answer.text
            assert str(lab.place) not in answer.text
    check(opened, lab)


def test_a_policy_behind_a_link_is_not_loaded(lab: Lab, opened: list[str]) -> None:
    (checkpoint,) = (lab.runs / "run" / "checkpoints").iterdir()
    file = next(path for path in sorted(checkpoint.iterdir()) if path.is_file())
    file.unlink()
    file.symlink_to(lab.secret)
    with TestClient(create_app(lab.settings), "http://localhost:8000") as client:
        session = client.post("/api/v1/play/session", json={"seed": 5}).json()
        address = f"/api/v1/play/session/{session['session_id']}"
        client.post(f"{address}/step", json={"action": 8})
        assert client.get(f"{address}/outcome").status_code == 200
    check(opened, lab)


def test_the_validator_by_itself(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "file").write_text("x")
    (tmp_path / "link").symlink_to(tmp_path / "folder")
    os.mkfifo(tmp_path / "folder" / "pipe")
    assert plain_file(tmp_path, "folder/file") == tmp_path / "folder" / "file"
    assert plain_file(tmp_path, "folder/missing").name == "missing"
    assert plain_file(tmp_path, "missing/file").name == "file"
    for bad in ("link/file", "link", "folder", "folder/pipe", "folder/file/x", "\ud800", *HOSTILE):
        if bad in ("linked", "nothing", "a\nb", "😀", "-rf", "~", "con", "%00", "*", "$HOME"):
            continue  # strange, and still names of files that are not there
        if bad in ("..%2f..",):
            continue
        with pytest.raises(RunNameError):
            plain_file(tmp_path, bad)
    assert is_plain_folder(tmp_path / "folder")
    assert not is_plain_folder(tmp_path / "link")
    assert not is_plain_folder(tmp_path / "a\0b")
    with pytest.raises(RunNameError):
        plain_tree(tmp_path, "folder")
    (tmp_path / "folder" / "pipe").unlink()
    assert plain_tree(tmp_path, "folder") == tmp_path / "folder"
    assert plain_tree(tmp_path, "missing") == tmp_path / "missing"
    with pytest.raises(RunNameError):
        plain_tree(tmp_path, "link")
    os.mkfifo(tmp_path / "pipe")
    for bad_file in (tmp_path / "pipe", tmp_path / "link"):
        with pytest.raises(OSError, match=r"plain|levels of symbolic|directory"):
            open_plain(bad_file)
