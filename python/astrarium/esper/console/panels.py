"""What each part of the dashboard shows: functions of a snapshot, the same for every terminal."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from astrarium.esper.console import words
from astrarium.esper.console.follow import Standing
from astrarium.esper.console.snapshot import SHAPING, HostSeen, Snapshot
from astrarium.esper.contracts.happening import Happening
from astrarium.esper.contracts.happenings import severity_of
from astrarium.esper.contracts.host_happenings import LastAction

Cell = str | Text
GRAVE: Final = ("critical", "error", "warning")
DECISION_COLUMNS: Final = ("#", "asked for", "done", "reward", "prob", "value", "mostly / why not")
_SHAPING_HEALTHY: Final = (0.10, 0.40)
_GAMING_HEALTHY: Final = (0.00, 0.05)
_TERMS_SHOWN: Final = 8


@dataclass(frozen=True, slots=True)
class Rows:
    """A table before it is drawn: each row with what it is about."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, tuple[Cell, ...]], ...]
    gap: int = 2
    """Spaces between columns."""

    def drawn(self) -> RenderableType:
        """As it is printed."""
        return plain_table(self.columns, [cells for _, cells in self.rows], self.gap)


def plain_table(
    columns: Sequence[str], rows: Sequence[Sequence[Cell]], gap: int = 2
) -> RenderableType:
    """A table without frames, or a word where it has no rows."""
    if not rows:
        return Text("nothing yet", "dim")
    table = Table(box=None, padding=(0, gap, 0, 0), header_style="dim", show_header=any(columns))
    for at, column in enumerate(columns):
        # Where there is too little room, the last column alone gives way.
        longest = max(len(column), *(len(cells[at]) for cells in rows))
        table.add_column(column, no_wrap=True, min_width=longest if at < len(columns) - 1 else 1)
    for cells in rows:
        table.add_row(*cells)
    return table


def header(seen: Snapshot, standing: Standing) -> Text:
    """The run in two lines."""
    run, speed = seen.run, seen.epochs_per_second
    lines = Text(no_wrap=True, overflow="ellipsis")
    if run is not None:
        lines.append(run.task, "bold").append(f" · {run.controller} · {run.reward_mode} · ")
    lines.append(standing.status, "green" if standing.status == "running" else "bold")
    if standing.unread:
        lines.append(f" · {1 - standing.unread:.0%} read", "cyan")
    elif standing.silence:
        news = f"{standing.silence.upper()}: no news for {words.duration(standing.age_seconds)}"
        lines.append(f" · {news}", "bold red" if standing.silence == "stale" else "yellow")
    lines.append(f" · {standing.run_id}")
    if run is None:
        return lines.append("\nwaiting for the first line of its events")
    figures = [
        "no rounds" if run.max_rounds is None else f"round {seen.rounds}/{run.max_rounds}",
        f"{seen.episodes:,} episodes",
        f"{seen.epochs:,} epochs",
        f"{words.NOTHING if speed is None else format(speed, '.3g')} epochs/s",
    ]
    if standing.status == "running":
        figures.append(f"{words.duration(seen.seconds_left)} left")
    return lines.append("\n" + " · ".join(figures))


def strip(seen: Snapshot) -> Text:
    """Grave anomalies in one line: how many of each severity, and the newest of all kept."""
    line = Text(no_wrap=True, overflow="ellipsis")
    for severity in GRAVE:
        if count := seen.anomaly_counts.get(severity):
            line.append(f"{count} {severity} · ", words.SEVERITY_STYLES[severity])
    newest = (one for one in seen.anomalies if severity_of(one) in GRAVE)
    return line.append(next(map(words.told, newest), Text("no grave anomalies lately", "dim")))


