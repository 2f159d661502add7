"""What is said of a recording: whether the model allows it, and where the two first differ."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum, StrEnum
from typing import Any, Final

from nomadspec.checkers.oracle.context import Context
from nomadspec.checkers.verdict import Verdict


class Ruling(StrEnum):
    """The answer for one recording; only the first is a success."""

    ACCEPTED = "accepted"
    REJECTED = "rejected"
    UNDECIDED = "undecided"
    UNSUPPORTED = "unsupported"


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
    notes: tuple[str, ...] = ()
    """What is different and yet allowed, such as the wording of an error."""
    forgiven: Mapping[str, int] = field(default_factory=dict)
    """How often each row of the equivalence table was needed."""

    @property
    def verdict(self) -> Verdict:
        """Give the verdict that this amounts to."""
        return _VERDICTS[self.ruling]


_VERDICTS: Final = {
    Ruling.ACCEPTED: Verdict.HOLDS,
    Ruling.REJECTED: Verdict.VIOLATED,
    Ruling.UNDECIDED: Verdict.INCONCLUSIVE,
    Ruling.UNSUPPORTED: Verdict.INCONCLUSIVE,
}
