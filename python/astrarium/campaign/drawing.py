"""A war in pictures: its map and its curves as SVG, without any library."""

from __future__ import annotations

from html import escape
from typing import Any, Final

_INK, _SEA, _LAND = "#33415c", "#eaf2f8", "#9aa5b1"
_MAP_PX: Final = 560
_CURVE_PX: Final = (340, 150)


def war_map(summary: dict[str, Any], holders: dict[str, str | None]) -> str:
    """The sea with its links, nodes in the colour of their holder, and where battles were."""
    colours = {faction["id"]: escape(faction["colour"]) for faction in summary["factions"]}
    seats = {faction["seat"] for faction in summary["factions"]}
    span = max(max(abs(node["x"]), abs(node["y"])) for node in summary["nodes"]) * 1.25
    scale = _MAP_PX / (2 * span)
    at = {
        node["id"]: ((node["x"] + span) * scale, (span - node["y"]) * scale)
        for node in summary["nodes"]
    }
    parts = [
        f'<svg viewBox="0 0 {_MAP_PX} {_MAP_PX}" role="img" aria-label="Map of the war" '
        f'style="background:{_SEA};max-width:{_MAP_PX}px">'
    ]
    for link in summary["links"]:
        (x1, y1), (x2, y2) = at[link["a"]], at[link["b"]]
        parts.append(
            f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{_LAND}" '
            f'stroke-dasharray="{4 * link["days"]} 3"/>'
        )
    parts += _battle_marks(summary, at)
    for node in summary["nodes"]:
        x, y = at[node["id"]]
        colour = colours.get(holders.get(node["id"]) or "", "#ffffff")
        radius = 13 if node["id"] in seats else 9
        parts.append(
            f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius}" fill="{colour}" stroke="{_INK}" '
            f'stroke-width="{2 if node["wreck"] else 1}"/>'
            f'<text x="{x:.1f}" y="{y - 17:.1f}" text-anchor="middle" font-size="11" '
            f'fill="{_INK}">{escape(node["name"])}{" ⚓" if node["wreck"] else ""}</text>'
        )
    return "".join((*parts, "</svg>"))


def _battle_marks(summary: dict[str, Any], at: dict[str, tuple[float, float]]) -> list[str]:
    """A ring for each battle where it was fought; on a link, in its middle."""
    counts: dict[str, int] = {}
    for battle in summary["battles"]:
        counts[battle["node"]] = counts.get(battle["node"], 0) + 1
    marks: list[str] = []
    for place, count in counts.items():
        ends = [at[end] for end in place.split("-")]
        x = sum(end[0] for end in ends) / len(ends)
        y = sum(end[1] for end in ends) / len(ends)
        marks.append(
            f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{14 + 2 * min(count, 10)}" fill="#d9303033" '
            f'stroke="#d93030"><title>{count} battles</title></circle>'
        )
    return marks


def curve(title: str, days: list[int], lines: list[tuple[str, str, list[float]]]) -> str:
    """One diagram: a line per faction, named with its colour and its values."""
    width, height = _CURVE_PX
    top = max((value for _, _, values in lines for value in values), default=0.0)
    low = min((value for _, _, values in lines for value in values), default=0.0)
    low = min(0.0, low)
    span = (top - low) or 1.0
    last = max(days[-1] if days else 1, 1)
    parts = [
        f'<svg viewBox="0 0 {width} {height}" role="img" aria-label="{escape(title)}" '
        f'style="max-width:{width}px;background:#fff">'
        f'<text x="6" y="14" font-size="12" fill="{_INK}">{escape(title)}</text>'
        f'<text x="6" y="{height - 4}" font-size="9" fill="{_LAND}">{low:.6g}</text>'
        f'<text x="{width - 6}" y="14" font-size="9" fill="{_LAND}" text-anchor="end">'
        f"{top:.6g}</text>"
        f'<text x="{width - 6}" y="{height - 4}" font-size="9" fill="{_LAND}" '
        f'text-anchor="end">day {last}</text>'
    ]
    for name, colour, values in lines:
        points = " ".join(
            f"{6 + (width - 12) * day / last:.1f},"
            f"{20 + (height - 36) * (1 - (value - low) / span):.1f}"
            for day, value in zip(days, values, strict=True)
        )
        parts.append(
            f'<polyline points="{points}" fill="none" stroke="{escape(colour)}" stroke-width="1.6">'
            f"<title>{escape(name)}</title></polyline>"
        )
    return "".join((*parts, "</svg>"))
