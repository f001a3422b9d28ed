"""Scaffold a world: `python tools/new_world.py NAME`.

Copies Lanterns under another name (crate, Python face, page, scenarios with their transcripts) and
adds the lines that make it part of the build. Everything is worked out and written aside first,
then moved into place; if any move fails, all are undone.
"""

from __future__ import annotations

import argparse
import keyword
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
TEMPLATE = "lanterns"
NAME = re.compile(r"[a-z][a-z0-9]{2,23}")
REASON = f"scaffolded from {TEMPLATE}-v1, whose rules it still has"
RUST_KEYWORDS = (
    "abstract become box break const continue crate dyn else enum extern final for gen impl let "
    "loop macro match mod move mut override priv pub ref return self static struct super trait try "
    "type typeof unsafe unsized use virtual where while yield async await"
)


class NewWorldError(Exception):
    """Why there is no new world; nothing was changed."""


def places(name: str) -> tuple[str, ...]:
    """What a world consists of: four things of its own."""
    return (
        f"crates/{name}",
        f"python/astrarium/worlds/{name}",
        f"docs/worlds/{name}.md",
        f"tests/playthroughs/{name}-v1",
    )


def check_name(name: str, root: Path) -> None:
    """Refuse a name that cannot be a crate, a module, a type and an id at once."""
    if not NAME.fullmatch(name):
        raise NewWorldError(
            f"{name!r} is no name for a world; give one lower-case word of 3 to 24 letters and "
            "digits, such as 'orchard'"
        )
    if name in RUST_KEYWORDS.split() or keyword.iskeyword(name) or keyword.issoftkeyword(name):
        raise NewWorldError(f"{name!r} is a keyword of Rust or Python; choose another word")
    for place in (*places(name), f"python/astrarium/worlds/{name}.py"):
        if (root / place).exists():
            raise NewWorldError(f"{place} exists already; choose another name")
    for path in sorted((root / "crates" / TEMPLATE).rglob("*.rs")):
        if re.search(rf"\b{name.capitalize()}\b", path.read_text("utf-8")):
            raise NewWorldError(
                f"{name.capitalize()!r} has a meaning in the template already "
                f"({path.relative_to(root)}); choose another name"
            )


def new_files(name: str, root: Path) -> Iterator[tuple[str, str]]:
    """Paths and texts of the world's own files."""
    for source, target in zip(places(TEMPLATE), places(name), strict=True):
        origin = root / source
        paths = [origin] if origin.is_file() else sorted(origin.rglob("*"))
        if not origin.exists():
            raise NewWorldError(f"{source} is missing; it is what new worlds are copied from")
        for path in paths:
            if path.is_file() and "__pycache__" not in path.parts:
                inside = path.relative_to(origin)
                where = target if origin.is_file() else str(Path(target) / inside)
                yield where, renamed(path.read_text("utf-8"), where, name)


def renamed(text: str, path: str, name: str) -> str:
    """The template's text as the new world's."""
    text = text.replace(TEMPLATE.capitalize(), name.capitalize()).replace(TEMPLATE, name)
    # What is true of the template only.
    text = re.sub(
        r"//! The smallest world.*?\n\n",
        f"//! Begun as a copy of {TEMPLATE.capitalize()}: the state is here, the rules are in "
        "`rules.rs`, what agents see\n//! is in `observe.rs`.\n\n",
        text,
        flags=re.S,
    )
    text = re.sub(r"; the smallest world\b", "", text)
    text = re.sub(r"^It is the smallest world .*?\n\n", "", text, flags=re.S | re.M)
    if path.endswith(".txt"):
        text = re.sub(r"^minted  .*$", f"minted  {REASON}", text, count=1, flags=re.M)
    if path.endswith(".py"):
        text = sorted_imports(text)
    return text


def sorted_imports(text: str) -> str:
    """Another name may belong elsewhere in a block of imports."""
    return re.sub(
        r"(?:^from astrarium\b.*\n)+",
        lambda block: "".join(sorted(block.group().splitlines(keepends=True))),
        text,
        flags=re.M,
    )


def edits(name: str) -> dict[str, Callable[[str], str]]:
    """The shared files that must know the world, and what each becomes."""
    crate = f"astrarium-{name}"
    dependency = rf"^astrarium-{TEMPLATE}\b.*\n"
    entry = f"    entry::<astrarium_{TEMPLATE}::{TEMPLATE.capitalize()}>(),\n"
    row = rf"^\| `crates/{TEMPLATE}` .*\n"
    return {
        "Cargo.toml": lambda text: after(
            after(text, dependency, f'{crate} = {{ path = "crates/{name}" }}\n', in_order=True),
            rf'"crates/{TEMPLATE}"(?=[,\]])',
            f', "crates/{name}"',
        ),
        "Cargo.lock": lambda text: locked(text, crate),
        "crates/native/Cargo.toml": lambda text: after(
            text, dependency, f"{crate}.workspace = true\n", in_order=True
        ),
        "crates/native/src/worlds.rs": lambda text: after(
            text, re.escape(entry), f"    entry::<astrarium_{name}::{name.capitalize()}>(),\n"
        ),
        "docs/architecture.md": lambda text: after(
            text,
            row,
            f"| `crates/{name}` | {name.capitalize()}, begun as a copy of Lanterns | anything but "
            "the kernel |\n",
        ),
    }


