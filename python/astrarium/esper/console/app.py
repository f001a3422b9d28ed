"""The dashboard on a terminal: filled anew whenever there is news."""

from __future__ import annotations

from functools import partial
from typing import ClassVar, Final

from rich.text import Text
from textual import on
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container, VerticalScroll
from textual.screen import Screen
from textual.widgets import DataTable, Footer, Static

from astrarium.errors import AstrariumError
from astrarium.esper.console import details, panels
from astrarium.esper.console.follow import RunFollower, Standing
from astrarium.esper.console.screens import Detail, Fatal, Grid
from astrarium.esper.console.snapshot import Snapshot
from astrarium.runs.moments import Now, utc_now

_POLL_SECONDS: Final = 0.25
_WIDE: Final = (130, 40)
"""Columns and lines from which all panels are shown at once."""

PANELS: Final = (
    *("decisions", "seeds", "worth", "policy"),
    *("rewards", "best", "log", "anomalies"),
)
"""In the order of their keys; the first two are tables to choose from."""
_STYLE: Final = """
#header { height: 2; padding: 0 1; }
#strip { height: 1; padding: 0 1; }
#hosts { height: auto; max-height: 45%; padding: 0 1; }
#tabs { height: 1; padding: 0 1; color: $accent; }
.-wide #tabs { display: none; }
VerticalScroll, Grid { scrollbar-size: 0 1; }
#panels { height: 1fr; }
.panel { border: round $primary; padding: 0 1; display: none; }
#decisions, #seeds { padding: 0; }
.panel:focus-within, .panel:focus { border: round $accent; }
.panel.shown { display: block; }
.-wide .panel { display: block; }
.-wide #panels { layout: grid; grid-size: 3 3; }
.-wide #log { column-span: 2; }
.panel Static, .panel Grid { height: auto; }
#detail { padding: 0 2; }
Fatal { align: center middle; }
#fatal { width: 80%; max-width: 90; height: auto; padding: 1 2; border: thick $error; }
"""


class Main(Screen[None]):
    """Everything at a glance; on a small terminal one panel at a time."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("h", "hosts", "Hosts"),
        Binding("1", "panel(1)", "Panel", key_display="1-8"),
        *(Binding(str(at), f"panel({at})", show=False) for at in range(2, 9)),
        Binding("tab", "app.focus_next", "Next"),
    ]

    def __init__(self, seen: Snapshot, standing: Standing) -> None:
        super().__init__()
        self._seen = seen
        self._standing = standing
        self._header, self._strip = Static(id="header"), Static(id="strip")
        self._tabs = Static(id="tabs")
        self._hosts = Grid(id="hosts", cursor_type="row", cell_padding=0)
        self._grids = {name: Grid(id=f"{name}-rows", cursor_type="row") for name in PANELS[:2]}
        self._texts = {name: Static() for name in PANELS[2:]}

    def compose(self) -> ComposeResult:
        """Header, hosts, panels and keys."""
        yield self._header
        yield self._strip
        yield self._hosts
        yield self._tabs
        with Container(id="panels"):
            for at, (name, inside) in enumerate({**self._grids, **self._texts}.items(), 1):
                with VerticalScroll(id=name, classes="panel") as panel:
                    panel.border_title = f"{at} {name}"
                    yield inside
        yield Footer(compact=True)

    def on_mount(self) -> None:
        """Begin with the hosts."""
        self.action_panel(1)
        self.action_hosts()

    def on_resize(self) -> None:
        """Lay out for the size there is now."""
        columns, lines = _WIDE
        self.set_class(self.size.width >= columns and self.size.height >= lines, "-wide")
        self.show(self._seen, self._standing)

    def show(self, seen: Snapshot, standing: Standing) -> None:
        """Draw it anew."""
        self._seen, self._standing = seen, standing
        self._header.update(panels.header(seen, standing))
        self._strip.update(panels.strip(seen))
        self._hosts.show(panels.hosts(seen, self.size.width))
        host = seen.host(self._env())
        self._grids["decisions"].show(panels.decisions(seen))
        self._grids["seeds"].show(panels.seeds(host))
        for name, drawn in panels.texts(seen, host).items():
            self._texts[name].update(drawn)
        for inside in (self._grids["seeds"], self._texts["worth"]):
            if inside.parent is not None:
                inside.parent.border_subtitle = f"host {self._env()}"

    def _env(self) -> int:
        return int(self._hosts.chosen() or 0)

    def action_panel(self, at: int) -> None:
        """Show a panel and go there."""
        for panel in self.query(".panel"):
            panel.set_class(panel.id == PANELS[at - 1], "shown")
        name = PANELS[at - 1]
        tabs = [f"[{n} {one}]" if one == name else f"{n} {one}" for n, one in enumerate(PANELS, 1)]
        self._tabs.update(Text(" ".join(tabs)))
        self._grids.get(name, self.query_one(f"#{name}")).focus()

    def action_hosts(self) -> None:
        """Go to the table of hosts."""
        self._hosts.focus()

    @on(DataTable.RowHighlighted, "#hosts")
    def _choose(self) -> None:
        self.show(self._seen, self._standing)

    @on(DataTable.RowSelected)
    def _open(self, event: DataTable.RowSelected) -> None:
        key = event.row_key.value or "0"
        if event.control.id == "hosts":
            drawn = partial(details.host, env=int(key))
        elif event.control.id == "seeds-rows":
            drawn = partial(details.seed, env=self._env(), slot_id=key)
        else:
            drawn = partial(details.decision, one=self._seen.hosts[int(key)].decisions[0])
        self.app.push_screen(Detail(drawn, self._seen))


class Dashboard(App[AstrariumError]):
    """Follows one run. It ends with the error that stopped it, or with nothing."""

    CSS = _STYLE
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = [Binding("q", "leave", "Quit")]

    def __init__(self, follower: RunFollower, now: Now = utc_now) -> None:
        super().__init__()
        self._follower = follower
        self._now = now
        self._error: AstrariumError | None = None

    def on_mount(self) -> None:
        """Look for the first time, and from then on."""
        self._main = Main(self._follower.snapshot, self._follower.standing(self._now()))
        self.push_screen(self._main)
        self.set_interval(_POLL_SECONDS, self.poll)

    def poll(self) -> None:
        """Take in what is new and show it; the first error is the last thing shown."""
        if self._error is not None:
            return
        try:
            news = self._follower.proceed()
            standing = self._follower.standing(self._now())
        except AstrariumError as error:
            self._error = error
            self.push_screen(Fatal(str(error)))
            return
        self._main.show(self._follower.snapshot, standing)
        if news and isinstance(self.screen, Detail):
            self.screen.show(self._follower.snapshot)
        if standing.unread:
            self.call_later(self.poll)

    def action_leave(self) -> None:
        """Go."""
        self.exit(self._error)
