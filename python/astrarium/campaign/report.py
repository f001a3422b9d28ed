"""The end-of-war report: one page with the map, the curves and every battle."""

from __future__ import annotations

from html import escape
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

import msgspec

from astrarium.atomic import write_text
from astrarium.campaign.battles import recorded
from astrarium.campaign.drawing import curve, war_map
from astrarium.campaign.folder import DAYS, DAYS_END, read_summary
from astrarium.campaign.shapes import read_days
from astrarium.runs.journal import JournalEnd

_STYLE: Final = """
body { font: 15px/1.5 system-ui, sans-serif; color: #33415c; margin: 2rem auto; max-width: 62rem;
       padding: 0 1rem; background: #f7f9fb }
h1, h2 { font-weight: 600 } svg { width: 100%; height: auto; border: 1px solid #d5dde5 }
.curves { display: grid; gap: 10px;
          grid-template-columns: repeat(auto-fill, minmax(min(100%, 300px), 1fr)) }
.wide { overflow-x: auto } table { border-collapse: collapse; width: 100%; min-width: 46rem }
td, th { padding: 3px 10px; border-bottom: 1px solid #d5dde5; text-align: left }
.key { display: inline-block; width: 0.8em; height: 0.8em; margin: 0 0.3em 0 1em }
"""
_ENDINGS: Final = {
    "seat_fell": "the seat of the other fell",
    "score": "by what was left when time was up",
    "draw": "neither had the better of it",
    "going_on": "the war goes on",
}
_OBSERVATORY: Final = "http://127.0.0.1:8000/"
"""Where `astrarium serve` answers, unless it was told otherwise."""
_DRAWN: Final = (
    ("ships", "Ships"),
    ("value", "Value of the fleets"),
    ("legitimacy", "Legitimacy"),
    ("morale", "Morale"),
    ("prosperity", "Prosperity"),
    ("nodes", "Nodes held"),
    ("people", "People"),
)


def write_report(path: Path, runs: Path) -> Path:
    """Write `report.html` into a war's folder; returns where.

    Battles that were recorded below `runs` get a link to their replay.
    """
    summary = read_summary(path)
    days = read_days(path / DAYS, msgspec.convert(summary[DAYS_END], JournalEnd))
    last: dict[str, Any] = days[-1] if days else {"nodes": {}}
    holders = {name: node["holder"] for name, node in last["nodes"].items()}
    write_text(path / "report.html", page(summary, holders, recorded(path, runs)))
    return path / "report.html"


def page(summary: dict[str, Any], holders: dict[str, str | None], replays: dict[str, str]) -> str:
    """The report as HTML. `replays` are the runs of battles that were recorded."""
    names = {faction["id"]: faction["name"] for faction in summary["factions"]}
    winner = names.get(summary["winner"] or "", "Nobody")
    keys = "".join(
        f'<span class="key" style="background:{escape(f["colour"])}"></span>{escape(f["name"])}'
        for f in summary["factions"]
    )
    return (
        f'<!doctype html><html lang="en"><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>A war of {summary['days']} days</title><style>{_STYLE}</style>"
        f"<h1>{escape(winner)} {'wins' if summary['winner'] else 'won'}</h1>"
        f"<p>Day {summary['days']} of {summary['days_planned']}: "
        f"{_ENDINGS[summary['ended_by']]}. Seed {summary['seed']}, log "
        f"<code>{escape(summary['log_hash'][:16])}</code>. {keys}</p>"
        f"{war_map(summary, holders)}<h2>Curves</h2>"
        f'<div class="curves">{"".join(_curves(summary))}</div>'
        f"<h2>Battles</h2>{_battles(summary, names, replays)}</html>\n"
    )


def _curves(summary: dict[str, Any]) -> list[str]:
    drawn, factions = summary["curves"], summary["factions"]

    def lines(pick: list[str]) -> list[tuple[str, str, list[float]]]:
        found: list[tuple[str, str, list[float]]] = []
        for faction in factions:
            values: Any = drawn[faction["id"]]
            for key in pick:
                values = values[key]
            found.append((faction["name"], faction["colour"], values))
        return found

    curves = [curve(title, drawn["day"], lines([key])) for key, title in _DRAWN]
    stocks = list(drawn[factions[0]["id"]]["stocks"])
    return curves + [
        curve(f"Stocks: {stock}", drawn["day"], lines(["stocks", stock])) for stock in stocks
    ]


def _battles(summary: dict[str, Any], names: dict[str, str], replays: dict[str, str]) -> str:
    places = {node["id"]: node["name"] for node in summary["nodes"]}
    rows: list[str] = []
    for battle in summary["battles"]:
        where = " – ".join(places[end] for end in battle["node"].split("-"))
        losses = "; ".join(
            f"{escape(names[name])}: {side['lost']} lost, {side['captured']} taken of "
            f"{side['ships']}, {side['killed']} dead"
            for name, side in battle["sides"].items()
        )
        rows.append(
            f"<tr><td>{battle['day']}</td><td>{escape(where)}</td><td>{escape(battle['kind'])}</td>"
            f"<td>{escape(names.get(battle['winner'] or '', 'nobody'))}</td><td>{losses}</td>"
            f'<td><a href="{escape(battle["file"])}">{escape(battle["id"])}</a></td>'
            f"<td>{_watch(replays.get(battle['id']))}</td></tr>"
        )
    titles = ("Day", "Where", "Kind", "Won by", "Losses", "Fight it again", "Watch it")
    head = "".join(f"<th>{title}</th>" for title in titles)
    table = f"<table><tr>{head}</tr>{''.join(rows)}</table>"
    # It is wider than a phone, and whoever has no mouse scrolls what has the focus.
    return f'<div class="wide" role="region" aria-label="Battles" tabindex="0">{table}</div>'


def _watch(run: str | None) -> str:
    if run is None:
        return "not recorded"
    return f'<a href="{_OBSERVATORY}#/watch?run={quote(run)}">Watch</a>'
