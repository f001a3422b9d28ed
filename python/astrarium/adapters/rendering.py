"""A world as a picture: what `render_mode="rgb_array"` returns, for films and notebooks.

Every picture has the same size. On the left is a map where the world has one, else the parts of the
observation as bars. On the right are the figures of the episode.
"""

from __future__ import annotations

import base64
import math
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import numpy.typing as npt

from astrarium import worlds
from astrarium.adapters.errors import explain_missing
from astrarium.morphospace import FOVEA_SHAPE
from astrarium.worlds import VectorWorld, WorldEntry
from astrarium.worlds.frames import Portrayed

if TYPE_CHECKING:
    from PIL import Image, ImageDraw, ImageFont

WIDTH: Final = 640
HEIGHT: Final = 480
_MAP: Final = 480
"""Width of the part on the left."""

Pixels = npt.NDArray[np.uint8]
Colour = str | tuple[int, int, int]
State = Mapping[str, Any]

_GROUND: Final = "#0c1326"
_TEXT: Final = "#e9eefb"
_MUTED: Final = "#a3b1d3"
_LINE: Final = "#263355"
_POSITIVE: Final = "#74cfd8"
_NEGATIVE: Final = "#f4b75f"
_TEAMS: Final = {"blue": "#6fb3ff", "red": "#ff7d72"}
_VENUES: Final = {
    "home": "#5b4a3c",
    "gym": "#2f4f66",
    "cafe": "#69453f",
    "grocer": "#5a5c33",
    "office": "#48466a",
    "park": "#37643f",
}
_COATS: Final = ("#ffb454", "#7cc7ff", "#a4e17a", "#ff9aa9", "#c9a8ff", "#5fe0cf", "#ffe06b")
_HEAT: Final = ((20, 255), (32, 190), (60, 90))
_SEA: Final = ((16, 90), (38, 140), (66, 170))
"""Red, green and blue at the least and the greatest value."""
_ORES: Final = ("#c98f6b", "#b9c0c9", "#8fd3ff", "#f3c971", "#c9a8ff", "#a4e17a")


def picture(world: VectorWorld, index: int, agents: Sequence[int]) -> Pixels:
    """Return world `index` as (HEIGHT, WIDTH, 3) bytes; `agents` are the slots to look at."""
    try:
        from PIL import Image, ImageDraw
    except ModuleNotFoundError as error:
        explain_missing(error, "gym", "PIL")
    entry = worlds.get(world.world_id).under(world.config)
    image = Image.new("RGB", (WIDTH, HEIGHT), _GROUND)
    pen = ImageDraw.Draw(image)
    family = world.world_id.rpartition("-v")[0]
    state = world.portrait(index) if isinstance(world, Portrayed) else None
    if state and family in _FROM_STATE:
        if (sea := _noise(state)) is not None:
            image.paste(sea, (0, 0))
        _FROM_STATE[family](pen, state, [entry.agent_names[slot] for slot in agents])
    elif family in _FROM_OBSERVATION:
        _FROM_OBSERVATION[family](pen, _fields(entry, world, index, 0))
    else:
        _draw_fields(pen, entry, world, index, agents)
    _draw_figures(pen, entry, world, index)
    return np.asarray(image)


@lru_cache(maxsize=8)
def _font(size: int) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    from PIL import ImageFont

    return ImageFont.load_default(size)


def _write(
    pen: ImageDraw.ImageDraw, at: tuple[float, float], text: str, ink: Colour, size: int = 11
) -> None:
    pen.text(at, text, fill=ink, font=_font(size))


def _disc(pen: ImageDraw.ImageDraw, x: float, y: float, radius: float, ink: Colour) -> None:
    pen.ellipse((x - radius, y - radius, x + radius, y + radius), fill=ink)


def _bar(pen: ImageDraw.ImageDraw, box: tuple[float, float, float], value: float) -> None:
    """Draw a value in -1..1 as a bar at `(x, y, width)`."""
    x, y, width = box
    pen.rectangle((x, y, x + width, y + 5), fill=_LINE)
    length = min(1.0, abs(value)) * width
    if length >= 1.0:
        pen.rectangle((x, y, x + length, y + 5), fill=_NEGATIVE if value < 0 else _POSITIVE)


