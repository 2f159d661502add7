"""What a judge is given beside the recording."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from nomadspec.checkers.oracle.equivalence import ROW_IDS
from nomadspec.checkers.oracle.limits import LIMITS, Limits
from nomadspec.model.errors import ImpossibleError, InputError
from nomadspec.model.specification.profiles import Profile
from nomadspec.model.specification.quirk import Quirk

Document = Mapping[str, Any]


def _has_no_siblings(name: str) -> Sequence[Document]:
    raise InputError(f"{name}.ndjson", "the recordings refer to this file and it is not there")


@dataclass(slots=True)
class Context:
    """The surroundings of a recording, and a place for remarks about it."""

    profile: Profile
    read_sibling: Callable[[str], Sequence[Document]] = _has_no_siblings
    """Reads the lines of another file of the same folder by its bare name, such as ``bases``."""
    ignores_choices: bool = False
    """Whether what was chosen by chance is left aside: any choice may then have led to what was recorded."""
    limits: Limits = LIMITS
    """How much is read, and how long is thought about it."""
    notes: list[str] = field(default_factory=list)
    gaps: list[str] = field(default_factory=list)
    unseen: list[str] = field(default_factory=list)
    """What the recording does not show, and from where to where; nothing is said of that."""
    forgiven: Counter[str] = field(default_factory=Counter)
    derived: set[int] = field(default_factory=set)
    """The indexes of log entries that the model decided alike, on a state that they may stem from."""
    defects: Counter[tuple[str, str]] = field(default_factory=Counter)
    """How often a known defect of the release shows in a recording, by its quirk and what it broke."""
    shares: Counter[str] = field(default_factory=Counter)
    """How many entries of a log, and fields of them, were derived, checked or taken as they came."""

    def leave_out(self, gap: str) -> None:
        """Say what of a recording lies outside the model, once; the rest of it is judged."""
        if gap not in self.gaps:
            self.gaps.append(gap)

    def miss(self, part: str) -> None:
        """Say what the recording does not show, once; what it shows is judged."""
        if part not in self.unseen:
            self.unseen.append(part)

    def note(self, remark: str) -> None:
        """Remark on something that is different and yet allowed."""
        self.notes.append(remark)

    def tell_defect(self, quirk: Quirk, broken: str) -> None:
        """Count something that the release does although it should not, and that is known of it."""
        self.defects[quirk.id, broken] += 1

    def forgive(self, row: str) -> None:
        """Count that a row of the equivalence table was needed."""
        if row not in ROW_IDS:
            raise ImpossibleError(f"A judge forgives by {row!r}, which the equivalence table does not hold.")
        self.forgiven[row] += 1