def hosts(seen: Snapshot, width: int) -> Rows:
    """Every host in a row, with as much of courses and names of blueprints as the width holds."""
    slots = () if seen.run is None else tuple(slot.slot_id for slot in seen.run.slots)
    course = min(16, max(0, width - 100))
    letters = min(14, max(1, (width - 32 - course) // max(1, len(slots)) - 6))
    columns = ("#", "acc", *(["course"] if course else []), "growth", "epoch", "spent", *slots)
    max_epochs = 0 if seen.run is None else seen.run.max_epochs
    rows: list[tuple[str, tuple[Cell, ...]]] = []
    for host in seen.hosts:
        cells = [str(host.env), words.NOTHING, *[""] * (len(columns) - 2)]
        if (epoch := host.epoch) is not None:
            there, budget = {seed.slot_id: seed for seed in epoch.seeds}, epoch.budget_epochs
            cells = [
                str(host.env),
                f"{epoch.val_accuracy:4.1f}{words.ARROWS[host.trend]}",
                *([words.spark(host.course, course)] if course else []),
                words.growth(epoch.param_ratio),
                f"{epoch.epoch}/{max_epochs}",
                words.NOTHING if budget is None else f"{epoch.spent_epochs / budget:.0%}",
                *(words.seed_cell(there.get(slot), letters) for slot in slots),
            ]
        # Spaced by hand: a table's own spaces on both sides would not leave room for the slots.
        rows.append((str(host.env), tuple(Text.assemble(cell, " ") for cell in cells)))
    return Rows(tuple(f"{column} " for column in columns), tuple(rows), gap=0)


def decisions(seen: Snapshot) -> Rows:
    """The latest of each host."""
    decided = [host for host in seen.hosts if host.decisions]
    keyed = ((str(host.env), host.decisions[0]) for host in decided)
    return Rows(DECISION_COLUMNS, tuple((key, decision_cells(one, key)) for key, one in keyed))


def decision_cells(one: LastAction, first: str) -> tuple[Cell, ...]:
    """A decision in a row that begins with `first`."""
    largest = max(one.components, key=lambda name: abs(one.components[name]), default="")
    mostly = f"{largest} {words.signed(one.components[largest])}" if largest else ""
    return (
        first,
        " ".join(filter(None, (one.op, one.slot_id, one.blueprint))),
        Text("yes", "green") if one.success else Text("no", "yellow"),
        words.signed(one.reward),
        words.share(one.probability),
        words.signed(one.value),
        mostly if one.success else one.reason,
    )


def seeds(host: HostSeen | None) -> Rows:
    """What is in the slots of a host."""
    there = host.epoch.seeds if host is not None and host.epoch is not None else ()
    rows = (
        (
            *(seed.slot_id, seed.stage.lower()),
            f"{words.alpha(seed.alpha)}→{words.alpha(seed.alpha_target)}",
            *(seed.blueprint, words.signed(seed.contribution), f"{seed.params:,}"),
        )
        for seed in there
    )
    columns = ("slot", "stage", "alpha", "blueprint", "worth", "params")
    return Rows(columns, tuple((cells[0], cells) for cells in rows))


def worth(host: HostSeen | None) -> RenderableType:
    """What the seeds of a host are worth: with and without them, and on average."""
    parts: list[RenderableType] = []
    if host is not None and (epoch := host.epoch) is not None:
        parts.append(
            f"now {epoch.val_accuracy:.1f}, only what is kept {epoch.committed_accuracy:.1f}, "
            f"host alone {epoch.host_accuracy:.1f}"
        )
    if host is not None and (matrix := host.matrix) is not None:
        rows = [
            (*("on" if on else "off" for on in config), f"{got:.1f}", f"{got - first:+.1f}")
            for first in matrix.accuracies[:1]
            for config, got in zip(matrix.configs, matrix.accuracies, strict=False)
        ]
        parts.append(plain_table((*matrix.slot_ids, "accuracy", "change"), rows))
    if host is not None and (shapley := host.shapley) is not None:
        parts.append(Text(f"on average (Shapley), episode {shapley.episode}", "dim"))
        averages = zip(shapley.slot_ids, shapley.means, shapley.stds, strict=False)
        parts += [f"{slot} {mean:+.2f} ± {std:.2f}" for slot, mean, std in averages]
    return Group(*parts) if parts else Text("nothing yet", "dim")


def policy(seen: Snapshot) -> RenderableType:
    """How the policy learns, and what came of its last round."""
    learned, over, choices = seen.policy, seen.round_over, seen.choices
    if seen.run is not None and seen.run.max_rounds is None:
        return Text(f"no policy: {seen.run.controller} decides by rules", "dim")
    if learned is None:
        return Text("no round is over yet", "dim")
    rows = [
        (name.replace("_", " "), words.figure(getattr(learned, name)), words.spark(course, 24))
        for name, course in seen.policy_course.items()
    ]
    rows += [
        (f"{head} entropy".replace("_", " "), words.figure(entropy), "of 1")
        for head, entropy in learned.head_entropies.items()
    ]
    rows += [(name, words.figure(value), "") for name, value in sorted(learned.more.items())]
    if over is not None:
        rolling = f"rolling {words.figure(over.rolling_accuracy)}"
        rows.append(("accuracy", words.figure(over.avg_accuracy), rolling))
        rows.append(("reward", words.figure(over.avg_reward), "of an episode"))
    if choices is not None:
        rows += [
            (op, f"{choices.done.get(op, 0)}/{n}", "done/asked") for op, n in choices.asked.items()
        ]
    return plain_table(("figure", "last", "over rounds"), rows)


def rewards(seen: Snapshot) -> RenderableType:
    """Whether the reward rewards what is wanted."""
    health = seen.health
    shares = [
        ("shaping", *_judged(health.shaping_share, *_SHAPING_HEALTHY)),
        ("gaming", *_judged(health.gaming_share, *_GAMING_HEALTHY)),
    ]
    terms = [
        (name + (" (shaping)" if name in SHAPING else ""), f"{mean:+.4f}")
        for name, mean in list(health.terms.items())[:_TERMS_SHOWN]
    ]
    return Group(
        plain_table(("share of", "", "", "healthy is"), shares),
        Text(f"terms, mean of the last {health.steps} decisions", "dim"),
        plain_table(("", ""), terms),
    )


def _judged(found: float | None, low: float, high: float) -> tuple[Cell, ...]:
    """A share, whether it is within its bounds, and those."""
    bounds = f"{low:.0%} to {high:.0%}"
    if found is None:
        return words.NOTHING, "", bounds
    verdict = "too little" if found < low else "too much" if found > high else "healthy"
    return words.share(found), Text(verdict, "green" if verdict == "healthy" else "yellow"), bounds


def best(seen: Snapshot) -> RenderableType:
    """The best episodes so far."""
    rows = [
        (
            f"{one.final_accuracy:.1f}",
            words.growth(one.param_ratio),
            f"{one.num_contributing_fossilized}/{one.num_fossilized}",
            f"{one.episode_reward:+.2f}",
            f"{one.env}/{one.episode}"
            + ("" if one.outcome_type == "finished" else f" {one.outcome_type.replace('_', ' ')}"),
        )
        for one in seen.best
    ]
    return plain_table(("acc", "growth", "useful", "reward", "host/episode"), rows)


def texts(seen: Snapshot) -> dict[str, RenderableType]:
    """The panels about the whole run, by name."""
    return {
        "policy": policy(seen),
        "rewards": rewards(seen),
        "best": best(seen),
        "log": _lines(seen.log),
        "anomalies": _lines(seen.anomalies),
    }


def _lines(happened: Sequence[Happening]) -> RenderableType:
    return Group(*map(words.told, happened)) if happened else Text("nothing yet", "dim")