def _draw_figures(
    pen: ImageDraw.ImageDraw, entry: WorldEntry, world: VectorWorld, index: int
) -> None:
    """Write the world's name and the figures of the episode on the right."""
    left = _MAP + 8
    _write(pen, (left, 6), entry.title, _TEXT, 15)
    _write(pen, (left, 26), f"seed {world.episode_seed[index]}", _MUTED, 9)
    figures = zip(world.layout.stats, world.stats[index].tolist(), strict=True)
    shown = [(name, value) for name, value in figures if value][: (HEIGHT - 48) // 13]
    for line, (name, value) in enumerate(shown):
        _write(pen, (left, 44 + 13 * line), f"{name[:17]} {value:.4g}", _MUTED, 10)


def _fields(entry: WorldEntry, world: VectorWorld, index: int, slot: int) -> dict[str, float]:
    """Return what one agent sees, by name."""
    return dict(zip(entry.obs_names, world.obs[index, slot].tolist(), strict=True))


def _draw_fields(
    pen: ImageDraw.ImageDraw,
    entry: WorldEntry,
    world: VectorWorld,
    index: int,
    agents: Sequence[int],
) -> None:
    """Draw the fields of each agent's observation that are not zero, as bars in columns."""
    rows, width = 33, 158
    cells = 3 * rows // max(1, len(agents))
    for order, slot in enumerate(agents):
        shown = [pair for pair in _fields(entry, world, index, slot).items() if pair[1]]
        for line in range(min(cells, len(shown) + 1)):
            column, row = divmod(order * cells + line, rows)
            x, y = 6 + column * width, 4 + row * 14.3
            if line == 0:
                _write(pen, (x, y), entry.agent_names[slot], _TEXT, 13)
                continue
            name, value = shown[line - 1]
            _write(pen, (x, y), name[-19:], _MUTED, 9)
            _bar(pen, (x + 98, y + 3, width - 106), value)


def _draw_ship(pen: ImageDraw.ImageDraw, seen: Mapping[str, float]) -> None:
    """Draw the ship's gauges, the asteroids in reach, and what they are made of."""
    gauges = [name for name in seen if name.endswith("_frac")]
    for line, name in enumerate(gauges):
        _write(pen, (10, 8 + 16 * line), name.removesuffix("_frac"), _MUTED)
        _bar(pen, (90, 12 + 16 * line, 370), seen[name])
    for number in range(16):
        name = f"asteroid[{number}]"
        if not seen[f"{name}.valid"]:
            continue
        x, y = 62 + number % 4 * 118, 160 + number // 4 * 84
        radius = 30 * math.sqrt(max(0.08, 1.0 - seen[f"{name}.depletion"]))
        shares = [value for key, value in seen.items() if key.startswith(f"{name}.comp_est")]
        if seen[f"{name}.selected"]:
            _disc(pen, x, y, radius + 4, _TEXT)
        angle = -90.0
        for ore, share in zip(_ORES, shares, strict=True):
            box = (x - radius, y - radius, x + radius, y + radius)
            if share > 0.003:
                pen.pieslice(box, angle, angle + 360.0 * share, fill=ore)
            angle += 360.0 * share
        _disc(pen, x, y, radius * (1.0 - seen[f"{name}.scan_conf"]) * 0.7, _GROUND)
    if seen["at_station"]:
        _write(pen, (10, HEIGHT - 22), "at the station", _TEXT, 13)


def _draw_fovea(pen: ImageDraw.ImageDraw, seen: Mapping[str, float]) -> None:
    """Draw what a boat feels around it: a disc for each field and layer, its bow upwards.

    The shells are the rings of a disc and the wedges its sectors.
    """
    values = np.array(list(seen.values())).reshape(FOVEA_SHAPE)
    layers, shells, wedges, fields = FOVEA_SHAPE
    names = [name.partition("[")[2].rstrip("]") for name in list(seen)[:fields]]
    rings = (52.0, 35.0, 18.0)
    for plot in range(layers * fields):
        layer, field = divmod(plot, fields)
        x, y = 60.0 + 120.0 * field, 88.0 + 150.0 * layer
        _write(pen, (x - 52, y - 76), names[field], _MUTED, 10)
        for ring, radius in enumerate(rings):
            for wedge in range(wedges):
                strength = values[layer, shells - 1 - ring, wedge, field] / 2 + 0.5
                # Wedges go to the left of the bow, the angles of the pen to the right.
                angle = -90.0 - (wedge + 0.5) * 360.0 / wedges
                box = (x - radius, y - radius, x + radius, y + radius)
                red, green, blue = (int(low + (high - low) * strength) for low, high in _HEAT)
                pen.pieslice(box, angle, angle + 360.0 / wedges, fill=(red, green, blue))
        _disc(pen, x, y, 2.5, _TEXT)


def _draw_town(pen: ImageDraw.ImageDraw, state: State, agents: Sequence[str]) -> None:
    """Draw the grid, its things and its people; those looked at have a ring."""
    ground = state["ground"]
    scale = _MAP / max(ground["size"])
    width, height = (size * scale for size in ground["size"])
    clock = state["tod"] / ground["ticks_per_day"]
    light = 0.62 + 0.38 * math.sin(math.pi * min(1.0, max(0.0, clock)))
    pen.rectangle((0, 0, width, height), fill=tuple(int(light * part) for part in (44, 70, 54)))
    for thing in state["objects"].values():
        x, y = thing["position"]
        ink = _VENUES.get(thing.get("venue", ""), "#b9ad95")
        box = ((x - 0.9) * scale, (y - 0.9) * scale, (x + 1.9) * scale, (y + 1.9) * scale)
        pen.rectangle(box, fill=ink)
    for thing in state["objects"].values():
        x, y = thing["position"]
        box = ((x + 0.15) * scale, (y + 0.15) * scale, (x + 0.85) * scale, (y + 0.85) * scale)
        pen.rectangle(box, fill="#e9e2d0")
    for person in state["agents"].values():
        x, y = ((part + 0.5) * scale for part in person["position"])
        if len(agents) == 1 and f"seat_{person['seat']}" in agents:
            _disc(pen, x, y, 0.85 * scale, _TEXT)
        serial: int = person["serial"]
        _disc(pen, x, y, 0.6 * scale, _COATS[serial % len(_COATS)])
        need = min(person["needs"].values())
        pen.rectangle((x - 6, y - 11, x - 6 + 12 * max(0.0, need), y - 9), fill=_POSITIVE)
    _write(pen, (6, 4), f"day {state['day']}  tick {state['tod']}", _TEXT, 13)


def _draw_battle(pen: ImageDraw.ImageDraw, state: State, agents: Sequence[str]) -> None:
    """Draw the sea, what moves on and over it, and each ship's hull points."""
    area = state["map"]
    scale = _MAP / max(area["max_x"] - area["min_x"], area["max_y"] - area["min_y"])

    def at(thing: State) -> tuple[float, float]:
        return (thing["x"] - area["min_x"]) * scale, (area["max_y"] - thing["y"]) * scale

    for island in area["obstacles"]:
        if island["shape"] == "circle":
            _disc(pen, *at(island), max(2.0, island["r"] * scale), "#6b6a4f")
    for kind, ink in (("mines", "#d0d6e6"), ("decoys", _NEGATIVE), ("squadrons", _TEXT)):
        for thing in state[kind].values():
            _disc(pen, *at(thing), 2.0, ink)
    for shot in state["rounds"].values():
        x, y = at(shot)
        ink = _TEAMS.get(shot["team"], _TEXT)
        pen.line((x, y, x - shot["vx"] * scale, y + shot["vy"] * scale), fill=ink)
    for ship in state["ships"].values():
        x, y = at(ship)
        ahead = (math.cos(ship["heading"]), -math.sin(ship["heading"]))
        ink = _TEAMS.get(ship["team"], _TEXT)
        if "sunk" in ship["flags"] or ship["hp"] <= 0.0:
            ink = _MUTED
        hull = [(9, 0), (-6, 4), (-6, -4)]
        points = [
            (x + along * ahead[0] - side * ahead[1], y + along * ahead[1] + side * ahead[0])
            for along, side in hull
        ]
        if ship["name"] in agents:
            pen.ellipse((x - 12, y - 12, x + 12, y + 12), outline=_TEXT)
        pen.polygon(points, fill=ink)
        pen.rectangle((x - 8, y + 12, x - 8 + 16 * max(0.0, ship["hp"]), y + 14), fill=_POSITIVE)
    clock = f"{state['tick']} s of {state['time_limit']} s"
    _write(pen, (6, 4), clock, _TEXT, 13)


def _noise(state: State) -> Image.Image | None:
    """Return the sea shaded by the noise at its surface, where the world has a sea."""
    from PIL import Image

    noise = state.get("fields", {}).get("noise")
    if not noise:
        return None
    shape = (noise["h"], noise["w"])
    levels = np.frombuffer(base64.b64decode(noise["layers"]["surface"]), np.uint8).reshape(shape)
    low, high = np.array(_SEA, np.float64).T
    shaded = low + (high - low) * (levels[::-1, :, np.newaxis] / 255.0)
    whole = Image.fromarray(shaded.astype(np.uint8))
    return whole.resize((_MAP, _MAP), Image.Resampling.BILINEAR)


_FROM_STATE: Final[Mapping[str, Callable[[ImageDraw.ImageDraw, State, Sequence[str]], None]]] = {
    "townlet": _draw_town,
    "tidebreak": _draw_battle,
}
"""Drawings of worlds by their render state."""
_FROM_OBSERVATION: Final[
    Mapping[str, Callable[[ImageDraw.ImageDraw, Mapping[str, float]], None]]
] = {
    "prospector": _draw_ship,
    "fieldseeker": _draw_fovea,
}
"""Drawings of worlds whose render state is what their agent sees."""
