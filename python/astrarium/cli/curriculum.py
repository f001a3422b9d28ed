"""`astrarium curriculum`: from easy battles to hard ones, as fast as they are won."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

import cyclopts
from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, TextColumn, TimeElapsedColumn
from rich.progress import Progress as Bar

from astrarium import atomic
from astrarium.bench.report import FAILED, PASSED
from astrarium.bench.tables import new_table, print_table
from astrarium.cli.interrupting import INTERRUPTED, say_at_once
from astrarium.cli.train import Settings, chosen_config, given_settings, plain_error
from astrarium.train.curriculum import Climb, check, curriculum_of

if TYPE_CHECKING:
    from astrarium.train.climbing import Round

app: Final = cyclopts.App(name="curriculum", error_formatter=plain_error)


@app.default
def curriculum(
    world: str,
    /,
    *,
    file: Path | None = None,
    root: Path = Path("curriculum"),
    settings: Settings = None,
) -> int:
    """Train on easy battles first, and on harder ones as soon as these are won often enough.

    Every round is a run of its own that goes on from the policy of the round before, on a rung:
    a scenario and an opponent. Games judge it; who wins often goes up a rung, who loses often
    down. What is finished stays in the root: the same command goes on from there. Exits with
    status 2 where the last rung was not passed.

    Parameters
    ----------
    world
        Id of the world; see `astrarium worlds`.
    file
        A TOML file of rungs and rules; the world's own unless told.
    root
        Folder of the rounds, of curriculum.json and of the picture.
    """
    given = {} if settings is None else given_settings(settings)
    chosen = curriculum_of(world, file)
    climb = Climb(chosen, chosen_config(world, chosen.preset, None, given), root)
    check(climb)
    console = Console(highlight=False)
    console.print(f"[dim]root: {escape(str(root))}[/]", soft_wrap=True)
    try:
        rounds = _go_up(console, climb)
    except KeyboardInterrupt:
        say_at_once(f"stopped; go on with the same command (finished: {root})")
        return INTERRUPTED
    return _tell(console, climb, rounds)


def _go_up(console: Console, climb: Climb) -> list[Round]:
    # Here, after everything that could be refused without loading torch.
    from astrarium.train.climbing import FIGHTS, go_up

    bar = Bar(
        TextColumn("{task.description}"),
        BarColumn(bar_width=None, complete_style="cyan", finished_style="dim cyan"),
        TextColumn("{task.percentage:>3.0f} %", justify="right"),
        TimeElapsedColumn(),
        console=console,
        transient=True,
        disable=not console.is_terminal,
    )
    task = bar.add_task("starting", total=1.0)

    def tell(number: int, at: int, share: float) -> None:
        rung = climb.curriculum.rungs[at]
        doing = "games of" if share >= FIGHTS else "round"
        words = f"{doing} {number + 1}: {rung.scenario} against {rung.opponent}"
        bar.update(task, description=escape(words), completed=share)

    with bar:
        return go_up(climb, tell)


def _tell(console: Console, climb: Climb, rounds: Sequence[Round]) -> int:
    from astrarium.train.climb_picture import picture

    rungs = climb.curriculum.rungs
    table = new_table("round", "scenario", "against", "games won", "goes")
    for one in rounds:
        rung, way = rungs[one.rung], one.next_rung - one.rung
        table.add_row(
            str(one.number + 1),
            rung.scenario,
            rung.opponent,
            f"{one.share:.1%} [{one.low:.1%}, {one.high:.1%}]".replace("[", "\\["),
            "[green]up[/]" if way > 0 else "[red]down[/]" if way < 0 else "on",
        )
    print_table(console, table)
    place = climb.root / "curriculum.png"
    atomic.write_bytes(place, picture(climb.curriculum, rounds))
    console.print(f"[dim]picture: {escape(str(place))}[/]", soft_wrap=True)
    passed = rounds[-1].next_rung == len(rungs)
    words = "every rung was passed" if passed else "no round is left and not every rung was passed"
    console.print(words)
    return PASSED if passed else FAILED
