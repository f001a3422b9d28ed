"""`astrarium campaign`: wars of two factions, fought to the end and looked at."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any, Final

import cyclopts
from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

from astrarium.atomic import check_folder
from astrarium.bench import pages
from astrarium.bench.tables import new_table, print_table
from astrarium.campaign import balance as balancing
from astrarium.campaign import battles, warring
from astrarium.campaign import plan as plans
from astrarium.campaign.captains import RUNS, Captains
from astrarium.campaign.folder import WarFolder, read_summary
from astrarium.campaign.report import write_report
from astrarium.campaign.shapes import WarFolderError
from astrarium.campaign.state import War
from astrarium.cli.campaign_list import list_wars
from astrarium.cli.interrupting import INTERRUPTED, Interrupts, say_at_once
from astrarium.errors import ConfigError, did_you_mean
from astrarium.machine import facts
from astrarium.runs import RunExistsError
from astrarium.worlds import arguments

app: Final = cyclopts.App(name="campaign", help="Wars of two factions, a day at a time.")
app.command(list_wars, name="list")

UNFAIR: Final = 1
"""Exit status when wars are not as they should be, or a battle comes out otherwise than before."""
_WARS: Final = Path("wars")
_DAYS: Final = 365
_RECORDED: Final = 3
"""Of a war's largest battles: they take about twice as long as the war, all of them five times."""
Doctrines = Annotated[tuple[str, ...], cyclopts.Parameter(name="--doctrine", negative=())]


@app.command
def run(
    *,
    seed: int = 1,
    days: int | None = None,
    out: Path | None = None,
    doctrine: Doctrines = (),
    grace: float | None = None,
    plan: Path | None = None,
    replays: int = _RECORDED,
    root: Path = RUNS,
) -> int:
    """Wage a war and write its folder, with a report at the end.

    A folder that holds the same war is taken up where it was left.

    Parameters
    ----------
    seed
        The same seed gives the same war, to the byte.
    days
        How long it lasts at most; 365 if not said.
    out
        The folder; `wars/seed-N` if not said.
    doctrine
        How a faction fights, as `accord=wolfpack` or, trained, `accord=run:ID@WINDOW`; may be given
        twice.
    grace
        Stretches the days before which nobody invades; 1 if not said.
    plan
        A plan of your own in TOML, in place of the shipped one; the war's folder keeps its content.
    replays
        When the war is over, this many of its largest battles are recorded, for the report to lead
        to; `astrarium campaign record` does the others.
    root
        The folder of runs, where policies are looked for and battles are recorded.
    """
    captains = Captains(root)
    place = out or _WARS / f"seed-{seed}"
    replays = _replays(replays)
    check_folder(place)
    if (place / "state.json").exists():
        with contextlib.closing(WarFolder.open(place)) as folder:
            chosen = _doctrines(folder.plan, doctrine, captains)
            _check_same(folder, seed=seed, days=days, grace=grace, doctrines=chosen)
            if plan is not None:
                _check_plan(folder, plan)
            return _wage(folder, captains, root, replays)
    given = plans.shipped() if plan is None else plans.read(plan)
    if plan is None or grace is not None:
        given["scale"] = {"grace": 1.0 if grace is None else grace}
    rules = plans.load(given)
    length = arguments.count("days", _DAYS if days is None else days, 10_000)
    chosen = _doctrines(rules, doctrine, captains)
    if replays:
        battles.check_name(place, rules, length)
    folder = warring.new_war(place, rules, arguments.seed(seed), length, chosen)
    return _wage(folder, captains, root, replays)


@app.command
def resume(folder: Path, /, *, replays: int = _RECORDED, root: Path = RUNS) -> int:
    """Go on with a war that was stopped; it ends as if it had not been.

    Parameters
    ----------
    folder
        What `astrarium campaign run` wrote.
    replays
        When the war is over, this many of its largest battles are recorded.
    root
        The folder of runs, where policies are looked for and battles are recorded.
    """
    most = _replays(replays)
    return _wage(WarFolder.open(folder), Captains(root), root, most)


@app.command
def show(folder: Path, /, *, root: Path = RUNS) -> None:
    """How a war stands, or how it ended; writes its report again.

    Parameters
    ----------
    folder
        What `astrarium campaign run` wrote.
    root
        The folder of runs, where battles were recorded.
    """
    console = Console(highlight=False)
    _show(console, read_summary(folder))
    console.print(f"report: {write_report(folder, root)}", soft_wrap=True, markup=False)


@app.command
def refight(folder: Path, battle: str, /, *, root: Path = RUNS) -> int:
    """Fight a battle of a war again from its package and seed; exit with 1 if it differs.

    Parameters
    ----------
    folder
        What `astrarium campaign run` wrote.
    battle
        Its id, such as `d065-r0-r7`.
    root
        The folder of runs, where policies are looked for.
    """
    kept = battles.read(folder, battle)
    same = battles.refight(kept, Captains(root))
    console = Console(highlight=False)
    words = "comes out as it did" if same else "[red]comes out otherwise[/]"
    console.print(f"{escape(battle)} {words}")
    return 0 if same else UNFAIR


