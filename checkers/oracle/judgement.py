"""What is said of a recording: whether the model allows it, and where the two first differ."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum, StrEnum
from pathlib import Path
from typing import Any, Final

from nomadspec.checkers.oracle.context import Context
from nomadspec.checkers.verdict import Verdict
from nomadspec.model.errors import EXIT_INTERNAL


class Ruling(StrEnum):
    """The answer for one recording; only the first is a success."""

    ACCEPTED = "accepted"
    REJECTED = "rejected"
    UNDECIDED = "undecided"
    UNSUPPORTED = "unsupported"
    DEFECT = "defect"
    """The program failed on it, which says nothing of the recording."""


class Absent(Enum):
    """Stands where one side has nothing at all, which is not the same as null."""

    ABSENT = "absent"

    def __repr__(self) -> str:
        return self.value


ABSENT: Final = Absent.ABSENT


@dataclass(frozen=True, slots=True)
class Difference:
    """One place where a recording and the model differ."""

    path: str
    """From the top of the recording: ``ops[3].state.ready.service[0]``."""
    recorded: Any
    model: Any
    rule: str
    """The ID of the rule that decides what the model says there."""


Judge = Callable[[Mapping[str, Any], Context], Iterator[Difference]]
"""Yields the differences of a recording in their order; none means that the model allows it."""


class Unsupported(Exception):  # noqa: N818 -- an answer, not a fault
    """The recording shows something that lies outside the model."""

    def __init__(self, reason: str) -> None:
        """Keep the reason."""
        self.reason = reason
        super().__init__(reason)


class Undecided(Exception):  # noqa: N818 -- an answer, not a fault
    """The recording does not hold enough to tell."""

    def __init__(self, reason: str) -> None:
        """Keep the reason."""
        self.reason = reason
        super().__init__(reason)


@dataclass(frozen=True, slots=True)
class Judgement:
    """What is said of one recording."""

    file: str
    family: str
    id: str
    ruling: Ruling
    difference: Difference | None = None
    """The first one, where the recording is rejected."""
    reason: str = ""
    """In words, where no difference can say it."""
    others: tuple[Difference, ...] = ()
    """The differences after the first, where all of them are looked for: in recordings of whole clusters."""
    gaps: tuple[str, ...] = ()
    """What the model leaves out, and what therefore was not judged; all else was."""
    unseen: tuple[str, ...] = ()
    """What the recording does not show, and what therefore is inconclusive from here to there."""
    notes: tuple[str, ...] = ()
    """What is different and yet allowed, such as the wording of an error."""
    forgiven: Mapping[str, int] = field(default_factory=dict)
    """How often each row of the equivalence table was needed."""
    defects: Mapping[tuple[str, str], int] = field(default_factory=dict)
    """How often a known defect of the release shows, by its quirk and what it broke."""
    shares: Mapping[str, int] = field(default_factory=dict)
    """How many entries and fields of a log were derived, checked, or taken as they came."""

    @property
    def verdict(self) -> Verdict:
        """Give the verdict that this amounts to."""
        return _VERDICTS[self.ruling]

    @property
    def exit_code(self) -> int:
        """Give the exit code for this recording alone."""
        return EXIT_INTERNAL if self.ruling is Ruling.DEFECT else self.verdict.exit_code


def describe_defect(error: Exception) -> str:
    """Say where this program failed, for a report of it."""
    frames = traceback.extract_tb(error.__traceback__)
    where = f" in {Path(frames[-1].filename).name}:{frames[-1].lineno}" if frames else ""
    told = f"{type(error).__name__}{where}: {error}"
    if len(told) > _SHOWN:
        told = f"{told[:_SHOWN]}..."
    return f"this program failed on it ({told}); please report it together with the recording"


_SHOWN: Final = 300
"""So much is shown of what an error says."""

_VERDICTS: Final = {
    Ruling.ACCEPTED: Verdict.HOLDS,
    Ruling.REJECTED: Verdict.VIOLATED,
    Ruling.UNDECIDED: Verdict.INCONCLUSIVE,
    Ruling.UNSUPPORTED: Verdict.INCONCLUSIVE,
    Ruling.DEFECT: Verdict.INCONCLUSIVE,
}