def after(text: str, pattern: str, addition: str, *, in_order: bool = False) -> str:
    """`text` with `addition` behind the one place that matches.

    With `in_order`, in its alphabetical place among the lines around that start alike.
    """
    found = list(re.finditer(pattern, text, re.M))
    if len(found) != 1:
        raise NewWorldError(f"expected one match of {pattern!r}, found {len(found)}")
    if not in_order:
        return text[: found[0].end()] + addition + text[found[0].end() :]
    for block in re.finditer(r"(?:^astrarium-.*\n)+", text, re.M):
        if block.start() <= found[0].start() < block.end():
            lines = sorted([*block.group().splitlines(keepends=True), addition])
            return text[: block.start()] + "".join(lines) + text[block.end() :]
    raise NewWorldError(f"{pattern!r} does not stand among its like")


def locked(text: str, crate: str) -> str:
    """Cargo's lock with the new crate: the template's entry again, and one more of native's needs.

    Written here rather than by cargo, which would go online to look for newer versions.
    """
    head, *packages = text.split("[[package]]\n")
    named = {re.findall(r'name = "(.+)"', one)[0]: at for at, one in enumerate(packages)}
    template = f"astrarium-{TEMPLATE}"
    native = packages[named["astrarium-native"]]
    needs = re.findall(r'^ ".+",\n', native, re.M)
    packages[named["astrarium-native"]] = native.replace(
        "".join(needs), "".join(sorted([*needs, f' "{crate}",\n']))
    )
    copy = packages[named[template]].replace(template, crate)
    at = next(at for at, one in enumerate(packages) if one > f'name = "{crate}"')
    packages.insert(at, copy)
    return head + "".join("[[package]]\n" + one for one in packages)


def stage(name: str, root: Path, aside: Path) -> list[str]:
    """Write everything under `aside`; gives the paths of the shared files among it."""
    for path, text in new_files(name, root):
        write(aside / path, text)
    changes = edits(name)
    for path, edit in changes.items():
        try:
            write(aside / path, edit((root / path).read_text("utf-8")))
        except NewWorldError as error:
            raise NewWorldError(f"{path}: {error}") from None
    sources = [str(path) for path in sorted((aside / "crates" / name).rglob("*.rs"))]
    # Names have other lengths and another place in the alphabet.
    rustfmt = ["rustfmt", "--edition", "2024", "--config-path", str(root), *sources]
    try:
        subprocess.run(rustfmt, check=True, capture_output=True, text=True)
    except FileNotFoundError:
        raise NewWorldError("rustfmt is missing: rustup component add rustfmt") from None
    except subprocess.CalledProcessError as error:
        raise NewWorldError(f"rustfmt refused the new crate: {error.stderr}") from error
    return list(changes)


def write(path: Path, text: str) -> None:
    """Write a file and the folders above it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")


def create(name: str, root: Path = ROOT) -> None:
    """Add world `name` to the repository at `root`, or change nothing."""
    check_name(name, root)
    # Beside its destination, since only a rename within one filesystem is all or nothing.
    aside = Path(tempfile.mkdtemp(prefix=".new_world-", dir=root))
    undo: list[Callable[[], object]] = []
    try:
        shared = stage(name, root, aside)
        for place in places(name):
            (root / place).parent.mkdir(parents=True, exist_ok=True)
            os.rename(aside / place, root / place)
            undo.append(lambda place=place: os.rename(root / place, aside / place))
        for path in shared:
            before = (root / path).read_bytes()
            os.replace(aside / path, root / path)
            undo.append(lambda path=path, before=before: (root / path).write_bytes(before))
    except BaseException:
        for step in reversed(undo):
            step()
        raise
    finally:
        shutil.rmtree(aside)


def main() -> int:
    """The command."""
    parser = argparse.ArgumentParser(description="Scaffold a world from Lanterns.")
    parser.add_argument("name", help="one lower-case word, such as 'orchard'")
    name = parser.parse_args().name
    try:
        create(name)
    except NewWorldError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    print(f"{name}-v1 has four places of its own:")
    for place in places(name):
        print(f"  {place}")
    print(f"Now: make setup && .venv/bin/astrarium check {name}-v1 (docs/worlds/new.md goes on)")
    return 0


if __name__ == "__main__":
    sys.exit(main())
