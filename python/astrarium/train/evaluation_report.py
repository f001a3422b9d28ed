"""An evaluation written down: the parts of a JSON report, and a page in Markdown."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from astrarium.train.evaluate import Evaluation
from astrarium.train.intervals import Interval
from astrarium.worlds import ladder
from astrarium.worlds.registry import Yardstick


def config_of(evaluation: Evaluation) -> dict[str, Any]:
    """What was played, enough to play it again."""
    rules = evaluation.rules
    return {
        "world": evaluation.entry.id,
        "world_config": evaluation.config.model_dump(mode="json"),
        "episodes": rules.episodes,
        "seed": rules.seed,
        "steps_max": rules.steps_max,
        "threads": rules.threads,
        "held_out": evaluation.held_out(),
        "runs": [dict(one.facts) for one in evaluation.contenders.values()],
        "versus": evaluation.bots,
    }


def results_of(evaluation: Evaluation, *, per_seed: bool) -> dict[str, Any]:
    """Every player, every comparison, every expectation; with `per_seed` every episode too."""
    several = len(evaluation.contenders) > 1
    results: dict[str, Any] = {
        "players": {name: _player(evaluation, name) for name in evaluation.records},
        "differences": [
            {"ours": ours, "theirs": theirs, "figures": _differences(evaluation, ours, theirs)}
            for ours, theirs in evaluation.pairs()
        ],
        "across_runs": {
            one.stat: evaluation.across_runs(one).as_dict() for one in evaluation.yardsticks
        }
        if several
        else None,
        "expectations": [
            {
                "stat": one.yardstick.stat,
                "bot": one.bot,
                "expected": one.words(),
                "differences": {name: found.as_dict() for name, found in one.differences.items()},
                "overall": one.overall.as_dict(),
                "pass": one.passed,
            }
            for one in evaluation.expectations()
        ],
        "digest": ladder.digest_of(evaluation.records.values()),
    }
    if per_seed:
        results["episodes"] = {name: record.rows() for name, record in evaluation.records.items()}
    return results


def _player(evaluation: Evaluation, name: str) -> dict[str, Any]:
    record = evaluation.records[name]
    contender = evaluation.contenders.get(name)
    return {
        "kind": kind_of(evaluation, name),
        **({} if contender is None else contender.facts),
        "figures": {
            one.stat: evaluation.figure(name, one).as_dict() for one in evaluation.yardsticks
        },
        "summary": record.summary(),
        "digest": record.digest,
        "seconds": record.seconds,
    }


def _differences(evaluation: Evaluation, ours: str, theirs: str) -> dict[str, Any]:
    found = {one: evaluation.difference(ours, theirs, one) for one in evaluation.yardsticks}
    return {
        one.stat: {**difference.as_dict(), "verdict": verdict(difference, one)}
        for one, difference in found.items()
    }


def kind_of(evaluation: Evaluation, name: str) -> str:
    """What a player is: a run's policy or baseline, a bot, or an oracle that sees hidden state."""
    contender = evaluation.contenders.get(name)
    if contender is not None:
        return "baseline" if contender.is_baseline else "run"
    return "oracle" if name in evaluation.entry.sees_hidden else "bot"


def title_of(yardstick: Yardstick) -> str:
    """What a figure is called in a table."""
    return yardstick.stat.removesuffix("_total")


def verdict(difference: Interval, yardstick: Yardstick) -> str:
    """Whether a difference is one: `better`, `worse`, or `even` as far as these episodes tell."""
    sign = difference.sign if yardstick.higher_is_better else -difference.sign
    return {1: "better", -1: "worse", 0: "even"}[sign]


def number_words(value: float, yardstick: Yardstick, *, signed: bool = False) -> str:
    """A figure in about four digits; a share in per cent."""
    plus = "+" if signed else ""
    if yardstick.is_share:
        return f"{value:{plus}.1%}"
    decimals = 0 if abs(value) >= 1000 else 1 if abs(value) >= 100 else 2
    return f"{value:{plus},.{decimals}f}"


def interval_words(interval: Interval, yardstick: Yardstick, *, signed: bool = False) -> str:
    """A figure and its range."""
    value = number_words(interval.value, yardstick, signed=signed)
    if interval.low is None or interval.high is None:
        return value
    low, high = (
        number_words(end, yardstick, signed=signed) for end in (interval.low, interval.high)
    )
    return f"{value} ({low} to {high})"


