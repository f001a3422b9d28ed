"""Rules of style that a machine can hold.

Each rule has a reason a reader can check, and each is shown to fire. Forbidden words are
spelled as patterns (`[O]`), so that this file does not break its own rules.
"""

import ast
import io
import re
import subprocess
import tokenize
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]

FILE_LINES_MAX = 600
FUNCTION_LINES_MAX = 70
SOURCE_SUFFIXES = (".py", ".pyi", ".rs", ".ts", ".tsx")

# A name that fits everything says nothing; such files only ever grow.
VAGUE_NAMES = {"common", "helper", "helpers", "manager", "managers", "misc", "util", "utils"}

UNFINISHED = re.compile(r"\b(?:T[O]DO|FIXM[E]|XX[X]|HAC[K])\b")
OUTSIDE = re.compile(r"[.][.]/shared\b")
REGISTRY = re.compile(r"\b(?:pypi[.]org|pythonhosted[.]org|crates[.]io|npmjs[.](?:org|com))\b")
MACHINE_PATH = re.compile(r"(?<![\w./$}~-])/(?:root|work|home|Users)/")
PLAN = re.compile(r"(?i)\b(?:issue|phase|milestone|sprint)\s+#?\d|(?<![\w&/])#\d{1,5}\b(?!\w)")

TEXT_RULES = (
    (UNFINISHED, "unfinished work belongs in the tracker, not in the tree"),
    (OUTSIDE, "reaches outside the repository"),
    (REGISTRY, "names a registry; readers have their own mirrors"),
    (MACHINE_PATH, "names a path of one machine"),
)
# Cargo writes its index's name into its lock as an identity and offers no other spelling.
REGISTRY_EXEMPT = "Cargo.lock"


def files_of_the_repository() -> list[str]:
    """Tracked files, and new ones that are not ignored, so a fault shows before the commit."""
    listing = subprocess.run(
        ["git", "-c", "safe.directory=*", "ls-files", "-z", "-co", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        check=True,
        text=True,
    ).stdout
    return sorted(name for name in set(listing.split("\0")) if (ROOT / name).is_file())


def name_faults(name: str) -> Iterator[str]:
    """Vague words anywhere in a path."""
    for word in re.split(r"[/._-]", name.lower()):
        if word in VAGUE_NAMES:
            yield f"{name}: {word!r} says nothing about what is inside; name the noun"


def text_faults(name: str, text: str) -> Iterator[str]:
    """Words that no file may hold."""
    for pattern, reason in TEXT_RULES:
        if pattern is REGISTRY and Path(name).name == REGISTRY_EXEMPT:
            continue
        for found in pattern.finditer(text):
            line = text.count("\n", 0, found.start()) + 1
            yield f"{name}:{line}: {found.group()!r} {reason}"


def source_faults(name: str, text: str) -> Iterator[str]:
    """Length, and plans in comments."""
    lines = text.count("\n")
    if lines > FILE_LINES_MAX:
        yield f"{name}: {lines} lines, more than {FILE_LINES_MAX}; one system per file"
    for line, comment in comments_of(name, text):
        if found := PLAN.search(comment):
            yield f"{name}:{line}: {found.group()!r} is a plan; say why instead"
    if name.endswith((".py", ".pyi")):
        yield from function_faults(name, text)


def function_faults(name: str, text: str) -> Iterator[str]:
    """Python functions longer than a screen."""
    for node in ast.walk(ast.parse(text, name)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            lines = (node.end_lineno or node.lineno) - node.lineno + 1
            if lines > FUNCTION_LINES_MAX:
                where = f"{name}:{node.lineno}: {node.name}"
                yield f"{where} has {lines} lines, more than {FUNCTION_LINES_MAX}"


def comments_of(name: str, text: str) -> Iterator[tuple[int, str]]:
    """Comments (and Python docstrings) with their lines."""
    if not name.endswith((".py", ".pyi")):
        for line, code in enumerate(text.splitlines(), 1):
            if found := re.search(r"(?<!:)//.*", code):
                yield line, found.group()
        return
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            # Without its own marker, which would read as the start of a number.
            yield token.start[0], token.string[1:]
    for node in ast.walk(ast.parse(text, name)):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            yield getattr(node, "lineno", 1), ast.get_docstring(node) or ""


def faults_of(name: str, text: str) -> list[str]:
    """Everything untidy about one file."""
    faults = [*name_faults(name), *text_faults(name, text)]
    if name.endswith(SOURCE_SUFFIXES):
        faults += source_faults(name, text)
    return faults


def test_the_tree_is_tidy() -> None:
    faults: list[str] = []
    for name in files_of_the_repository():
        try:
            text = (ROOT / name).read_text("utf-8")
        except UnicodeDecodeError:
            text = ""  # a picture or other binary: only its name can be judged
        faults += faults_of(name, text)
    assert not faults, "\n" + "\n".join(faults)


def test_the_listing_sees_this_file() -> None:
    """An empty listing would make every rule pass."""
    assert "tests/house/test_tidy.py" in files_of_the_repository()


def test_long_files_and_functions_are_named() -> None:
    assert faults_of("a.rs", "\n" * 601) == ["a.rs: 601 lines, more than 600; one system per file"]
    assert faults_of("a.rs", "\n" * 600) == []
    long = "def f():\n" + "    x = 1\n" * 70
    assert faults_of("a.py", long) == ["a.py:1: f has 71 lines, more than 70"]
    assert faults_of("a.py", long.removesuffix("    x = 1\n")) == []


def test_vague_names_are_named() -> None:
    for name in ("python/utils.py", "crates/common/lib.rs", "run_manager.py", "a/misc.md"):
        assert len(faults_of(name, "")) == 1, name
    assert faults_of("python/community.py", "") == []


def test_words_that_no_file_may_hold_are_named_with_their_line() -> None:
    host = ".".join(("pypi", "org"))
    for word in (
        "TO" + "DO",
        "FIX" + "ME",
        "../" + "shared/specs",
        f"https://{host}/simple",
        "/".join(("", "root", "astrarium")),
        "/".join(("", "home", "ada", "astrarium")),
    ):
        (fault,) = faults_of("page.md", f"one\ntwo {word} three\n")
        assert fault.startswith("page.md:2: "), fault
    for fine in ("todo list", "$HOME/work/x", "docs/work/plan", "~/home/x"):
        assert faults_of("page.md", fine) == [], fine


def test_plans_in_comments_are_named() -> None:
    for comment in ("issue" + " 12", "Phase" + " 3", "see #" + "47", "#" + "9"):
        assert len(faults_of("a.py", f"# {comment}\n")) == 1, comment
        assert len(faults_of("a.py", f'"""Why: {comment}."""\n')) == 1, comment
        assert len(faults_of("a.rs", f"let x = 1; // {comment}\n")) == 1, comment
    for fine in ('colour = "#123"\n', "# the phase of a moon\n", "x = 1  # 47 floats\n"):
        assert faults_of("a.py", fine) == [], fine
    assert faults_of("a.rs", "#[derive(Clone)] // a phase in 0..1\n") == []


def test_cargos_own_lock_may_name_its_index() -> None:
    index = ".".join(("crates", "io-index"))
    assert faults_of("Cargo.lock", index) == faults_of("fuzz/Cargo.lock", index) == []
    assert len(faults_of("Cargo.toml", index)) == 1
