"""Parts of the dashboard: a table that lives, a page about one thing, the end."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from rich.console import RenderableType
from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.coordinate import Coordinate
from textual.screen import ModalScreen, Screen
from textual.widgets import DataTable, Footer, Static

from astrarium.esper.console.panels import Cell, Rows
from astrarium.esper.console.snapshot import Snapshot


class Grid(DataTable[Cell]):
    """A table that keeps its cursor while its rows change."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "select_cursor", "Details", key_display="⏎")
    ]

    def show(self, found: Rows) -> None:
        """Draw what differs from what is there."""
        columns = [str(column.label) for column in self.ordered_columns]
        keys = [row.key.value for row in self.ordered_rows]
        if columns == list(found.columns) and keys == [key for key, _ in found.rows]:
            for at, (_, cells) in enumerate(found.rows):
                for column, cell in enumerate(cells):
                    place = Coordinate(at, column)
                    if self.get_cell_at(place) != cell:
                        self.update_cell_at(place, cell, update_width=True)
            return
        kept = self.cursor_row
        self.clear(columns=True)
        self.add_columns(*found.columns)
        for key, cells in found.rows:
            self.add_row(*cells, key=key)
        self.move_cursor(row=kept)

    def chosen(self) -> str | None:
        """What the row under the cursor is about."""
        rows = self.ordered_rows
        return rows[self.cursor_row].key.value if self.cursor_row < len(rows) else None


class Detail(Screen[None]):
    """One thing in full, kept up to date."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "dismiss", "Back"),
    ]

    def __init__(self, drawn: Callable[[Snapshot], RenderableType], seen: Snapshot) -> None:
        super().__init__()
        self._drawn = drawn
        self._seen = seen

    def compose(self) -> ComposeResult:
        """A page to scroll."""
        with VerticalScroll():
            yield Static(self._drawn(self._seen), id="detail")
        yield Footer(compact=True)

    def show(self, seen: Snapshot) -> None:
        """Draw it anew."""
        self.query_one("#detail", Static).update(self._drawn(seen))


class Fatal(ModalScreen[None]):
    """The run cannot be shown any further, and why."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("q,escape,enter", "app.leave", "Leave")]

    def __init__(self, words: str) -> None:
        super().__init__()
        self._words = words

    def compose(self) -> ComposeResult:
        """What was wrong, and the way out."""
        yield Static(
            Text.assemble(
                ("This run cannot be shown any further\n\n", "bold"),
                self._words,
                ("\n\nWhat was read before it would mislead. Press q to leave.", "dim"),
            ),
            id="fatal",
        )
