"""The dashboard on a terminal: filled anew whenever there is news."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import ClassVar, Final

from rich.console import RenderableType
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
#header, #strip { text-wrap: nowrap; text-overflow: ellipsis; }
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
        self._header, self._strip, self._tabs = (Static(id=i) for i in ("header", "strip", "tabs"))
        self._hosts = Grid(id="hosts", cursor_type="row", cell_padding=0)
        self._decisions, self._seeds = Grid(cursor_type="row"), Grid(cursor_type="row")
        self._texts = {name: Static() for name in PANELS[2:]}
        insides = (self._decisions, self._seeds, *self._texts.values())
        self._panels = [
            VerticalScroll(inside, id=name, classes="panel")
            for name, inside in zip(PANELS, insides, strict=True)
        ]

    def compose(self) -> ComposeResult:
        """Header, hosts, panels and keys."""
        yield from (self._header, self._strip, self._hosts, self._tabs)
        yield Container(*self._panels, id="panels")
        yield Footer(compact=True)

    def on_mount(self) -> None:
        """Begin with the hosts."""
        self.action_panel(1)
        self._hosts.focus()

    def on_resize(self) -> None:
        """Lay out for the size there is now."""
        columns, lines = _WIDE
        self.set_class(self.size.width >= columns and self.size.height >= lines, "-wide")
        self._draw()

    def show(self, seen: Snapshot, standing: Standing) -> None:
        """Draw what is new."""
        is_new, self._seen, self._standing = seen is not self._seen, seen, standing
        header = panels.header(seen, standing)
        if self._header.content != header:
            self._header.update(header)
        if is_new:
            self._draw()

    @on(DataTable.RowHighlighted, "#hosts")
    def _draw(self) -> None:
        seen, env = self._seen, int(self._hosts.chosen() or 0)
        host = seen.host(env)
        self._strip.update(panels.strip(seen))
        self._hosts.show(panels.hosts(seen, self.size.width))
        self._decisions.show(panels.decisions(seen))
        self._seeds.show(panels.seeds(host))
        for name, drawn in {"worth": panels.worth(host), **panels.texts(seen)}.items():
            self._texts[name].update(drawn)
        for at, panel in enumerate(self._panels, 1):
            of_host = f" of host {env}" if panel.id in ("seeds", "worth") else ""
            panel.border_title = f"{at} {panel.id}{of_host}"

    def action_panel(self, at: int) -> None:
        """Show a panel and go there."""
        for panel in self._panels:
            panel.set_class(panel is self._panels[at - 1], "shown")
        tabs = [f"[{n} {name}]" if n == at else f"{n} {name}" for n, name in enumerate(PANELS, 1)]
        self._tabs.update(Text(" ".join(tabs)))
        (self._decisions, self._seeds, *self._panels[2:])[at - 1].focus()

    def action_hosts(self) -> None:
        """Go to the table of hosts."""
        self._hosts.focus()

    def chosen(self) -> Callable[[Snapshot], RenderableType]:
        """A page about what the cursor is on."""
        env = int(self._hosts.chosen() or 0)
        if self._seeds.has_focus:
            return partial(details.seed, env=env, slot_id=self._seeds.chosen() or "")
        if self._decisions.has_focus:
            host = self._seen.hosts[int(self._decisions.chosen() or 0)]
            return partial(details.decision, one=host.decisions[0])
        return partial(details.host, env=env)


class Dashboard(App[AstrariumError | OSError]):
    """Follows one run. It ends with the error that stopped it, or with nothing."""

    CSS = _STYLE
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = [Binding("q", "leave", "Quit")]

    def __init__(self, follower: RunFollower, now: Now = utc_now) -> None:
        super().__init__()
        self._follower = follower
        self._now = now
        self._error: AstrariumError | OSError | None = None
        self._main = Main(follower.snapshot, follower.standing(now()))

    async def on_mount(self) -> None:
        """Look for the first time, and from then on."""
        await self.push_screen(self._main)
        self.poll()
        self.set_interval(_POLL_SECONDS, self.poll)

    def poll(self) -> None:
        """Take in what is new and show it; the first error is the last thing shown."""
        if self._error is not None:
            return
        try:
            news = self._follower.proceed()
            standing = self._follower.standing(self._now())
        except (AstrariumError, OSError) as error:
            self._error = error
            self.push_screen(Fatal(str(error)))
            return
        self._main.show(self._follower.snapshot, standing)
        if news and isinstance(self.screen, Detail):
            self.screen.show(self._follower.snapshot)
        if standing.unread:
            self.call_later(self.poll)

    @on(DataTable.RowSelected)
    def _open(self) -> None:
        self.push_screen(Detail(self._main.chosen(), self._follower.snapshot))

    def action_leave(self) -> None:
        """Go."""
        self.exit(self._error)
