"""Cases: what a run has judged, one by one, in the words that all readers of CI share."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Final

from nomadspec.checkers.escaping import escape_line, escape_lines
from nomadspec.checkers.verdict import Verdict

if TYPE_CHECKING:
    from nomadspec.model.language.property import Property

_PACKAGE: Final = Path(__file__).resolve().parents[2]


class Outcome(Enum):
    """How a case ended."""

    PASSED = "passed"
    FAILED = "failed"
    ERROR = "error"
    """It could not be judged: a file that cannot be read, a defect."""
    SKIPPED = "skipped"
    """Nobody judged it."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a case stands in a file."""

    file: str
    """Relative to where the command runs, if it is below that."""
    line: int = 1


@dataclass(frozen=True, slots=True)
class Case:
    """One thing that was judged."""

    group: str
    """What it belongs to: a model and scope, or a file of recordings."""
    name: str
    """Its name within the group."""
    outcome: Outcome
    message: str = ""
    """Why it did not pass, or how far the answer reaches, in one sentence."""
    details: str = ""
    """A story or a difference, in lines of text."""
    seconds: float = 0.0
    place: Place | None = None
    reproduce: str = ""
    """The command that shows this case."""

    def tell(self, *, with_message: bool) -> str:
        """Write the case in lines: of the message and the command each is one line, whatever is in them."""
        message = escape_line(self.message) if with_message else ""
        parts = (message, escape_lines(self.details), escape_line(self.reproduce))
        return "\n".join(part for part in parts if part)


@dataclass(frozen=True, slots=True)
class Outcomes:
    """All cases of a run, and its verdict."""

    title: str
    """What was run: ``nomadspec verify``."""
    verdict: Verdict
    seconds: float
    cases: Sequence[Case]
    text: str = ""
    """The result as the screen shows it, without colours."""

    def count(self, outcome: Outcome) -> int:
        """Count the cases that ended so."""
        return sum(case.outcome is outcome for case in self.cases)

    @property
    def wrong(self) -> list[Case]:
        """The cases that failed or could not be judged."""
        return [case for case in self.cases if case.outcome in {Outcome.FAILED, Outcome.ERROR}]


def find_place(prop: Property) -> Place:
    """Find where a property is written."""
    return Place(name_file(Path(prop.file)), prop.line)


def name_file(path: Path) -> str:
    """Name a file as CI does: relative to the working directory, else to the package."""
    whole = Path(os.path.realpath(path))  # unlike resolve, this takes links that lead in a circle
    for folder in (Path.cwd(), _PACKAGE):
        if whole.is_relative_to(folder):
            return whole.relative_to(folder).as_posix()
    return whole.as_posix()