@app.command
def record(
    folder: Path,
    battle: str | None = None,
    /,
    *,
    every: Annotated[bool, cyclopts.Parameter(name="--all", negative=())] = False,
    root: Path = RUNS,
) -> None:
    """Fight a battle of a war again and keep its replay as a run, to be watched.

    Parameters
    ----------
    folder
        What `astrarium campaign run` wrote.
    battle
        Its id, such as `d065-r0-r7`.
    every
        Every battle of the war that is not recorded yet.
    root
        The folder of runs.
    """
    # Brings the trainer's recorder, which no other command of a war needs.
    from astrarium.campaign import recording

    if (battle is None) is not every:
        raise ConfigError("say which battle to record by its id, or --all for every one")
    console = Console(highlight=False)
    names = [battle] if battle is not None else battles.names(folder)
    done = battles.recorded(folder, root) if every else {}
    for name in (name for name in names if name not in done):
        kept = recording.record(folder, name, root)
        console.print(f"recorded: {kept.run_id} {kept.replay_id}", soft_wrap=True, markup=False)
    if read_summary(folder)["finished"]:
        write_report(folder, root)


@app.command
def balance(
    *,
    seeds: int = 20,
    first_seed: int = 1,
    days: int = 365,
    plan: Path | None = None,
    page: Path | None = None,
) -> int:
    """Wage many wars; exit with 1 if one faction wins too many, or too little happens.

    No faction shall win more than 80 % of them. Of wars of a year, most shall see five battles and
    a convoy raid, and none shall take more than a minute.

    Parameters
    ----------
    seeds
        How many wars.
    first_seed
        The seed of the first; the others follow.
    days
        How long each lasts at most.
    plan
        A plan of your own in TOML, in place of the shipped one.
    page
        A page of the docs to put the table into, between its marks.
    """
    machine = facts()
    if page is not None:
        pages.check(page, "campaign balance", machine.commit)
    count = arguments.count("seeds", seeds, 10_000)
    rules = plans.load(None if plan is None else plans.read(plan))
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
    return UNFAIR if weighed.faults() else 0


def _doctrines(rules: plans.Plan, given: tuple[str, ...], captains: Captains) -> dict[str, str]:
    chosen: dict[str, str] = {}
    known = [faction.id for faction in rules.factions]
    for words in given:
        faction, mark, doctrine = words.partition("=")
        if not mark or faction not in known:
            raise ConfigError(
                f"--doctrine {words!r}: give FACTION=DOCTRINE with one of {', '.join(known)}"
                f"{did_you_mean(faction, known)}"
            )
        chosen[faction] = captains.settled(doctrine)
    captains.check(chosen)
    return chosen


def _check_same(
    folder: WarFolder,
    *,
    seed: int,
    days: int | None,
    grace: float | None,
    doctrines: dict[str, str],
) -> None:
    """Refuse to go on with a war as one that it is not."""
    factions = folder.war.factions
    asked = [
        ("seed ", folder.war.seed, seed),
        ("days ", folder.days, days),
        ("grace ", folder.plan.scale.grace, grace),
        *((f"doctrine {name}=", factions[name].doctrine, one) for name, one in doctrines.items()),
    ]
    for what, has, given in asked:
        if given is not None and given != has:
            raise ConfigError(
                f"{folder.path} holds a war with --{what}{has}, not --{what}{given}; say the same "
                "to go on with it, or give another --out"
            )


def _check_plan(folder: WarFolder, path: Path) -> None:
    """Refuse to go on with a war under another plan than it was begun with."""
    given = plans.load(plans.read(path))
    # How long grace lasts has an option of its own.
    if given.model_copy(update={"scale": folder.plan.scale}) != folder.plan:
        raise ConfigError(
            f"{folder.path} holds a war of another plan than {path}; leave --plan out to go on "
            "with it, or give another --out"
        )


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


def _replays(given: int) -> int:
    """How many battles to record at most; refused before anything is written."""
    return arguments.count("replays", given) if given else 0


def _wage(folder: WarFolder, captains: Captains, root: Path, most: int) -> int:
    with contextlib.closing(folder):
        return _waged(folder, captains, root, most)


def _waged(folder: WarFolder, captains: Captains, root: Path, most: int) -> int:
    if most:
        battles.check_name(folder.path, folder.plan, folder.days)
    # A captain who is gone is missed now, not on the day of a battle.
    captains.check({faction.id: faction.doctrine for faction in folder.war.factions.values()})
    console = Console(highlight=False)
    last = "finishing the day; Ctrl-C again stops at once"
    with _bar(console) as bar, Interrupts(lambda: say_at_once(last)) as interrupts:
        task = bar.add_task("day", total=folder.days, completed=folder.war.day)
        tell = _teller(bar, task)
        war = warring.wage(folder, captains, told=tell, stop=interrupts.asked, runs=root)
        wanted = battles.largest(folder.path, most) if war.ended_by else []
        done = battles.recorded(folder.path, root) if wanted else {}
        faults: list[str] = []
        for name in wanted:
            if name not in done and not interrupts.asked():
                bar.update(task, description=f"recording {name}")
                faults += _record(folder.path, name, root)
        if wanted:
            write_report(folder.path, root)
    _show(console, read_summary(folder.path))
    place = escape(str(folder.path))
    if not war.ended_by:
        console.print(f"stopped; go on with [bold]astrarium campaign resume {place}[/]")
        return INTERRUPTED
    for fault in faults:
        console.print(f"not recorded: {fault}", soft_wrap=True, markup=False)
    console.print(f"report: {folder.path / 'report.html'}", soft_wrap=True, markup=False)
    return 0


def _record(war: Path, name: str, root: Path) -> list[str]:
    """Record a battle of a war that is over; what went wrong.

    One that another build fought may not come out again, and the war is over all the same.
    """
    from astrarium.campaign import recording

    try:
        recording.record(war, name, root)
    except (WarFolderError, RunExistsError) as fault:
        return [str(fault)]
    return []


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
    print_table(console, standing)
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
    print_table(console, fought)
