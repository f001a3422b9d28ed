"""Pages whose examples run.

Every ```python block of a page runs, in order, in one namespace and an empty folder; every
relative link leads somewhere; every command shown after `$` in a ```console block would be
accepted as written. The reader must never be the first to try an example.
"""

import importlib
import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import cyclopts
import pytest

ROOT = Path(__file__).parents[2]
PAGES = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md"]
PAGES += sorted(str(path.relative_to(ROOT)) for path in (ROOT / "docs").rglob("*.md"))

FENCE = re.compile(
    r"^(?P<fence>`{3,})(?P<language>\w*)[^\n]*\n(?P<body>.*?)^(?P=fence)$", re.M | re.S
)
LINK = re.compile(r"\]\((?P<target>[^)\s]+)\)")
HEADING = re.compile(r"^#+ +(?P<title>.+)$", re.M)


class Block(NamedTuple):
    """A fenced block and the line its body starts on."""

    language: str
    line: int
    body: str


def blocks_of(text: str) -> Iterator[Block]:
    """Every fenced block of a page."""
    for found in FENCE.finditer(text):
        line = text.count("\n", 0, found.start("body")) + 1
        yield Block(found["language"], line, found["body"])


def run_page(text: str, page: str) -> None:
    """Run a page's Python; a traceback shows the page's own line numbers."""
    namespace: dict[str, object] = {"__name__": "page"}
    for block in blocks_of(text):
        if block.language == "python":
            code = compile("\n" * (block.line - 1) + block.body, page, "exec")
            exec(code, namespace)


def broken_links(text: str, folder: Path) -> Iterator[str]:
    """Relative links that lead nowhere, to a file or to a heading."""
    prose = FENCE.sub("", text)
    for found in LINK.finditer(prose):
        target, _, anchor = found["target"].partition("#")
        if "://" in target or target.startswith("mailto:"):
            continue
        if not leads_somewhere(text, folder, target, anchor):
            yield found["target"]


def leads_somewhere(text: str, folder: Path, target: str, anchor: str) -> bool:
    """Whether a link's file exists and, if it names a heading, holds it."""
    if not (folder / target).exists():
        return False
    there = (folder / target).read_text("utf-8") if target and anchor else text
    return not anchor or anchor in anchors_of(there)


def anchors_of(text: str) -> set[str]:
    """The anchors that headings become: lower case, punctuation dropped, spaces to dashes."""
    titles = (found["title"].lower() for found in HEADING.finditer(FENCE.sub("", text)))
    return {re.sub(r"[^\w\- ]", "", title).strip().replace(" ", "-") for title in titles}


def commands_of(text: str) -> Iterator[tuple[int, list[str]]]:
    """Commands typed in console blocks, as words, with their lines."""
    for block in blocks_of(text):
        if block.language == "console":
            for offset, line in enumerate(block.body.splitlines()):
                if line.startswith("$ "):
                    yield block.line + offset, shlex.split(line[2:], comments=True)


def refusal(words: list[str]) -> str | None:
    """Why a command would not be accepted; nothing is executed."""
    words = [word for word in words if not re.fullmatch(r"[A-Z_]+=\S*", word)]
    match words:
        case ["astrarium", *rest]:
            return cli_refusal(rest)
        case ["make", *targets]:
            makefile = (ROOT / "Makefile").read_text("utf-8")
            missing = [t for t in targets if not re.search(rf"^{re.escape(t)}:", makefile, re.M)]
            return f"the Makefile has no target {missing}" if missing else None
        case _:
            return None


def cli_refusal(words: list[str]) -> str | None:
    """What the command line's own parser says against these words."""
    apps = [
        value
        for value in vars(importlib.import_module("astrarium.cli")).values()
        if isinstance(value, cyclopts.App)
    ]
    try:
        apps[0].parse_args(words, exit_on_error=False, print_error=False)
    except cyclopts.CycloptsError as error:
        return str(error)
    return None


def faults_of(text: str, page: str, folder: Path) -> list[str]:
    """Links and commands of a page that do not hold."""
    faults = [f"{page}: {link} leads nowhere" for link in broken_links(text, folder)]
    for line, words in commands_of(text):
        if why := refusal(words):
            faults.append(f"{page}:{line}: {shlex.join(words)}: {why}")
    return faults


@pytest.mark.parametrize("page", PAGES)
def test_page_examples_run(page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    run_page((ROOT / page).read_text("utf-8"), page)


@pytest.mark.parametrize("page", PAGES)
def test_page_links_and_commands_hold(page: str) -> None:
    path = ROOT / page
    faults = faults_of(path.read_text("utf-8"), page, path.parent)
    assert not faults, "\n" + "\n".join(faults)


def test_pages_are_found() -> None:
    assert "docs/architecture.md" in PAGES


def rooms_under(text: str, heading: str) -> list[str]:
    """The paths that open the table rows below a heading."""
    section = text.split(f"\n## {heading}\n")[1].split("\n## ")[0]
    return re.findall(r"^\| `([^`]+)`", section, re.M)


def stands(room: str) -> bool:
    """A small room may be a single module."""
    return (ROOT / room).is_dir() or (ROOT / f"{room}.py").is_file()


def test_the_plan_tells_standing_rooms_from_rooms_to_come() -> None:
    """A plan that shows rooms nobody built, or hides one that stands, misleads."""
    plan = (ROOT / "docs/architecture.md").read_text("utf-8")
    standing, to_come = (rooms_under(plan, h) for h in ("Rooms that stand", "Rooms to come"))
    assert [room for room in standing if not stands(room)] == []
    assert [room for room in to_come if stands(room)] == []
    found = [
        f"{folder}/{path.name}"
        for folder in ("crates", "python/astrarium")
        for path in sorted((ROOT / folder).iterdir())
        if path.is_dir() and path.name != "__pycache__"
    ]
    assert [room for room in found if room not in standing] == []


def test_a_broken_example_is_reported_at_its_own_line() -> None:
    page = "# Title\n\n```python\nx = 1\n```\n\nwords\n\n```python\nassert x == 2\n```\n"
    with pytest.raises(AssertionError) as caught:
        run_page(page, "broken.md")
    last = caught.traceback[-1]
    assert (str(last.path).endswith("broken.md"), last.lineno + 1) == (True, 10)


def test_other_languages_do_not_run() -> None:
    run_page("```rust\nfn main() {}\n```\n```text\nnot python\n```\n", "page.md")


def test_links_that_lead_nowhere_are_named(tmp_path: Path) -> None:
    (tmp_path / "there.md").write_text("# One Thing: here\n")
    page = (
        "# Top\n[a](there.md) [b](gone.md) [c](there.md#one-thing-here) [d](there.md#two)\n"
        "[e](#top) [f](#bottom) [g](https://example.org/gone)\n```text\n[h](not-a-link.md)\n```\n"
    )
    assert list(broken_links(page, tmp_path)) == ["gone.md", "there.md#two", "#bottom"]


def test_commands_that_do_not_exist_are_named(tmp_path: Path) -> None:
    page = "```console\n$ make nonsense\noutput\n$ astrarium nonsense\n$ make test\n$ ls\n```\n"
    faults = faults_of(page, "page.md", tmp_path)
    assert [fault.split(": ")[0] for fault in faults] == ["page.md:2", "page.md:4"]