def markdown(evaluation: Evaluation, *, per_seed: bool) -> str:
    """The whole evaluation as a page."""
    parts = [_head(evaluation), _players(evaluation), _compared(evaluation)]
    if len(evaluation.contenders) > 1:
        parts.append(_across(evaluation))
    if evaluation.expectations():
        parts.append(_expected(evaluation))
    if per_seed:
        parts.append(_seeds(evaluation))
    return "\n".join("\n".join(part) + "\n" for part in parts)


def _head(evaluation: Evaluation) -> Iterator[str]:
    rules = evaluation.rules
    yield f"# {', '.join(evaluation.contenders)} on {evaluation.entry.id}"
    yield ""
    last = rules.seed + rules.episodes - 1
    yield f"{rules.episodes:,} episodes of every player, seeds {rules.seed} to {last}."
    if evaluation.held_out():
        yield "No policy was trained or chosen on them."
    else:
        yield "**Not held out**: a run evaluated its own checkpoints on some of these seeds."
    yield "In brackets 95 % intervals: Student's t for means, Wilson's for shares, paired by seed"
    yield "for differences. Each holds for itself, not for all of them at once."


def _players(evaluation: Evaluation) -> Iterator[str]:
    yield "## Figures"
    yield ""
    rows = [
        [
            name if kind_of(evaluation, name) != "oracle" else f"{name} (sees the hidden state)",
            *(interval_words(evaluation.figure(name, one), one) for one in evaluation.yardsticks),
            f"{record.summary()['steps_mean']:,.1f}",
        ]
        for name, record in evaluation.records.items()
    ]
    yield from _table(["player", *map(title_of, evaluation.yardsticks), "steps"], rows)


def _compared(evaluation: Evaluation) -> Iterator[str]:
    yield "## Differences on the same episodes"
    yield ""
    rows: list[list[str]] = []
    for ours, theirs in evaluation.pairs():
        cells: list[str] = []
        for one in evaluation.yardsticks:
            difference = evaluation.difference(ours, theirs, one)
            words = interval_words(difference, one, signed=True)
            cells.append(f"{words} {verdict(difference, one)}")
        rows.append([ours, theirs, *cells])
    if rows:
        columns = ["player", "less", *map(title_of, evaluation.yardsticks)]
        yield from _table(columns, rows, texts=2)
    else:
        yield "Nobody else played."


def _across(evaluation: Evaluation) -> Iterator[str]:
    yield "## Across runs"
    yield ""
    yield f"Means of {len(evaluation.contenders)} runs; the intervals are over runs, not episodes."
    yield ""
    rows = [
        [title_of(one), interval_words(evaluation.across_runs(one), one)]
        for one in evaluation.yardsticks
    ]
    yield from _table(["figure", "mean of runs"], rows)


def _expected(evaluation: Evaluation) -> Iterator[str]:
    yield "## Expected of a trained policy"
    yield ""
    rows = [
        [
            one.words(),
            interval_words(one.overall, one.yardstick, signed=True),
            "yes" if one.passed else "**no**",
        ]
        for one in evaluation.expectations()
    ]
    yield from _table(["expectation", "difference", "reached"], rows)


def _seeds(evaluation: Evaluation) -> Iterator[str]:
    yield "## Return by seed"
    yield ""
    seeds = next(iter(evaluation.records.values())).columns["seed"].tolist()
    returns = [one.columns["return_total"].tolist() for one in evaluation.records.values()]
    rows = [
        [str(seed), *(f"{value:.3f}" for value in row)]
        for seed, *row in zip(seeds, *returns, strict=True)
    ]
    yield from _table(["seed", *evaluation.records], rows)


def _table(columns: Sequence[str], rows: Sequence[Sequence[str]], texts: int = 1) -> Iterator[str]:
    """A table whose first columns are texts and the others figures."""
    yield f"| {' | '.join(columns)} |"
    rules = ["---" if at < texts else "---:" for at in range(len(columns))]
    yield f"| {' | '.join(rules)} |"
    for row in rows:
        yield f"| {' | '.join(row)} |"
