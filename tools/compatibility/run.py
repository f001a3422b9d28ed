"""Run other projects' tools on every world, and print a table of what worked.

Each tool gets a virtual environment of its own under `.cache/compatibility`, made with uv:

    .venv/bin/python tools/compatibility/run.py [TOOL ...] [--output FILE]

The exit status is 1 where anything failed. PufferLib is built by `astrarium bench peers pufferlib`.
"""

from __future__ import annotations

import argparse
import importlib.metadata
import json
import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Final, NamedTuple

ROOT: Final = Path(__file__).parents[2]
CHECKS: Final = Path(__file__).with_name("checks.py")
FOLDER: Final = ROOT / ".cache" / "compatibility"
TIME_S_MAX: Final = 1200
WORLDS: Final = (
    *("prospector-v2", "tidebreak-v1", "townlet-v1", "lanterns-v1", "fieldseeker-v1"),
    "esper-digits-impaired-v1",
)


class Tool(NamedTuple):
    """Another project's tool: its packages, and where it can only be built, its environment."""

    title: str
    packages: tuple[str, ...]
    home: str = ""


TOOLS: Final = {
    "gymnasium": Tool("Gymnasium `RecordVideo`", ("gymnasium>=1.1", "moviepy>=2.1", "pillow")),
    "torchrl": Tool(
        "TorchRL `GymEnv`, `PettingZooWrapper`",
        ("torchrl==0.14.1", "torch==2.15.0", "gymnasium>=1.1", "pettingzoo>=1.25"),
    ),
    "supersuit": Tool(
        "SuperSuit `concat_vec_envs`",
        ("supersuit==3.11.0", "gymnasium>=1.1", "pettingzoo>=1.25"),
    ),
    "rllib": Tool("RLlib PPO, remote worker", ("ray[rllib]==2.60.0", "torch==2.15.0")),
    "pufferlib": Tool("PufferLib `vector.make`", (), home=".cache/peers/pufferlib"),
}


def base_packages() -> list[str]:
    """Return what Astrarium itself needs; scikit-learn and torch are for Esper."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    extras = [name for name in project["optional-dependencies"]["esper"] if "torch" not in name]
    return [*project["dependencies"], *extras, "torch==2.15.0"]


def interpreter(name: str) -> Path:
    """Return the Python of a tool, after making its environment where there is none."""
    tool = TOOLS[name]
    home = ROOT / tool.home if tool.home else FOLDER / name
    python = home / "bin" / "python"
    if not tool.home and not (home / "installed").exists():
        subprocess.run(["uv", "venv", "--quiet", "--clear", "-p", "3.11", str(home)], check=True)
        packages = [*tool.packages, *base_packages()]
        install = ["uv", "pip", "install", "--quiet", "--python", str(python), *packages]
        subprocess.run(install, check=True)
        (home / "installed").touch()
    if not python.exists():
        sys.exit(f"{python} is missing; run astrarium bench peers {name}")
    return python


def metadata_folder() -> Path:
    """Return a folder with this installation's metadata, which names the worlds of Esper."""
    folder = FOLDER / "metadata"
    for file in importlib.metadata.files("astrarium") or ():
        if file.parent.name.endswith(".dist-info"):
            copy = folder / file
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(file.locate(), copy)
    return folder


def answers_of(name: str) -> dict[str, str]:
    """Return by world how a tool fared: `yes`, or what went wrong."""
    python = interpreter(name)
    work = FOLDER / "work"
    work.mkdir(parents=True, exist_ok=True)
    path = f"{ROOT / 'python'}{os.pathsep}{metadata_folder()}"
    environment = {**os.environ, "PYTHONPATH": path, "RAY_AUTH_MODE": "disabled"}
    try:
        done = subprocess.run(
            [str(python), str(CHECKS), name, *WORLDS],
            cwd=work,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
            timeout=TIME_S_MAX,
        )
    except subprocess.TimeoutExpired:
        return dict.fromkeys(WORLDS, f"no answer within {TIME_S_MAX} s")
    answers: dict[str, str] = {}
    for line in done.stdout.splitlines():
        if line.startswith('{"world"'):
            answer = json.loads(line)
            answers[answer["world"]] = answer["result"]
    last = (done.stderr.strip().splitlines() or ["it printed nothing"])[-1]
    return {world: answers.get(world, f"no answer: {last}"[:200]) for world in WORLDS}


def main() -> int:
    """Run the tools that are named, or all of them."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("tools", nargs="*", metavar="TOOL", help=f"of {', '.join(TOOLS)}")
    parser.add_argument("--output", type=Path, help="a file for the table")
    asked = parser.parse_args()
    if unknown := set(asked.tools) - set(TOOLS):
        parser.error(f"no tool is called {min(unknown)!r} (known: {', '.join(TOOLS)})")
    lines = [f"| | {' | '.join(WORLDS)} |", "| --- |" + " --- |" * len(WORLDS)]
    failures: list[str] = []
    for name in asked.tools or TOOLS:
        print(f"{name} ...", file=sys.stderr, flush=True)
        answers = answers_of(name)
        cells = [answer if answer == "yes" else "fails" for answer in answers.values()]
        lines.append(f"| {TOOLS[name].title} | {' | '.join(cells)} |")
        failures += [
            f"{name} {world}: {answer}" for world, answer in answers.items() if answer != "yes"
        ]
    table = "\n".join(lines) + "\n"
    print(table, end="")
    if asked.output is not None:
        asked.output.write_text(table, "utf-8")
    for failure in failures:
        print(failure, file=sys.stderr)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
