"""`astrarium campaign`: wars of two factions, fought to the end and looked at."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any, Final

import cyclopts
from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

from astrarium.atomic import check_folder
from astrarium.bench import pages
from astrarium.bench.tables import new_table
from astrarium.campaign import balance as balancing
from astrarium.campaign import battles, plan, warring
from astrarium.campaign.folder import WarFolder, read_summary
from astrarium.campaign.report import write_report
from astrarium.campaign.state import War
from astrarium.cli.interrupting import INTERRUPTED, Interrupts, say_at_once
from astrarium.errors import ConfigError, did_you_mean
from astrarium.machine import facts
from astrarium.worlds import arguments

app: Final = cyclopts.App(name="campaign", help="Wars of two factions, a day at a time.")

UNFAIR: Final = 1
"""Exit status when a faction wins too many wars, or a battle comes out otherwise than before."""
_WARS: Final = Path("wars")
Doctrines = Annotated[tuple[str, ...], cyclopts.Parameter(name="--doctrine", negative=())]


@app.command
def run(
    *,
    seed: int = 1,
    days: int = 365,
    out: Path | None = None,
    doctrine: Doctrines = (),
    grace: float = 1.0,
) -> int:
    """Wage a war and write its folder, with a report at the end.

    A folder that holds a war of the same seed is taken up where it was left.

    Parameters
    ----------
    seed
        The same seed gives the same war, to the byte.
    days
        How long it lasts at most.
    out
        The folder; `wars/seed-N` if not said.
    doctrine
        How a faction fights, as `accord=wolfpack`; may be given twice.
    grace
        Stretches the days before which nobody invades.
    """
    given = {**plan.shipped(), "scale": {"grace": grace}}
    rules = plan.load(given)
    chosen = _doctrines(rules, doctrine)
    place = out or _WARS / f"seed-{seed}"
    check_folder(place)
    if (place / "state.json").exists():
        folder = WarFolder.open(place)
        if folder.war.seed != seed:
            raise ConfigError(f"{place} holds a war of seed {folder.war.seed}; give another --out")
    else:
        length = arguments.count("days", days, 10_000)
        folder = warring.new_war(place, rules, arguments.seed(seed), length, chosen)
    return _wage(folder)


@app.command
def resume(folder: Path, /) -> int:
    """Go on with a war that was stopped; it ends as if it had not been."""
    return _wage(WarFolder.open(folder))


@app.command
def show(folder: Path, /) -> None:
    """How a war stands, or how it ended; writes its report again.

    Parameters
    ----------
    folder
        What `astrarium campaign run` wrote.
    """
    console = Console(highlight=False)
    _show(console, read_summary(folder))
    console.print(f"report: {write_report(folder)}", soft_wrap=True, markup=False)


@app.command
def refight(folder: Path, battle: str, /) -> int:
    """Fight a battle of a war again from its package and seed; exit with 1 if it differs.

    Parameters
    ----------
    folder
        What `astrarium campaign run` wrote.
    battle
        Its id, such as `d053-r0-r7`.
    """
    kept = battles.read(folder, battle)
    same = battles.refight(kept, warring.arena)
    console = Console(highlight=False)
    words = "comes out as it did" if same else "[red]comes out otherwise[/]"
    console.print(f"{escape(battle)} {words}")
    return 0 if same else UNFAIR


@app.command
def record(folder: Path, battle: str, /, *, root: Path = Path("runs")) -> None:
    """Fight a battle of a war again and keep its replay as a run, to be watched.

    Parameters
    ----------
    folder
        What `astrarium campaign run` wrote.
    battle
        Its id, such as `d053-r0-r7`.
    root
        The folder of runs.
    """
    # Brings the trainer's recorder, which no other command of a war needs.
    from astrarium.campaign import recording

    kept = recording.record(folder, battle, root)
    console = Console(highlight=False)
    console.print(f"recorded: {kept.run_id} {kept.replay_id}", soft_wrap=True, markup=False)


@app.command
def balance(
    *, seeds: int = 20, first_seed: int = 1, days: int = 365, page: Path | None = None
) -> int:
    """Wage many wars and count who wins; exit with 1 if one faction wins more than 80 %.

    Parameters
    ----------
    seeds
        How many wars.
    first_seed
        The seed of the first; the others follow.
    days
        How long each lasts at most.
    page
        A page of the docs to put the table into, between its marks.
    """
    machine = facts()
    if page is not None:
        pages.check(page, "campaign balance", machine.commit)
    count = arguments.count("seeds", seeds, 10_000)
    rules = plan.load()
    console = Console(highlight=False)
    with _bar(console) as bar:
        task = bar.add_task("wars", total=count)
        weighed = balancing.weigh(
            rules,
            range(first_seed, first_seed + count),
            arguments.count("days", days, 10_000),
            told=lambda war: bar.update(task, advance=1, description=f"seed {war.seed}"),
        )
    text = balancing.table(rules, weighed)
    console.print(text, markup=False, soft_wrap=True)
    if page is not None:
        where = f"`{machine.command}` at commit {machine.commit}: {count} wars of {days} days.\n\n"
        pages.fill(page, "campaign balance", where + text, machine.commit)
    return 0 if weighed.is_fair else UNFAIR


def _doctrines(rules: plan.Plan, given: tuple[str, ...]) -> dict[str, str]:
    chosen: dict[str, str] = {}
    known = [faction.id for faction in rules.factions]
    for words in given:
        faction, mark, doctrine = words.partition("=")
        if not mark or faction not in known:
            raise ConfigError(
                f"--doctrine {words!r}: give FACTION=DOCTRINE with one of {', '.join(known)}"
                f"{did_you_mean(faction, known)}"
            )
        chosen[faction] = battles.doctrine(doctrine)
    return chosen


def _bar(console: Console) -> Progress:
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(bar_width=None, complete_style="cyan", finished_style="dim cyan"),
        TextColumn("{task.completed:,.0f}/{task.total:,.0f}", justify="right"),
        TimeElapsedColumn(),
        console=console,
        transient=True,
        disable=not console.is_terminal,
    )


def _wage(folder: WarFolder) -> int:
    console = Console(highlight=False)
    last = "finishing the day; Ctrl-C again stops at once"
    with _bar(console) as bar, Interrupts(lambda: say_at_once(last)) as interrupts:
        task = bar.add_task("day", total=folder.days, completed=folder.war.day)
        tell = _teller(bar, task)
        war = warring.wage(folder, told=tell, stop=interrupts.asked)
    _show(console, read_summary(folder.path))
    place = escape(str(folder.path))
    if not war.ended_by:
        console.print(f"stopped; go on with [bold]astrarium campaign resume {place}[/]")
        return INTERRUPTED
    console.print(f"report: {folder.path / 'report.html'}", soft_wrap=True, markup=False)
    return 0


def _teller(bar: Progress, task: Any) -> Callable[[War], None]:
    def tell(war: War) -> None:
        state = "war" if war.relations.at_war else "peace"
        words = f"day {war.day}: {state}, {len(war.battles)} battles"
        bar.update(task, completed=war.day, description=words)

    return tell


def _show(console: Console, summary: dict[str, Any]) -> None:
    names = {faction["id"]: faction["name"] for faction in summary["factions"]}
    winner = names.get(summary["winner"] or "", "nobody")
    console.print(
        f"[bold]{escape(winner)}[/] {'won' if summary['finished'] else 'has won yet'}: "
        f"day {summary['days']} of {summary['days_planned']}, "
        f"{summary['ended_by'].replace('_', ' ')}; log {summary['log_hash'][:16]}"
    )
    standing = new_table("faction", "nodes", "ships", "value", "people", "legitimacy", "morale")
    for name, title in names.items():
        curves = summary["curves"][name]
        if curves["ships"]:
            last = [curves[key][-1] for key in ("nodes", "ships", "value", "people")]
            shares = [f"{curves[key][-1]:.2f}" for key in ("legitimacy", "morale")]
            standing.add_row(escape(title), *(f"{value:,.0f}" for value in last), *shares)
    console.print(standing)
    fought = new_table("battle", "kind", "won by", "ships", "lost or taken", "dead")
    for battle in summary["battles"]:
        sides = battle["sides"].values()
        fought.add_row(
            battle["id"],
            battle["kind"],
            escape(names.get(battle["winner"] or "", "nobody")),
            " : ".join(str(side["ships"]) for side in sides),
            " : ".join(str(side["lost"] + side["captured"]) for side in sides),
            str(sum(side["killed"] for side in sides)),
        )
    console.print(fought)
