"""What is finished, one line each: whoever opens the folder goes on from there."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

import msgspec

from astrarium import atomic
from astrarium.esper.contracts.errors import EsperError
from astrarium.esper.experiment.trial import SCHEMA, Outcome, Trial

NAME: Final = "trials.jsonl"


class JournalError(EsperError, ValueError):
    """A journal that does not say what it should."""


class Journal:
    """The finished trials of a folder. One writer at a time."""

    def __init__(self, folder: Path) -> None:
        atomic.check_folder(folder)
        folder.mkdir(parents=True, exist_ok=True)
        self.path = folder / NAME
        self.finished: dict[Trial, Outcome] = {}
        if self.path.exists():
            self._read()

    def add(self, outcome: Outcome) -> None:
        """Write one more, whole and at once."""
        line = msgspec.json.encode(outcome) + b"\n"
        with self.path.open("ab") as file:
            file.write(line)
            file.flush()
            os.fsync(file.fileno())
        self.finished[outcome.trial] = outcome

    def _read(self) -> None:
        whole, _, begun = self.path.read_bytes().rpartition(b"\n")
        for number, line in enumerate(whole.splitlines(), 1):
            outcome = self._outcome(line, number)
            self.finished[outcome.trial] = outcome
        if begun:
            # A writer was killed in the middle of a line; the next one must not follow on it.
            kept = whole + b"\n" if whole else b""
            atomic.write_bytes(self.path, kept)

    def _outcome(self, line: bytes, number: int) -> Outcome:
        try:
            outcome = msgspec.json.decode(line, type=Outcome)
        except msgspec.DecodeError as error:
            raise JournalError(
                f"{self.path}:{number} is no trial ({error}); take the line away to run it again"
            ) from error
        if outcome.schema != SCHEMA:
            raise JournalError(
                f"{self.path}:{number} has schema {outcome.schema}, not {SCHEMA}; give another root"
            )
        return outcome
